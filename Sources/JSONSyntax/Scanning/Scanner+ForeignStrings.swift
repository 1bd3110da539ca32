import Diagnostics

/// Strings in other quotes than JSON's, and strings that do not end.
extension Scanner {
    /// Whether the byte may be directly after a string, or is at least not a sign that the string ended earlier.
    @inline(__always)
    func mayFollow(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x0A, 0x0D, 0x09, 0:
            true
        default:
            !(isWordStart(byte) || byte == UInt8(ascii: "/"))
        }
    }

    /// The curly quote that a string most likely ends with if the next one begins at its end: in `"key”: "value"` only
    /// what is between strings follows the curly quote.
    func earlierEnd(_ content: Range<Int>) -> Int? {
        var index = content.upperBound
        var separates = false
        while index > content.lowerBound, isStructure(bytes[index - 1]) || bytes[index - 1] == UInt8(ascii: ":") {
            index -= 1
            separates = separates || bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: ":")
        }
        let quote = index - 3
        guard separates, quote >= content.lowerBound, QuoteFamily.foreign(at: quote, in: bytes)?.family == .double,
            bytes[quote - 1] != UInt8(ascii: "\\")
        else { return nil }
        return quote
    }

    /// A string that begins with another quote than JSON's.
    mutating func foreignString(quote: Int, family: QuoteFamily) -> Token {
        var index = offset + quote
        while index < bytes.count, !isLineEnd(bytes[index]) {
            let byte = bytes[index]
            if byte == family.straight {
                return takeForeignString(quote: quote, family: family, end: index, closingQuote: 1)
            } else if byte >= 0x80, quote > 1, let found = QuoteFamily.foreign(at: index, in: bytes),
                found.family == family
            {
                return takeForeignString(quote: quote, family: family, end: index, closingQuote: found.length)
            }
            index += byte == UInt8(ascii: "\\") && !isLineEnd(bytes[index + 1]) ? 2 : 1
        }
        return unclosedString(quote: quote, family: family, to: min(index, bytes.count))
    }

    /// A string without its proper end before `limit`: perhaps it ends with a curly quote.
    mutating func unclosedString(quote: Int, family: QuoteFamily, to limit: Int) -> Token {
        if quote == 1, let end = curlyEnd(from: offset + quote, to: limit, family) {
            return takeForeignString(quote: quote, family: family, end: end, closingQuote: 3)
        }
        var token = Token(.unclosedString, offset, limit)
        token.content = offset + quote..<limit
        // Brackets and commas at the end of the line were hardly meant as text: reading goes on with them.
        var resumption = limit
        while resumption > offset + quote, isStructure(bytes[resumption - 1]) { resumption -= 1 }
        offset = resumption
        return token
    }

    /// The end of a string that goes on after a line break, if its closing quotation mark is near and what follows it may
    /// follow a string.
    func endOnLaterLine(from lineEnd: Int) -> Int? {
        var index = lineEnd
        var hasText = false
        let limit = min(lineEnd + Self.longestContinuation, bytes.count)
        while index < limit, bytes[index] != UInt8(ascii: "\"") {
            // A colon would be that of a key, or of a value without quotation marks.
            if bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "[") { return nil }
            hasText = hasText || !isStructure(bytes[index]) && !isLineEnd(bytes[index])
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < limit, hasText else { return nil }
        var next = index + 1
        while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
        switch next < bytes.count ? bytes[next] : 0 {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0: return index + 1
        default: return nil
        }
    }

    private static var longestContinuation: Int { 4_096 }

    /// A string with line breaks in it.
    ///
    /// - Parameters:
    ///   - lineEnd: The end of its first line.
    ///   - end: After its closing quotation mark.
    mutating func brokenString(to lineEnd: Int, end: Int) -> Token {
        var token = Token(.unclosedString, offset, lineEnd)
        token.content = offset + 1..<lineEnd
        offset = end
        return token
    }

    private func isStructure(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), 0x20, 0x09:
            true
        default:
            false
        }
    }

    /// The first curly quote that is where a string may end.
    private func curlyEnd(from start: Int, to limit: Int, _ family: QuoteFamily) -> Int? {
        var index = start
        while index < limit {
            if bytes[index] == 0xE2, QuoteFamily.foreign(at: index, in: bytes)?.family == family {
                var next = index + 3
                while bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
                switch bytes[next] {
                case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x0A, 0x0D:
                    return index
                case 0 where next >= bytes.count: return index
                default: index = next
                }
            } else {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
        }
        return nil
    }

    /// - Parameters:
    ///   - quote: The length of the opening quote.
    ///   - end: The offset of the closing quote.
    ///   - closingQuote: Its length.
    mutating func takeForeignString(quote: Int, family: QuoteFamily, end: Int, closingQuote: Int) -> Token {
        let content = offset + quote..<end
        var token = Token(.string, offset, end + closingQuote)
        token.content = content
        token.isVerbatim = !content.contains { bytes[$0] == UInt8(ascii: "\\") }
        let fixIts = findings.isFull ? [] : [straightening(token, family)]
        if quote == 1, closingQuote == 1 {
            findings.singleQuotedString(token.range, fixIts)
        } else {
            findings.curlyQuote(quote > 1 ? token.start..<token.start + quote : end..<end + closingQuote, fixIts)
        }
        checkUnits(of: content, isSingleQuoted: family.straight == UInt8(ascii: "'"))
        offset = token.end
        return token
    }

    /// The fix that makes a string out of one in other quotes.
    private func straightening(_ token: Token, _ family: QuoteFamily) -> FixIt {
        func edit(_ start: Int, _ end: Int, _ text: String) -> TextEdit {
            TextEdit(range: SourceRange(start: start, end: end), replacement: text)
        }
        var edits: [TextEdit] = []
        if bytes[token.start] != UInt8(ascii: "\"") { edits.append(edit(token.start, token.content.lowerBound, "\"")) }
        var index = token.content.lowerBound
        while index < token.content.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                edits.append(edit(index, index, "\\"))
                index += 1
            case UInt8(ascii: "\\"):
                if family.straight == bytes[index + 1], family.straight == UInt8(ascii: "'") {
                    edits.append(edit(index, index + 1, ""))
                }
                index += 2
            default:
                index += 1
            }
        }
        if bytes[token.content.upperBound] != UInt8(ascii: "\"") {
            edits.append(edit(token.content.upperBound, token.end, "\""))
        }
        // Between quotation marks, it might be taken for something else.
        let isClear = mayFollow(bytes[token.end]) || earlierEnd(token.content) == nil
        return FixIt("write '\"'", isClear ? .automatic : .suggested, edits)
    }
}

/// Quotes that belong together: `"` and its curly forms, `'` and its curly forms, `«»`, `‹›`, `「」` and `『』`.
enum QuoteFamily {
    case single
    case double
    case guillemet
    case singleGuillemet
    case corner

    /// The family of the quote beyond ASCII at an offset, and its length in bytes; nil if there is none.
    static func foreign(at offset: Int, in bytes: ByteView) -> (family: QuoteFamily, length: Int)? {
        switch (bytes[offset], bytes[offset + 1], bytes[offset + 2]) {
        case (0xE2, 0x80, 0x98...0x9B): (.single, 3)
        case (0xE2, 0x80, 0x9C...0x9F): (.double, 3)
        case (0xC2, 0xAB, _), (0xC2, 0xBB, _): (.guillemet, 2)
        case (0xE2, 0x80, 0xB9...0xBA): (.singleGuillemet, 3)
        case (0xE3, 0x80, 0x8C...0x8F): (.corner, 3)
        default: nil
        }
    }

    var straight: UInt8 {
        switch self {
        case .single, .singleGuillemet: UInt8(ascii: "'")
        case .double, .guillemet, .corner: UInt8(ascii: "\"")
        }
    }
}
