/// What is written in Base64 or in hexadecimal digits in a text: each run of their characters, decoded.
///
/// White space between two words joins them where the first is as long as a line of such a text would be: a multiple of four
/// digits of Base64, or of two hexadecimal ones. So each character is decoded once, and words before a run do not shift
/// it.
enum EncodedRuns {
    /// Shorter runs cannot hold a key.
    private static let shortest = 24

    /// Whether something is true of one of the runs; it is also asked with whether the run is almost all of the text.
    static func contain(_ text: [UInt8], _ isFound: ([UInt8], Bool) -> Bool) -> Bool {
        runs(of: text, bits: 6, digitsPerGroup: 4, digit: sextet, isFound)
            || runs(of: text, bits: 4, digitsPerGroup: 2, digit: hexDigit, isFound)
    }

    private static func runs(
        of text: [UInt8], bits: Int, digitsPerGroup: Int, digit: (UInt8) -> UInt8?, _ isFound: ([UInt8], Bool) -> Bool
    ) -> Bool {
        var decoded: [UInt8] = []
        var (buffer, held): (UInt32, Int) = (0, 0)
        /// The digits of the word that is being read.
        var digits = 0
        var (start, index) = (0, 0)
        func isEnd() -> Bool {
            defer { (decoded, buffer, held, digits, start) = ([], 0, 0, 0, index) }
            return decoded.count >= shortest && isFound(decoded, index - start >= text.count - text.count / 8)
        }
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "\\"), index < text.count, text[index] == UInt8(ascii: "/") {
                // A slash in a string of JSON.
                continue
            }
            if byte == UInt8(ascii: "x"), bits == 4, held == 4, text[index - 2] == UInt8(ascii: "0") {
                // The zero belongs to the sign of a number, as in 0x30.
                (buffer, held, digits) = (buffer >> 4, 0, digits - 1)
                continue
            }
            if let value = digit(byte) {
                buffer = buffer << UInt32(bits) | UInt32(value)
                held += bits
                digits += 1
                if held >= 8 {
                    held -= 8
                    decoded.append(UInt8(truncatingIfNeeded: buffer >> UInt32(held)))
                }
            } else if let length = separator(text, index - 1, isHex: bits == 4) {
                index += length - 1
                if digits.isMultiple(of: digitsPerGroup) { digits = 0 } else if isEnd() { return true }
            } else if isEnd() {
                return true
            }
        }
        return isEnd()
    }

    /// How many bytes there are between two words of a run; nil if something else is there.
    private static func separator(_ text: [UInt8], _ index: Int, isHex: Bool) -> Int? {
        switch text[index] {
        case 0x20, 0x09...0x0D: return 1
        case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","): return isHex ? 1 : nil
        case UInt8(ascii: "\\"):
            // A line end in a string of JSON; a byte in one of C.
            guard index + 1 < text.count else { return nil }
            switch text[index + 1] {
            case UInt8(ascii: "n"), UInt8(ascii: "r"): return 2
            case UInt8(ascii: "x"): return isHex ? 2 : nil
            default: return nil
            }
        default: return nil
        }
    }

    /// The value of a digit of Base64 or of its alphabet for URLs.
    static func sextet(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
