import BoundedText
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

    /// The value of a string.
    @inline(__always)
    mutating func value(of token: Token) -> JSONString {
        let (text, isChanged) = token.isVerbatim ? bytes.boundedText(token.content) : unescape(token.content)
        if isChanged { checkRuns(in: token.content) }
        return JSONString(text: text, content: SourceRange(token.content), isVerbatim: token.isVerbatim)
    }

    private mutating func unescape(_ content: Range<Int>) -> (text: String, isChanged: Bool) {
        var units = StringUnits(bytes, content: content)
        unescaped.removeAll(keepingCapacity: true)
        while true {
            bytes.append(units.skipPlainText(), to: &unescaped)
            guard let unit = units.next() else { return BoundedText.text(unescaped) }
            unescaped.append(contentsOf: UTF8.encode(unit.scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Reports the first scalar by which a run of marks is too long.
    private mutating func checkRuns(in content: Range<Int>) {
        var units = StringUnits(bytes, content: content)
        var runs = BoundedText.Runs()
        while let unit = units.next() {
            if runs.isExcess(unit.scalar) {
                return findings.combiningMarks(unit.range, areIndicators: BoundedText.isIndicator(unit.scalar))
            }
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

    /// The scalar that the reader takes it for.
    var scalar: Unicode.Scalar {
        switch meaning {
        case .character(let scalar), .invalidEscape(let scalar), .control(let scalar): scalar
        case .loneSurrogate: "\u{FFFD}"
        }
    }

    var utf8Count: Int { UTF8.width(scalar) }
}

extension Scanner {
    /// Whether a byte may begin a word without quotes; one of its characters beyond ASCII is looked at elsewhere.
    func isWordStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "*"):
            true
        default:
            isLetter(byte) || isDigit(byte)
        }
    }

    private func lengthOfWordCharacter(at index: Int, isPath: Bool) -> Int {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "$"):
            return bytes[index + 1] == UInt8(ascii: "{") ? 0 : 1
        case UInt8(ascii: "@"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "~"), UInt8(ascii: "?"):
            return 1
        case UInt8(ascii: "/"):
            return isPath ? 1 : 0
        case 0x80...:
            let (scalar, length) = bytes.scalar(at: index)
            return scalar.isForeignLetter && !scalar.isForeignSpace ? length : 0
        default:
            return isWordStart(byte) ? 1 : 0
        }
    }

    /// The token without quotes at the next byte: it begins with a character of a word, or with a slash.
    mutating func word() -> Token {
        let isPath = bytes[offset] == UInt8(ascii: "/")
        var end = offset
        while case let length = lengthOfWordCharacter(at: end, isPath: isPath), length > 0 { end += length }
        return take(.word, length: end - offset)
    }

    @inline(__always)
    mutating func literalOrWord() -> Token {
        let literal: (kind: Token.Kind, length: Int) =
            switch bytes[offset] {
            case UInt8(ascii: "t") where bytes.starts(with: "true", at: offset): (.true, 4)
            case UInt8(ascii: "f") where bytes.starts(with: "false", at: offset): (.false, 5)
            case UInt8(ascii: "n") where bytes.starts(with: "null", at: offset): (.null, 4)
            default: (.word, 0)
            }
        if literal.length > 0, lengthOfWordCharacter(at: offset + literal.length, isPath: false) == 0 {
            return take(literal.kind, length: literal.length)
        }
        return word()
    }

    @inline(__always)
    mutating func numberOrWord() -> Token {
        if let end = endOfNumber(), lengthOfWordCharacter(at: end, isPath: false) == 0 {
            return take(.number, length: end - offset)
        }
        return word()
    }

    /// The end of the number at the next byte (RFC 8259, section 6); nil if there is none.
    private func endOfNumber() -> Int? {
        var index = offset
        func skipDigits() -> Bool {
            let start = index
            while isDigit(bytes[index]) { index += 1 }
            return index > start
        }
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        if bytes[index] == UInt8(ascii: "0") { index += 1 } else if !skipDigits() { return nil }
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard skipDigits() else { return nil }
        }
        if bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            guard skipDigits() else { return nil }
        }
        return index
    }

    /// Whether a word was meant as a number: `01`, `+1`, `.5`, `1.`, `1e`, `0x1F`, `1_000`, `-Infinity`, `NaN`.
    func looksLikeNumber(_ word: Range<Int>) -> Bool {
        var start = word.lowerBound
        while bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-"), start < word.upperBound {
            start += 1
        }
        let rest = start..<word.upperBound
        if bytes.equals("NaN", rest) || bytes.equals("Infinity", rest) || rest.isEmpty { return true }
        let radixMark = bytes[start + 1] | 0x20
        if bytes[start] == UInt8(ascii: "0"), rest.count > 2, [0x78, 0x6F, 0x62].contains(radixMark) {
            return rest.dropFirst(2).allSatisfy { hexValue(bytes[$0]) != nil || bytes[$0] == UInt8(ascii: "_") }
        }
        var index = start
        func skipDigits() -> Bool {
            let start = index
            while index < word.upperBound, isDigit(bytes[index]) || bytes[index] == UInt8(ascii: "_") { index += 1 }
            return index > start
        }
        var hasDigits = skipDigits()
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            hasDigits = skipDigits() || hasDigits
        }
        if bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            _ = skipDigits()
        }
        return hasDigits && index == word.upperBound
    }

    /// The literal that a word was meant for.
    func intendedLiteral(_ word: Range<Int>) -> String? {
        guard word.count <= 9 else { return nil }
        return switch bytes.text(word).lowercased() {
        case "true": "true"
        case "false": "false"
        case "null", "nil", "none", "undefined": "null"
        default: nil
        }
    }
}
