/// Offsets in a text: a bit for each, up to the last one that is in the set.
struct OffsetSet {
    private var words: [UInt64] = []

    /// - Returns: Whether the offset was not in the set before.
    mutating func insert(_ offset: Int) -> Bool {
        let (index, bit) = (offset / UInt64.bitWidth, UInt64(1) << UInt64(offset % UInt64.bitWidth))
        if index >= words.count { words += repeatElement(0, count: index + 1 - words.count) }
        guard words[index] & bit == 0 else { return false }
        words[index] |= bit
        return true
    }
}
