internal import PushSamples

/// Base64 for URLs, without padding (RFC 4648, section 5), as ACME has it.
package enum StubAuthorityBase64URL {
    package static func text(_ bytes: [UInt8]) -> String {
        String(
            SamplePEM.base64(bytes).compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// Nil for anything but the one spelling that `text` has for these bytes.
    package static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for character in text.utf8 {
            guard let value = value(character) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                bits &= 1 << count - 1
            }
        }
        return count < 6 && bits == 0 ? bytes : nil
    }

    private static func value(_ character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) - 48 + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
