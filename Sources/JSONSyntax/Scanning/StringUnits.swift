/// The characters between the quotes of a string, escapes resolved (RFC 8259, section 7).
struct StringUnits: IteratorProtocol {
    private let bytes: ByteView
    private let end: Int
    private var offset: Int

    init(_ bytes: ByteView, content: Range<Int>) {
        self.bytes = bytes
        end = min(content.upperBound, bytes.count)
        offset = content.lowerBound
    }

    /// Skips characters that mean themselves.
    mutating func skipPlainText() -> Range<Int> {
        let start = offset
        offset = bytes.endOfPlainText(from: start, to: end)
        // A quotation mark inside of other quotes means itself, too.
        if offset < end, bytes[offset] == UInt8(ascii: "\"") { offset += 1 }
        return start..<offset
    }

    /// The next escape or control character.
    mutating func nextUnusual() -> StringUnit? {
        while offset < end, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] >= 0x20, bytes[offset] != 0x5C {
            _ = skipPlainText()
        }
        return next()
    }

    mutating func next() -> StringUnit? {
        guard offset < end else { return nil }
        let start = offset
        let meaning: StringUnit.Meaning
        if bytes[start] == UInt8(ascii: "\\"), start + 1 < end {
            meaning = escape(at: start)
        } else {
            let (scalar, length) = bytes.scalar(at: start)
            offset = start + length
            meaning = scalar.value < 0x20 ? .control(scalar) : .character(scalar)
        }
        offset = min(offset, end)
        return StringUnit(range: start..<offset, meaning: meaning)
    }

    private mutating func escape(at start: Int) -> StringUnit.Meaning {
        offset = start + 2
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): return .character("\"")
        case UInt8(ascii: "\\"): return .character("\\")
        case UInt8(ascii: "/"): return .character("/")
        case UInt8(ascii: "b"): return .character("\u{8}")
        case UInt8(ascii: "f"): return .character("\u{C}")
        case UInt8(ascii: "n"): return .character("\n")
        case UInt8(ascii: "r"): return .character("\r")
        case UInt8(ascii: "t"): return .character("\t")
        case UInt8(ascii: "u"): return codeUnit(at: start)
        default:
            let (scalar, length) = bytes.scalar(at: start + 1)
            offset = start + 1 + length
            return .invalidEscape(scalar)
        }
    }

    private mutating func codeUnit(at start: Int) -> StringUnit.Meaning {
        guard let first = hexadecimal(at: start + 2) else {
            var index = start + 2
            while index < end, hexValue(bytes[index]) != nil { index += 1 }
            offset = index
            return .invalidEscape("u")
        }
        offset = start + 6
        if let scalar = Unicode.Scalar(first) { return .character(scalar) }
        guard first < 0xDC00, offset + 6 <= end, bytes.starts(with: "\\u", at: offset),
            let second = hexadecimal(at: offset + 2), (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { return .loneSurrogate }
        offset += 6
        return .character(scalar)
    }

    private func hexadecimal(at start: Int) -> UInt32? {
        guard start + 4 <= end else { return nil }
        var value: UInt32 = 0
        for index in start..<start + 4 {
            guard let digit = hexValue(bytes[index]) else { return nil }
            value = value << 4 | digit
        }
        return value
    }
}
