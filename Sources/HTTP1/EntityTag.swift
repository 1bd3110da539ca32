/// Lists of entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
    enum Comparison {
        /// `W/` makes no difference.
        case weak
        /// A tag with `W/` equals nothing.
        case strong
    }

    /// Whether a field value is `*`, or a list with `tag` in it.
    ///
    /// A list that is malformed counts up to the place where it is.
    static func list(
        _ bytes: Span<UInt8>, _ range: Range<Int>, contains tag: Span<UInt8>, comparison: Comparison
    ) -> Bool {
        if range.count == 1, bytes[range.lowerBound] == UInt8(ascii: "*") { return true }
        var index = range.lowerBound
        while index < range.upperBound {
            if Characters.isBlank(bytes[index]) || bytes[index] == UInt8(ascii: ",") {
                index += 1
                continue
            }
            let isWeak =
                index + 1 < range.upperBound && bytes[index] == UInt8(ascii: "W")
                && bytes[index + 1] == Characters.slash
            if isWeak { index += 2 }
            guard let end = endOfTag(bytes, index..<range.upperBound) else { return false }
            if !(isWeak && comparison == .strong), equal(bytes, index..<end, tag) { return true }
            index = end
        }
        return false
    }

    private static func endOfTag(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let first = range.first, bytes[first] == UInt8(ascii: "\"") else { return nil }
        var index = first + 1
        while index < range.upperBound, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] > Characters.space else { return nil }
            index += 1
        }
        return index < range.upperBound ? index + 1 : nil
    }

    private static func equal(_ bytes: Span<UInt8>, _ range: Range<Int>, _ tag: Span<UInt8>) -> Bool {
        guard range.count == tag.count else { return false }
        for offset in 0..<tag.count where bytes[range.lowerBound + offset] != tag[offset] { return false }
        return true
    }
}
