import Diagnostics

extension Scanner {
    /// The string whose quotation mark is the next byte.
    @inline(__always)
    mutating func string() -> Token {
        let open = offset
        var index = open &+ 1
        var isVerbatim = true
        var hasControls = false
        while true {
            index = bytes.endOfPlainText(from: index, to: bytes.count)
            switch bytes[index] {
            case UInt8(ascii: "\""):
                if mayFollow(bytes[index &+ 1]) || earlierEnd(open &+ 1..<index) == nil {
                    offset = index &+ 1
                    var token = Token(.string, open, offset)
                    token.content = open &+ 1..<index
                    token.isVerbatim = isVerbatim
                    if !isVerbatim || hasControls { checkUnits(of: token.content, isSingleQuoted: false) }
                    return token
                }
                let end = earlierEnd(open &+ 1..<index) ?? index
                return takeForeignString(quote: 1, family: .double, end: end, closingQuote: 3)
            case UInt8(ascii: "\\") where index &+ 1 < bytes.count && !isLineEnd(bytes[index &+ 1]):
                isVerbatim = false
                index &+= 2
            case UInt8(ascii: "\\"):
                index &+= 1
            case 0x0A, 0x0D:
                if let end = endOnLaterLine(from: index) { return brokenString(to: index, end: end) }
                return unclosedString(quote: 1, family: .double, to: index)
            case 0 where index >= bytes.count:
                return unclosedString(quote: 1, family: .double, to: index)
            default:
                hasControls = true
                index &+= 1
            }
        }
    }

    /// What a string says.
    @inline(__always)
    mutating func value(of token: Token) -> JSONString {
        let text = token.isVerbatim ? bytes.text(token.content) : unescape(token.content)
        return JSONString(text, content: SourceRange(token.content), isVerbatim: token.isVerbatim)
    }

    private mutating func unescape(_ content: Range<Int>) -> String {
        var units = StringUnits(bytes, content: content)
        unescaped.removeAll(keepingCapacity: true)
        while true {
            bytes.append(units.skipPlainText(), to: &unescaped)
            guard let unit = units.next() else { return String(decoding: unescaped, as: UTF8.self) }
            unescaped.append(contentsOf: UTF8.encode(unit.scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Reports what is wrong inside of a string.
    mutating func checkUnits(of content: Range<Int>, isSingleQuoted: Bool) {
        var units = StringUnits(bytes, content: content)
        while let unit = units.nextUnusual() {
            switch unit.meaning {
            case .character: break
            case .loneSurrogate: findings.loneSurrogate(unit.range)
            case .invalidEscape("'") where isSingleQuoted: break
            case .invalidEscape: findings.invalidEscape(unit.range)
            case .control(let scalar): findings.controlCharacter(unit.range, scalar)
            }
        }
    }
}

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

/// One character of a string as it is written: itself or an escape.
struct StringUnit {
    enum Meaning {
        case character(Unicode.Scalar)
        /// `\u` for half of a surrogate pair, without the other half.
        case loneSurrogate
        /// A backslash that does not begin an escape; the character after it.
        case invalidEscape(Unicode.Scalar)
        /// A character that must not be in a string as it is.
        case control(Unicode.Scalar)
    }

    let range: Range<Int>
    let meaning: Meaning

    /// What the reader takes it for.
    var scalar: Unicode.Scalar {
        switch meaning {
        case .character(let scalar), .invalidEscape(let scalar), .control(let scalar): scalar
        case .loneSurrogate: "\u{FFFD}"
        }
    }

    var utf8Count: Int { UTF8.width(scalar) }
}
