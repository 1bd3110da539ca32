internal import AppSiteAssociation
internal import URLPatterns

/// Finds the parameters of other kinds of routers: `:name`, `{name}`, `<name>`, `[name]`.
enum Placeholders {
    /// - Parameter segments: Whether there are segments, between slashes; `:name` and `[name]` have to be a whole one.
    static func find(in bytes: [UInt8], _ range: Range<Int>, segments: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let isSegmentStart = segments && (offset == range.lowerBound || bytes[offset - 1] == UInt8(ascii: "/"))
            let (end, isPlaceholder): (Int, Bool)
            switch bytes[offset] {
            case UInt8(ascii: "{"): (end, isPlaceholder) = bracketed(bytes, offset, range.upperBound, UInt8(ascii: "}"))
            case UInt8(ascii: "<"): (end, isPlaceholder) = bracketed(bytes, offset, range.upperBound, UInt8(ascii: ">"))
            case UInt8(ascii: ":") where isSegmentStart: (end, isPlaceholder) = colon(bytes, offset, range.upperBound)
            case UInt8(ascii: "[") where isSegmentStart: (end, isPlaceholder) = square(bytes, offset, range.upperBound)
            default: (end, isPlaceholder) = (offset + 1, false)
            }
            if isPlaceholder {
                let hasDollar = offset > range.lowerBound && bytes[offset - 1] == UInt8(ascii: "$")
                found.append((hasDollar ? offset - 1 : offset)..<end)
            }
            offset = max(end, offset + 1)
        }
        return found
    }

    /// Those that no URL can have as they are: in a path all with characters that are percent-encoded there, and anywhere
    /// those in curly or angle brackets that are only part of a segment or, in a query, of a value.
    static func unmatchable(
        _ placeholders: [Range<Int>], in bytes: [UInt8], _ range: Range<Int>, _ kind: FilePattern.Kind
    ) -> [Range<Int>] {
        func isBoundary(_ byte: UInt8) -> Bool {
            switch kind {
            case .path, .legacyPath, .fragment, .variableValue: byte == UInt8(ascii: "/")
            case .query: byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=")
            case .queryItem: false
            }
        }
        return placeholders.filter { placeholder in
            let (start, end) = (placeholder.lowerBound, placeholder.upperBound)
            if bytes[placeholder].contains(where: isEncoded(in: kind)) { return true }
            guard bytes[start] != UInt8(ascii: ":"), bytes[start] != UInt8(ascii: "[") else { return false }
            return start > range.lowerBound && !isBoundary(bytes[start - 1])
                || end < range.upperBound && !isBoundary(bytes[end])
        }
    }

    /// Whether browsers encode the byte; curly brackets only in paths.
    private static func isEncoded(in kind: FilePattern.Kind) -> (UInt8) -> Bool {
        switch kind {
        case .path, .legacyPath: \.isUnencoded
        case .query, .queryItem, .fragment, .variableValue:
            { $0 != .blank && ($0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")) }
        }
    }

    /// `{name}`, `{{ name }}`, `<int:name>`: anywhere, for neither character is in a URL.
    private static func bracketed(
        _ bytes: [UInt8], _ start: Int, _ limit: Int, _ closing: UInt8
    ) -> (end: Int, isPlaceholder: Bool) {
        let opening = bytes[start]
        var content = start + 1
        while content < limit, bytes[content] == opening, opening == UInt8(ascii: "{") { content += 1 }
        var end = content
        while end < limit, !isBracket(bytes[end]), bytes[end] != UInt8(ascii: "/") { end += 1 }
        var close = end
        while close < limit, bytes[close] == closing, close - end < content - start { close += 1 }
        let name = bytes[content..<end].drop { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ".") || $0 == 0x20 }
        guard close > end, let first = name.first, first.isWord && !first.isDigit || first >= 0x80 && first != .blank
        else { return (end, false) }
        return (close, true)
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: false
        }
    }

    /// `:name`, `:name?`, `:name(\d+)`.
    private static func colon(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> (end: Int, isPlaceholder: Bool) {
        var end = start + 1
        guard end < limit, bytes[end].isWord, !bytes[end].isDigit else { return (end, false) }
        while end < limit, bytes[end].isWord || bytes[end] == UInt8(ascii: "-") { end += 1 }
        if end < limit, bytes[end] == UInt8(ascii: "(") {
            var close = end
            while close < limit, bytes[close] != UInt8(ascii: ")"), bytes[close] != UInt8(ascii: "/") { close += 1 }
            if close < limit, bytes[close] == UInt8(ascii: ")") { end = close + 1 }
        }
        if end < limit, isSuffix(bytes[end]), isSegmentEnd(bytes, end + 1, limit) { end += 1 }
        return (end, true)
    }

    private static func isSuffix(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "+")
    }

    /// `[name]`, `[...name]`, `[[name]]`; not `[a-z]`, which is of a regular expression.
    private static func square(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> (end: Int, isPlaceholder: Bool) {
        var content = start + 1
        if content < limit, bytes[content] == UInt8(ascii: "[") { content += 1 }
        while content < limit, bytes[content] == UInt8(ascii: ".") { content += 1 }
        var end = content
        while end < limit, bytes[end].isWord || bytes[end] == UInt8(ascii: "-") { end += 1 }
        let name = bytes[content..<end]
        var close = end
        while close < limit, bytes[close] == UInt8(ascii: "]"), close - end < 2 { close += 1 }
        guard close > end, let first = name.first, !first.isDigit, !RegularExpressionSign.isCharacterRange(name),
            isSegmentEnd(bytes, close, limit)
        else { return (end, false) }
        return (close, true)
    }

    private static func isSegmentEnd(_ bytes: [UInt8], _ offset: Int, _ limit: Int) -> Bool {
        offset >= limit || bytes[offset] == UInt8(ascii: "/")
    }
}

/// Finds what only regular expressions have.
enum RegularExpressionSign {
    /// The letters of `\d`, `\w`, `\s` and their opposites.
    private static let classes = ByteSet("dwsDWS".utf8)

    /// The first sign in a part of a pattern.
    static func first(in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        let (start, limit) = (range.lowerBound, range.upperBound)
        // A group that is open, and whether it has a bar.
        var group: (start: Int, hasBar: Bool)?
        var offset = start
        while offset < limit {
            let next = offset + 1 < limit ? bytes[offset + 1] : 0
            switch bytes[offset] {
            case UInt8(ascii: "^") where offset == start: return offset..<offset + 1
            case UInt8(ascii: "$") where offset > start && offset + 1 == limit: return offset..<limit
            case UInt8(ascii: "."):
                if next == UInt8(ascii: "+") { return offset..<offset + 2 }
                if next == UInt8(ascii: "*"), let sign = anything(bytes, offset, range) { return sign }
            case UInt8(ascii: "\\") where classes.contains(next): return offset..<offset + 2
            case UInt8(ascii: "("): group = (offset, false)
            case UInt8(ascii: "|"): group?.hasBar = true
            case UInt8(ascii: ")"):
                if let group, group.hasBar { return group.start..<offset + 1 }
                group = nil
            case UInt8(ascii: "["):
                if let end = characterClassEnd(bytes, offset, limit) { return offset..<end }
            default: break
            }
            offset += 1
        }
        return nil
    }

    /// `.*`, which in a pattern means a full stop and any run: at the beginning, or as a whole segment.
    private static func anything(_ bytes: [UInt8], _ dot: Int, _ range: Range<Int>) -> Range<Int>? {
        if dot == range.lowerBound { return dot..<dot + 2 }
        guard bytes[dot - 1] == UInt8(ascii: "/") else { return nil }
        let end = dot + 2
        let isWhole =
            end == range.upperBound || bytes[end] == UInt8(ascii: "/") || bytes[end] == UInt8(ascii: "$")
        return isWhole || dot - 1 == range.lowerBound ? dot - 1..<end : nil
    }

    /// Where `[a-z]`, `[0-9]` and the like end.
    private static func characterClassEnd(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> Int? {
        let bounds = start + 1..<min(start + 34, limit)
        guard let end = bytes[bounds].firstIndex(of: UInt8(ascii: "]")),
            isCharacterRange(bytes[bounds.lowerBound..<end])
        else { return nil }
        return end + 1
    }

    /// Whether the inside of square brackets begins like `a-z`, `0-9`, `^a-z`, `_a-z`.
    static func isCharacterRange(_ content: ArraySlice<UInt8>) -> Bool {
        let range = Array(content.drop { $0 == UInt8(ascii: "^") || $0 == UInt8(ascii: "_") }.prefix(4))
        guard range.count >= 3, range[1] == UInt8(ascii: "-"), range[0] < range[2] else { return false }
        return range[0].isDigit && range[2].isDigit || range[0].isLetter && range[2].isLetter
    }
}
