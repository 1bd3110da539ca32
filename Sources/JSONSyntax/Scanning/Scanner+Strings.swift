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
