import Diagnostics

/// Cuts a text that is valid UTF-8 into tokens, and reports what is wrong inside and between them.
struct Scanner {
    let bytes: ByteView
    var offset: Int
    var findings: SyntaxFindings
    /// Where the search for what closes a template expression has already failed.
    var lineWithoutEnd: [TemplateStyle: Int] = [:]
    /// The marks of a merge conflict that do not follow any more.
    var missingConflictMarkers: Set<UInt8> = []
    /// Where the text starts, after a byte order mark.
    let start: Int
    /// Memory for strings whose escapes are resolved.
    var unescaped: [UInt8] = []

    init(_ bytes: ByteView, from start: Int, findings: SyntaxFindings) {
        self.bytes = bytes
        self.start = start
        self.findings = findings
        offset = start
    }

    @inline(__always)
    mutating func next() -> Token {
        while true {
            let byte = bytes[offset]
            switch byte {
            case 0x20:
                offset = bytes.endOfSpaces(from: offset &+ 1)
            case 0x0A, 0x0D, 0x09:
                offset &+= 1
            case UInt8(ascii: "\""):
                return string()
            case UInt8(ascii: ","):
                return take(.comma)
            case UInt8(ascii: ":"):
                return take(.colon)
            case UInt8(ascii: "["):
                return take(.openBracket)
            case UInt8(ascii: "]"):
                return take(.closeBracket)
            case UInt8(ascii: "}"):
                return take(.closeBrace)
            case UInt8(ascii: "{"):
                let next = bytes[offset &+ 1]
                if next != UInt8(ascii: "{") && next != UInt8(ascii: "%") { return take(.openBrace) }
                return template(next == UInt8(ascii: "{") ? .expression : .statement)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                return numberOrWord()
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                return literalOrWord()
            default:
                if let token = foreign(byte) { return token }
            }
        }
    }

    @inline(__always)
    private mutating func take(_ kind: Token.Kind) -> Token { take(kind, length: 1) }

    @inline(__always)
    mutating func take(_ kind: Token.Kind, length: Int) -> Token {
        let token = Token(kind, offset, offset &+ length)
        offset &+= length
        return token
    }

    /// The first byte of the next token, or 0; of a string it is a quotation mark, whatever it is delimited by.
    func peek() -> UInt8 { firstByte(from: offset) }

    /// The first byte of the next token that is not a comma, or 0, and whether there are commas before it.
    func peekAfterCommas() -> (byte: UInt8, hasComma: Bool) {
        var hasComma = false
        let byte = firstByte(from: offset) { byte in
            hasComma = hasComma || byte == UInt8(ascii: ",")
            return byte == UInt8(ascii: ",")
        }
        return (byte, hasComma)
    }

    private func firstByte(from start: Int, skipping isSkipped: (UInt8) -> Bool = { _ in false }) -> UInt8 {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if isWhiteSpace(byte) || isSkipped(byte) {
                index += 1
            } else if byte == UInt8(ascii: "'") {
                return UInt8(ascii: "\"")
            } else if byte >= 0x80 {
                if QuoteFamily.foreign(at: index, in: bytes) != nil { return UInt8(ascii: "\"") }
                let (scalar, length) = bytes.scalar(at: index)
                guard scalar.isForeignSpace else { return byte }
                index += length
            } else if let end = endOfComment(at: index) {
                index = end
            } else if isConflictMarker(at: index) {
                index = endOfConflictMarker(at: index).end
            } else {
                return byte
            }
        }
        return 0
    }

    /// A token that JSON does not have outside of strings; nil if it has been skipped.
    private mutating func foreign(_ byte: UInt8) -> Token? {
        switch byte {
        case 0 where offset >= bytes.count:
            return take(.end, length: 0)
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            return skipComment() ? nil : word()
        case UInt8(ascii: "'"):
            return foreignString(quote: 1, family: .single)
        case UInt8(ascii: "$") where bytes[offset + 1] == UInt8(ascii: "{"):
            return template(.substitution)
        case UInt8(ascii: "<") where bytes[offset + 1] == UInt8(ascii: "%"):
            return template(.page)
        case UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "|"):
            if skipConflictMarker() { return nil }
            guard byte == UInt8(ascii: "=") else { return take(.unexpected, length: 1) }
            return take(.equals, length: bytes[offset + 1] == UInt8(ascii: ">") ? 2 : 1)
        case 0x80...:
            return beyondASCII()
        default:
            return isWordStart(byte) ? word() : take(.unexpected, length: 1)
        }
    }

    private mutating func beyondASCII() -> Token? {
        if let found = QuoteFamily.foreign(at: offset, in: bytes) {
            return foreignString(quote: found.length, family: found.family)
        }
        let (scalar, length) = bytes.scalar(at: offset)
        if scalar.isForeignSpace {
            skipForeignSpaces()
            return nil
        }
        return scalar.isForeignLetter ? word() : take(.unexpected, length: length)
    }
}

/// A piece of a JSON text, or of what is in its place.
struct Token {
    enum Kind {
        case end
        case openBrace, closeBrace, openBracket, closeBracket
        case comma, colon
        case string
        case number
        case `true`, `false`, null
        /// An equals sign, or `=>`.
        case equals
        /// Anything without quotes that is neither a number nor a literal.
        case word
        /// A string whose line ends before it does.
        case unclosedString
        /// An expression of a template, or the mark that begins one.
        case template
        case unexpected
    }

    let kind: Kind
    let start: Int
    let end: Int
    /// The range between the quotes of a string; of an unclosed one up to the end of the line.
    var content = 0..<0
    /// Whether the content of a string is the text itself, without any escape.
    var isVerbatim = true

    init(_ kind: Kind, _ start: Int, _ end: Int) {
        self.kind = kind
        self.start = start
        self.end = end
    }

    var range: Range<Int> { start..<end }
}

extension Scanner {
    /// The end of the comment that begins at an offset; nil if none does.
    func endOfComment(at start: Int) -> Int? {
        switch (bytes[start], bytes[start + 1]) {
        case (UInt8(ascii: "#"), _), (UInt8(ascii: "/"), UInt8(ascii: "/")):
            return bytes.endOfLine(from: start)
        case (UInt8(ascii: "/"), UInt8(ascii: "*")):
            // Directly after a string, and with a quotation mark before its end, it is rather a path: `""/*"/"`.
            let mayBePath = bytes[start - 1] == UInt8(ascii: "\"")
            var end = start + 2
            while end < bytes.count, !bytes.starts(with: "*/", at: end) {
                if mayBePath, bytes[end] == UInt8(ascii: "\"") { return nil }
                end += 1
            }
            return min(end + 2, bytes.count)
        default:
            return nil
        }
    }

    /// Skips the comment at the next byte; false if there is none.
    mutating func skipComment() -> Bool {
        guard let end = endOfComment(at: offset) else { return false }
        findings.jsonComment(offset..<end, separator: separator(offset..<end))
        offset = end
        return true
    }

    /// A space if what is around a range would become one token without it.
    func separator(_ range: Range<Int>) -> String {
        let (left, right) = (bytes[range.lowerBound - 1], bytes[range.upperBound])
        switch (left, right) {
        case (UInt8(ascii: "{"), UInt8(ascii: "{")), (UInt8(ascii: "$"), UInt8(ascii: "{")),
            (UInt8(ascii: "{"), UInt8(ascii: "%")):
            return " "
        case (UInt8(ascii: "}"), UInt8(ascii: "}")) where !lineWithoutEnd.isEmpty:
            return " "
        default:
            if isLineStart(range.lowerBound), isSevenMarks(at: range.upperBound) { return " " }
            return isDelimiter(left) || isDelimiter(right) ? "" : " "
        }
    }

    private func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
            UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0:
            true
        default:
            isWhiteSpace(byte)
        }
    }

    /// Skips a run of spaces that JSON does not know, and the plain spaces in it.
    mutating func skipForeignSpaces() {
        let start = offset
        let first = bytes.scalar(at: start).scalar
        var end = start
        var index = start
        var replacement = ""
        var kept = ""
        while true {
            if bytes[index] == 0x20 || bytes[index] == 0x09 {
                kept += bytes[index] == 0x20 ? " " : "\t"
                index += 1
                continue
            }
            guard bytes[index] >= 0x80, case (let scalar, let length) = bytes.scalar(at: index), scalar.isForeignSpace
            else { break }
            replacement += kept + " "
            kept = ""
            index += length
            end = index
        }
        findings.nonASCIISpace(start..<end, first: first, replacement: replacement)
        offset = end
    }

    /// Skips the line of a mark that a merge left; false if there is none at the next byte.
    mutating func skipConflictMarker() -> Bool {
        guard isConflictMarker(at: offset) else { return false }
        findings.mergeConflict(offset..<offset + 7)
        let (end, missing) = endOfConflictMarker(at: offset)
        if let missing { missingConflictMarkers.insert(missing) }
        offset = end
        return true
    }

    /// Where reading goes on after the marker of a merge conflict: one side is read, the common ancestor and the other
    /// side are not.
    ///
    /// - Returns: That offset, and the marker that was looked for in vain.
    func endOfConflictMarker(at offset: Int) -> (end: Int, missing: UInt8?) {
        let endOfLine = bytes.endOfLine(from: offset)
        let closing: UInt8
        switch bytes[offset] {
        case UInt8(ascii: "|"): closing = UInt8(ascii: "=")
        case UInt8(ascii: "="): closing = UInt8(ascii: ">")
        default: return (endOfLine, nil)
        }
        guard !missingConflictMarkers.contains(closing) else { return (endOfLine, nil) }
        var index = endOfLine
        while index < bytes.count {
            if bytes[index] == closing, isConflictMarker(at: index) { return (index, nil) }
            index = bytes.endOfLine(from: index) + 1
        }
        return (endOfLine, closing)
    }

    func isConflictMarker(at offset: Int) -> Bool { isSevenMarks(at: offset) && isLineStart(offset) }

    private func isLineStart(_ offset: Int) -> Bool { offset == start || isLineEnd(bytes[offset - 1]) }

    private func isSevenMarks(at offset: Int) -> Bool {
        switch bytes[offset] {
        case UInt8(ascii: "<"), UInt8(ascii: "|"), UInt8(ascii: "="), UInt8(ascii: ">"):
            (offset + 1..<offset + 7).allSatisfy { bytes[$0] == bytes[offset] }
        default:
            false
        }
    }

    /// An expression of a template up to its end, if that is in the same line; otherwise the mark that begins it.
    mutating func template(_ style: TemplateStyle) -> Token {
        findings.templateMarkup(offset..<offset + 2)
        let start = offset
        var index = start + 2
        if let end = lineWithoutEnd[style], index <= end {
            index = end
        } else {
            while index < bytes.count, !isLineEnd(bytes[index]), !bytes.starts(with: style.end, at: index) {
                index += 1
            }
        }
        guard bytes.starts(with: style.end, at: index) else {
            lineWithoutEnd[style] = index
            return take(.template, length: 2)
        }
        return take(.template, length: index + style.end.utf8CodeUnitCount - start)
    }
}

/// The delimiters with which template languages set off what they replace.
enum TemplateStyle {
    /// `{{ … }}`
    case expression
    /// `{% … %}`
    case statement
    /// `${…}`
    case substitution
    /// `<% … %>`
    case page

    var end: StaticString {
        switch self {
        case .expression: "}}"
        case .statement: "%}"
        case .substitution: "}"
        case .page: "%>"
        }
    }
}
