internal import AppSiteAssociation
internal import URLPatterns

/// An index of up to 64 entries: which of them a few bytes of the path leave possible, as bits.
///
/// | bytes | what |
/// |---|---|
/// | 0 | number of entries |
/// | 4 | 1 if there are tables |
/// | 8 | the four offsets in the path that the tables are about (4 bytes each) |
/// | 64 | 32 words: the entries that a path of that length can match; the last is for all longer ones |
/// | 320 | for each offset two tables of 16 words: by the low and the high half of the byte there |
/// | 1344 | two such tables for the last byte |
/// | 1600 | a quick record of 104 bytes for each entry |
///
/// A quick record has the first 32 bytes, each word of 8 with its mask, then the last 8 with their mask; the least length
/// (80), the rule's key (84), flags (88), the group (92), and where the entry is (96), if there is more to be compared.
enum SmallPathIndex {
    static let maximumCount = 64
    static let header = 64
    static let lengths = 32
    static let offsetTables = 320
    static let lastTables = 1344
    static let records = 1600
    static let recordSize = 104
    /// The number of entries up to which comparing all records is quicker than the tables.
    static let countWithoutTables = 3

    enum Flags {
        /// There is no star: the length is exact.
        static let fixed: UInt32 = 1
        /// The head is longer than 16 bytes.
        static let longHead: UInt32 = 2
        /// The `/` after the path is compared too.
        static let parent: UInt32 = 4
    }

    static func write(_ entries: [PathEntry], percentEncoded: Bool, into arena: inout Arena) -> Int {
        let start = arena.reserve(records + entries.count * recordSize, alignment: 64)
        let globs = entries.map { quickGlob($0, percentEncoded: percentEncoded) }
        let offsets = chosenOffsets(globs)
        arena.store(entries.count, at: start)
        arena.store(entries.count > countWithoutTables ? 1 : 0, at: start + 4)
        for (number, offset) in offsets.enumerated() { arena.store(offset, at: start + 8 + number * 4) }

        var table = [UInt64](repeating: 0, count: (records - header) / 8)
        for (number, glob) in globs.enumerated() {
            let bit: UInt64 = 1 << UInt64(number)
            let parent = entries[number].form?.includesParent == true ? 1 : 0
            for length in 0..<lengths where canMatch(glob, length + parent, isLongest: length == lengths - 1) {
                table[length] |= bit
            }
            for (slot, offset) in offsets.enumerated() {
                mark(byte(glob, at: offset), bit, in: &table, at: (offsetTables - header) / 8 + slot * 32)
            }
            let last = parent == 0 ? lastByte(glob) : nil
            mark(last, bit, in: &table, at: (lastTables - header) / 8)
            let record = start + records + number * recordSize
            writeRecord(glob, entries[number], percentEncoded: percentEncoded, at: record, into: &arena)
        }
        for (number, word) in table.enumerated() { arena.store(word, at: start + header + number * 8) }
        return start
    }

    /// The glob that the tables and the record are made from; nil if nothing can be said before the entry is asked.
    private static func quickGlob(_ entry: PathEntry, percentEncoded: Bool) -> GlobPattern? {
        guard let form = entry.form else { return nil }
        guard percentEncoded || !form.elements.contains(.anyCharacter) else { return nil }
        return OpenDecisions.questionMarkMatchesSlash ? GlobPattern(form.elements) : nil
    }

    private static func canMatch(_ glob: GlobPattern?, _ length: Int, isLongest: Bool) -> Bool {
        guard let glob else { return true }
        if isLongest { return glob.hasStar || glob.minimumLength >= length }
        return glob.hasStar ? length >= glob.minimumLength : length == glob.minimumLength
    }

    /// The byte that must be at an offset; nil if any may.
    private static func byte(_ glob: GlobPattern?, at offset: Int) -> UInt8? {
        glob?.head.literal(at: offset, count: 1)?.first
    }

    private static func lastByte(_ glob: GlobPattern?) -> UInt8? {
        guard let glob else { return nil }
        let end = glob.hasStar ? glob.tail : glob.head
        return end.literal(at: end.count - 1, count: 1)?.first
    }

    private static func mark(_ byte: UInt8?, _ bit: UInt64, in table: inout [UInt64], at start: Int) {
        for half in 0..<16 {
            if byte.map({ Int($0 & 15) == half }) ?? true { table[start + half] |= bit }
            if byte.map({ Int($0 >> 4) == half }) ?? true { table[start + 16 + half] |= bit }
        }
    }

    /// The four offsets whose bytes tell most entries apart, chosen one after another.
    private static func chosenOffsets(_ globs: [GlobPattern?]) -> [Int] {
        let alike = (0..<24).map { offset in Self.alike(globs.map { byte($0, at: offset) }) }
        // For each entry those that could still match the same path.
        var rivals = [UInt64](repeating: ~0 >> UInt64(64 - globs.count), count: globs.count)
        var offsets: [Int] = []
        while offsets.count < 4 {
            let scores = alike.map { zip($0, rivals).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount } }
            let best = scores.indices.filter { !offsets.contains($0) }.min { scores[$0] < scores[$1] } ?? 0
            offsets.append(best)
            rivals = zip(alike[best], rivals).map { $0 & $1 }
        }
        return offsets
    }

    /// For each entry those that a byte does not tell apart from it; one that is free tells nothing apart.
    private static func alike(_ bytes: [UInt8?]) -> [UInt64] {
        var sets: [UInt8: UInt64] = [:]
        var free: UInt64 = 0
        for (number, byte) in bytes.enumerated() {
            let bit: UInt64 = 1 << UInt64(number)
            if let byte { sets[byte, default: 0] |= bit } else { free |= bit }
        }
        return bytes.map { byte in byte.map { free | sets[$0, default: 0] } ?? ~0 }
    }

    private static func writeRecord(
        _ glob: GlobPattern?, _ entry: PathEntry, percentEncoded: Bool, at offset: Int, into arena: inout Arena
    ) {
        var flags = entry.form?.includesParent == true ? Flags.parent : 0
        var isComplete = false
        if let glob {
            let head = min(glob.head.count, 32)
            for word in 0..<4 {
                let range = min(word * 8, head)..<min(word * 8 + 8, head)
                let mask = GlobProgram.packed(Array(glob.head.mask[range]))
                arena.store(GlobProgram.packed(Array(glob.head.bytes[range])) & mask, at: offset + word * 16)
                arena.store(mask, at: offset + word * 16 + 8)
            }
            let end = glob.hasStar ? glob.tail : glob.head
            let tail = min(end.count, 8)
            let free = [UInt8](repeating: 0, count: 8 - tail)
            let mask = GlobProgram.packed(free + end.mask.suffix(tail))
            arena.store(GlobProgram.packed(free + end.bytes.suffix(tail)) & mask, at: offset + 64)
            arena.store(mask, at: offset + 72)
            arena.store(glob.minimumLength, at: offset + 80)
            if !glob.hasStar { flags |= Flags.fixed }
            if head > 16 { flags |= Flags.longHead }
            let isShort = glob.hasStar ? glob.head.count <= 32 && glob.tail.count <= 8 : glob.head.count <= 40
            isComplete = isShort && glob.middle.isEmpty && entry.condition == 0
        }
        arena.store(entry.key.rawValue, at: offset + 84)
        arena.store(flags, at: offset + 88)
        arena.store(entry.group, at: offset + 92)
        guard !isComplete else { return }
        let entryRecord = EntryRecord.write([entry], percentEncoded: percentEncoded, into: &arena)
        arena.store(entryRecord, at: offset + 96)
    }
}

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
            possible &= entries(index + SmallPathIndex.offsetTables, base.byte(index.int(8)))
            possible &= entries(index + (SmallPathIndex.offsetTables &+ 256), base.byte(index.int(12)))
            possible &= entries(index + (SmallPathIndex.offsetTables &+ 512), base.byte(index.int(16)))
            possible &= entries(index + (SmallPathIndex.offsetTables &+ 768), base.byte(index.int(20)))
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
            if entry == 0 || EntryRecord.holds(request.memory + entry, text, &request, filter.meter) { return key }
        }
        return best
    }

    /// Where 8 bytes of a path differ from those of a record's head.
    @inline(__always)
    private static func difference(_ base: UnsafeRawPointer, _ record: UnsafeRawPointer, _ word: Int) -> UInt64 {
        (base.word(word &* 8) ^ record.word(word &* 16)) & record.word(word &* 16 &+ 8)
    }

    /// The entries that two tables of half bytes leave possible.
    @inline(__always)
    private static func entries(_ tables: UnsafeRawPointer, _ byte: UInt8) -> UInt64 {
        tables.word(Int(byte & 15) &<< 3) & tables.word(128 &+ Int(byte &>> 4) &<< 3)
    }
}
