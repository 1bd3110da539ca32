/// RFC 8259, section 2.
@inline(__always)
func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

@inline(__always)
func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

@inline(__always)
func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

func hexValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- UInt8(ascii: "0")) }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? UInt32(letter &+ 10) : nil
}

extension Unicode.Scalar {
    /// What looks like white space, or like nothing at all, but is no white space of JSON.
    var isForeignSpace: Bool {
        switch value {
        case 0x85, 0xA0, 0x1680, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x2064, 0x3000, 0xFEFF: true
        default: false
        }
    }

    /// Whether a word without quotes may hold this character beyond ASCII.
    var isForeignLetter: Bool {
        properties.isAlphabetic || properties.numericType != nil || properties.isGraphemeExtend
    }
}

extension ByteView {
    /// The character at a place of a text that is valid UTF-8, and its length in bytes.
    func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
        let lead = self[offset]
        func tail(_ distance: Int) -> UInt32 { UInt32(self[offset + distance] & 0x3F) }
        let (value, length): (UInt32, Int) =
            switch lead {
            case ..<0xC0: (UInt32(lead), 1)
            case ..<0xE0: (UInt32(lead & 0x1F) << 6 | tail(1), 2)
            case ..<0xF0: (UInt32(lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3)
            default: (UInt32(lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
            }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}
