internal import AppSiteAssociation

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
