/// The search in a ``SmallPathIndex``.
enum SmallPathSearch {
    @inline(__always)
    static func search(
        _ index: UnsafeRawPointer, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        let base = text.base
        let count = text.count
        var possible: UInt64 = ~0 &>> UInt64(64 &- index.int(0))
        if index.int(4) == 1 {
            possible = index.word(SmallPathIndex.header &+ min(count, SmallPathIndex.lengths &- 1) &* 8)
            possible &= entries(index + SmallPathIndex.placeTables, base.byte(index.int(8)))
            possible &= entries(index + (SmallPathIndex.placeTables &+ 256), base.byte(index.int(12)))
            possible &= entries(index + (SmallPathIndex.placeTables &+ 512), base.byte(index.int(16)))
            possible &= entries(index + (SmallPathIndex.placeTables &+ 768), base.byte(index.int(20)))
            possible &= entries(index + SmallPathIndex.lastTables, base.byte(count &- 1))
        }
        while possible != 0 {
            let number = possible.trailingZeroBitCount
            possible &= possible &- 1
            let record = index + (SmallPathIndex.records &+ number &* SmallPathIndex.recordSize)
            let key = record.half(84)
            if key >= best { break }
            if !filter.allows(key, record.int(92)) { continue }
            let flags = record.half(88)
            let length = count &+ Int((flags & SmallPathIndex.Flags.parent) &>> 2)
            let minimum = record.int(80)
            if length < minimum || flags & SmallPathIndex.Flags.fixed != 0 && length != minimum { continue }
            let head = difference(base, record, 0) | difference(base, record, 1)
            let tail = (base.word(length &- 8) ^ record.word(64)) & record.word(72)
            if head | tail != 0 { continue }
            if flags & SmallPathIndex.Flags.longHead != 0 {
                if difference(base, record, 2) | difference(base, record, 3) != 0 { continue }
            }
            let entry = record.int(96)
            if entry == 0 || EntryRecord.holds(request.memory + entry, text, &request) { return key }
        }
        return best
    }

    /// Where 8 bytes of a path differ from those of a record's head.
    @inline(__always)
    private static func difference(_ base: UnsafeRawPointer, _ record: UnsafeRawPointer, _ word: Int) -> UInt64 {
        (base.word(word &* 8) ^ record.word(word &* 16)) & record.word(word &* 16 &+ 8)
    }

    /// What two tables of half bytes leave possible.
    @inline(__always)
    private static func entries(_ tables: UnsafeRawPointer, _ byte: UInt8) -> UInt64 {
        tables.word(Int(byte & 15) &<< 3) & tables.word(128 &+ Int(byte &>> 4) &<< 3)
    }
}
