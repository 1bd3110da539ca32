internal import BoundedText

/// Base64 (RFC 4648): with the alphabet of section 4 and padding, or with that of section 5, for URLs, without it.
package enum Base64: Sendable {
    case standard, url

    private static let common = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let alphabets = [common + Array("+/".utf8), common + Array("-_".utf8)]

    private var alphabet: [UInt8] { Self.alphabets[self == .standard ? 0 : 1] }

    package func text(_ bytes: some Sequence<UInt8>) -> String {
        let alphabet = alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.underestimatedCount + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 0x3F)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 0x3F)]) }
        if self == .standard { while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) } }
        return String(text: text)
    }

    /// The value of a digit; nil if it is not of the alphabet.
    package func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case self == .standard ? UInt8(ascii: "+") : UInt8(ascii: "-"): 62
        case self == .standard ? UInt8(ascii: "/") : UInt8(ascii: "_"): 63
        default: nil
        }
    }

    /// Decodes digits, without padding, byte by byte.
    ///
    /// - Returns: The bits that are left after the last byte; nil if there is another character, or a single digit.
    package func decode(_ digits: some Collection<UInt8>, _ put: (UInt8) -> Void) -> UInt32? {
        // A digit alone is less than a byte.
        guard digits.count % 4 != 1 else { return nil }
        var (bits, count) = (UInt32(0), 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            put(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bits & (1 << UInt32(count) - 1)
    }

    /// The bytes of a text with its padding, if the alphabet has one, and nothing else; nil if it is another text.
    package func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        let padding = self == .standard ? digits.suffix(2).count { $0 == UInt8(ascii: "=") } : 0
        guard self == .url || digits.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        return decode(digits.dropLast(padding), { bytes.append($0) }) == nil ? nil : bytes
    }
}
