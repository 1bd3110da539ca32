internal import OpenSSL

/// Base64 (RFC 4648, section 4) with white space in between, as in PEM and in mail.
enum Base64 {
    /// The value of each character; higher ones for white space, padding and all others.
    private static let values: [UInt8] = (0...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        case 0x20, 0x09...0x0D: space
        case UInt8(ascii: "="): padding
        default: other
        }
    }
    private static let space: UInt8 = 64
    private static let padding: UInt8 = 65
    private static let other: UInt8 = 66

    /// Nil if there are other characters, or if it does not end with a whole group.
    static func decode(_ text: ArraySlice<UInt8>) -> SecretBytes? { decode(text, canBeCutOff: false) }

    /// A whole file of base64 and nothing else that decodes to a SEQUENCE; nil if it is not one.
    ///
    /// One that is cut off is decoded as far as it goes.
    static func decodeText(_ text: ArraySlice<UInt8>) -> SecretBytes? {
        let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
        let values = values
        // Nothing is set aside for what is plainly something else.
        guard text.allSatisfy({ values[Int($0)] < other }) else { return nil }
        let bytes = decode(text, canBeCutOff: true)
        return bytes?.withBytes { $0.first } == 0x30 ? bytes : nil
    }

    private static func decode(_ text: ArraySlice<UInt8>, canBeCutOff: Bool) -> SecretBytes? {
        let values = values
        return SecretBytes(capacity: text.count / 4 * 3 + 3) { buffer in
            var count = 0
            var group: UInt32 = 0
            var digits = 0
            var paddings = 0
            for byte in text {
                let value = values[Int(byte)]
                if value == space { continue }
                if value == padding, paddings < 2 {
                    paddings += 1
                    continue
                }
                guard value < space, paddings == 0 else { return nil }
                group = group << 6 | UInt32(value)
                digits += 1
                guard digits == 4 else { continue }
                buffer[count] = UInt8(group >> 16 & 0xFF)
                buffer[count + 1] = UInt8(group >> 8 & 0xFF)
                buffer[count + 2] = UInt8(group & 0xFF)
                count += 3
                (group, digits) = (0, 0)
            }
            guard canBeCutOff || digits == 0 && paddings == 0 || digits > 1 && digits + paddings == 4 else {
                return nil
            }
            if digits > 1 {
                group <<= 6 * UInt32(4 - digits)
                buffer[count] = UInt8(group >> 16 & 0xFF)
                buffer[count + 1] = UInt8(group >> 8 & 0xFF)
                count += digits - 1
            }
            return count
        }
    }
}
