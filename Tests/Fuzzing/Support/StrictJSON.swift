/// Accepts the texts of RFC 8259 and no others: written apart from the parser, to check it and what is written.
package struct StrictJSON {
    private let bytes: [UInt8]
    private var index = 0

    package static func accepts(_ bytes: [UInt8]) -> Bool {
        guard Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes else { return false }
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        var validator = StrictJSON(bytes: hasMark ? Array(bytes.dropFirst(3)) : bytes)
        return validator.value(levels: 0) && validator.index == validator.bytes.count
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard byte == character.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func value(levels: Int) -> Bool {
        skipSpace()
        defer { skipSpace() }
        switch byte {
        case UInt8(ascii: "{"): return levels < 512 && members(levels: levels + 1)
        case UInt8(ascii: "["): return levels < 512 && elements(levels: levels + 1)
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func members(levels: Int) -> Bool {
        index += 1
        skipSpace()
        if take("}") { return true }
        repeat {
            skipSpace()
            guard string() else { return false }
            skipSpace()
            guard take(":"), value(levels: levels) else { return false }
        } while take(",")
        return take("}")
    }

    private mutating func elements(levels: Int) -> Bool {
        index += 1
        skipSpace()
        if take("]") { return true }
        repeat {
            guard value(levels: levels) else { return false }
        } while take(",")
        return take("]")
    }

    private mutating func word(_ word: String) -> Bool {
        word.allSatisfy { take($0) }
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte, (0x30...0x39).contains(byte) { index += 1 }
        return index > start
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0"), !digits() { return false }
        if take("."), !digits() { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case ..<0x20: return false
            case UInt8(ascii: "\\"): if !escape() { return false }
            default: break
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte else { return false }
        index += 1
        guard byte == UInt8(ascii: "u") else { return Array("\"\\/bfnrt".utf8).contains(byte) }
        guard let unit = hexadecimal() else { return false }
        if (0xDC00...0xDFFF).contains(unit) { return false }
        guard (0xD800...0xDBFF).contains(unit) else { return true }
        guard take("\\"), take("u"), let low = hexadecimal() else { return false }
        return (0xDC00...0xDFFF).contains(low)
    }

    private mutating func hexadecimal() -> Int? {
        guard index + 4 <= bytes.count else { return nil }
        let digits = bytes[index..<index + 4].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        index += 4
        return digits.count == 4 ? digits.reduce(0) { $0 * 16 + $1 } : nil
    }
}
