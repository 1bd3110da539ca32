// What people write in a pattern for a path that belongs to other languages.

/// Finds the parameters of other kinds of routers: `:name`, `{name}`, `<name>`, `[name]`.
package enum Placeholders {
    /// - Parameters:
    ///   - segments: Whether there are segments, between slashes; `:name` and `[name]` have to be a whole one.
    ///   - brackets: Whether `[name]` is one, as it is where no pattern has sets of characters.
    package static func find(
        in bytes: [UInt8], _ range: Range<Int>, segments: Bool, brackets: Bool = true
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let isSegmentStart = segments && (offset == range.lowerBound || bytes[offset - 1] == UInt8(ascii: "/"))
            let (end, isPlaceholder): (Int, Bool)
            switch bytes[offset] {
            case UInt8(ascii: "{"): (end, isPlaceholder) = bracketed(bytes, offset, range.upperBound, UInt8(ascii: "}"))
            case UInt8(ascii: "<"): (end, isPlaceholder) = bracketed(bytes, offset, range.upperBound, UInt8(ascii: ">"))
            case UInt8(ascii: ":") where isSegmentStart: (end, isPlaceholder) = colon(bytes, offset, range.upperBound)
            case UInt8(ascii: "[") where isSegmentStart && brackets:
                (end, isPlaceholder) = square(bytes, offset, range.upperBound)
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

    /// `{name}`, `{{ name }}`, `<int:name>`: anywhere, for neither character is in a URL.
    private static func bracketed(
        _ bytes: [UInt8], _ start: Int, _ limit: Int, _ closing: UInt8
    ) -> (end: Int, isPlaceholder: Bool) {
        let opening = bytes[start]
        var content = start + 1
        while content < limit, bytes[content] == opening, opening == UInt8(ascii: "{") { content += 1 }
        var end = content
        while end < limit, !"{}<>/".utf8.contains(bytes[end]) { end += 1 }
        var close = end
        while close < limit, bytes[close] == closing, close - end < content - start { close += 1 }
        let name = bytes[content..<end].drop { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ".") || $0 == 0x20 }
        guard close > end, let first = name.first, first.isWord && !first.isDigit || first >= 0x80 && first != .blank
        else { return (end, false) }
        return (close, true)
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
        if end < limit, "?*+".utf8.contains(bytes[end]), isSegmentEnd(bytes, end + 1, limit) { end += 1 }
        return (end, true)
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
package enum RegularExpressionSign {
    /// Signs that a language of patterns may understand.
    package enum Kind: Sendable {
        /// `^` and `$`.
        case anchor
        /// `.*` as a whole segment.
        case anyRun
        /// `.+`
        case anySome
        /// `\d`, `\w` and the like.
        case classEscape
        /// `(a|b)`
        case alternatives
        /// `[a-z]`
        case set
    }

    /// The letters of `\d`, `\w`, `\s` and their opposites.
    private static let classes = ByteSet("dwsDWS".utf8)

    /// The first sign in a part of a pattern.
    ///
    /// - Parameter known: The signs that the pattern's own language has, too.
    package static func first(in bytes: [UInt8], _ range: Range<Int>, except known: Set<Kind> = []) -> Range<Int>? {
        func isForeign(_ kind: Kind) -> Bool { !known.contains(kind) }
        let (start, limit) = (range.lowerBound, range.upperBound)
        // A group that is open, and whether it has a bar.
        var group: (start: Int, hasBar: Bool)?
        var offset = start
        while offset < limit {
            let next = offset + 1 < limit ? bytes[offset + 1] : 0
            switch bytes[offset] {
            case UInt8(ascii: "^") where offset == start && isForeign(.anchor): return offset..<offset + 1
            case UInt8(ascii: "$") where offset > start && offset + 1 == limit && isForeign(.anchor):
                return offset..<limit
            case UInt8(ascii: "."):
                if next == UInt8(ascii: "+"), isForeign(.anySome) { return offset..<offset + 2 }
                if next == UInt8(ascii: "*"), isForeign(.anyRun), let sign = anything(bytes, offset, range) {
                    return sign
                }
            case UInt8(ascii: "\\") where classes.contains(next) && isForeign(.classEscape): return offset..<offset + 2
            case UInt8(ascii: "("): group = (offset, false)
            case UInt8(ascii: "|"): group?.hasBar = true
            case UInt8(ascii: ")"):
                if let group, group.hasBar, isForeign(.alternatives) { return group.start..<offset + 1 }
                group = nil
            case UInt8(ascii: "[") where isForeign(.set):
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

/// Finds parts of a URL that a pattern for its path begins with.
package enum URLInPath {
    /// Where the host of a URL ends; nil if this is not a URL.
    package static func originEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard let first = bytes[range].first, first.isLetter else { return nil }
        var host: Int?
        if bytes[range].prefix(4).lazy.map(\.lowercased).elementsEqual("www.".utf8) {
            host = range.lowerBound
        } else {
            // Also `http*`, `https?`, `http(s)`.
            var offset = range.lowerBound
            let limit = min(offset + 32, range.upperBound)
            while offset < limit,
                bytes[offset].isLetter || bytes[offset].isDigit || "+-.?*()".utf8.contains(bytes[offset])
            {
                offset += 1
            }
            if bytes[offset..<range.upperBound].starts(with: "://".utf8) { host = offset + 3 }
        }
        guard let host else { return nil }
        return bytes[host..<range.upperBound].firstIndex { "/?#".utf8.contains($0) } ?? range.upperBound
    }

    /// The first segment, if it is the name of a host and another segment follows.
    package static func host(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        let bytes = bytes[range]
        let start = bytes.first == slash ? bytes.startIndex + 1 : bytes.startIndex
        guard let end = bytes[start...].firstIndex(of: slash), end - start <= 253 else { return nil }
        var labels = bytes[start..<end].split(separator: dot, omittingEmptySubsequences: false)
        if labels.count > 2, labels[0].elementsEqual("*".utf8) { labels.removeFirst() }
        guard labels.count >= 2, let first = labels.first, let last = labels.last,
            labels.allSatisfy(isLabel), domains.contains(where: { $0.utf8.elementsEqual(last) }),
            // As in the ID of an app, 'com.shop.app', or for a language and a region, 'de.ch'.
            !["com", "net", "org", "io"].contains(where: { $0.utf8.elementsEqual(first) }),
            labels.contains(where: { $0.count > 2 })
        else { return nil }
        return start..<end
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return !label.isEmpty && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { $0 == hyphen || $0.isDigit || $0.isLetter && $0 == $0.lowercased }
    }

    /// The usual endings of host names; an ending of files, as in 'main.js', is not among them.
    private static let domains = Set(
        """
        app at au be biz br ca ch cloud cn co com cz de dev dk edu es eu fi fr gg gov gr hk hu ie il in info io it jp kr link \
        me mx net nl no nz org page pt ru se sg shop site store tech tr tv tw ua uk us xyz za
        """.split(separator: " ").map(String.init))
}

extension UInt8 {
    /// Takes the place of the bytes of a variable or placeholder in a parsed pattern; never a byte of UTF-8.
    @inlinable
    package static var blank: UInt8 { 0xFF }

    @inlinable
    package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    @inlinable
    package var isDigit: Bool { (0x30...0x39).contains(self) }
    @inlinable
    package var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
    @inlinable
    package var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
    /// Whether an identifier may have the byte.
    @inlinable
    package var isWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
