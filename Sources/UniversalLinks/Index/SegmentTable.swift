/// The hash table of segments: a slot, one cache line of 64 bytes, for each node.
///
/// | bytes | what |
/// |---|---|
/// | 0, 8 | the segment's first and last 8 bytes |
/// | 16 | the slot of the parent, plus one; 0 at the root |
/// | 20 | the segment's length, plus one; 0 if the slot is free |
/// | 24 | the segment's text |
/// | 28 | the lowest key here and below |
/// | 32 | where the entries are: exact ones, then prefixes, then the list |
/// | 36, 40, 44 | how many |
/// | 48, 52 | the lowest keys of an exact entry and of a prefix that hold without a further look |
/// | 56 | the lowest key of all other entries |
enum SegmentTable {
    static let slotSize = 64

    static func write(
        _ nodes: [SegmentNode], percentEncoded: Bool, seed: UInt64, keepsAll: Bool, into arena: inout Arena
    ) -> (table: Int, mask: Int) {
        var capacity = 4
        while capacity < nodes.count * 2 { capacity *= 2 }
        let table = arena.reserve(capacity * slotSize, alignment: slotSize)
        var slots: [Int] = []
        var hashes: [PathHash] = []
        var starts: [Int] = []
        for node in nodes {
            // A node comes after its parent, so that the parent's values are there.
            guard let (key, segmentHash) = SegmentKey.of(node.segment[...], seed) else { continue }
            var hash = node.parent.map { hashes[$0] } ?? PathHash(seed: seed)
            hash.add(segmentHash)
            var slot = Int(truncatingIfNeeded: hash.value) & (capacity - 1)
            while arena.isUsed(table + slot * slotSize) { slot = (slot + 1) & (capacity - 1) }
            let start = node.parent.map { starts[$0] + nodes[$0].segment.count + 1 } ?? 0
            hashes.append(hash)
            slots.append(slot)
            starts.append(start)
            let offset = table + slot * slotSize
            arena.store(key.head, at: offset)
            arena.store(key.tail, at: offset + 8)
            arena.store(node.parent.map { slots[$0] + 1 } ?? 0, at: offset + 16)
            arena.store(node.segment.count + 1, at: offset + 20)
            if node.segment.count > 16 { arena.store(arena.append(node.segment), at: offset + 24) }
            arena.store(node.lowest, at: offset + 28)
            let kept = keepsAll ? node : node.withoutUnconditional
            let restStart = start + node.segment.count + 1
            writeEntries(kept, restStart: restStart, percentEncoded: percentEncoded, at: offset, &arena)
            arena.store(lowest(node.exact.filter { $0.condition == 0 }), at: offset + 48)
            arena.store(lowest(node.prefix.filter { $0.condition == 0 }), at: offset + 52)
        }
        return (table, capacity - 1)
    }

    private static func lowest(_ entries: [PathEntry]) -> UInt32 { entries.first?.key.rawValue ?? RuleKey.none }

    private static func writeEntries(
        _ node: SegmentNode, restStart: Int, percentEncoded: Bool, at offset: Int, _ arena: inout Arena
    ) {
        let exact = node.exact.count
        // Of exact entries and prefixes nothing is left to compare: the slot says it all.
        let entries = (node.exact + node.prefix).map { ($0, Int?.none) } + node.list.map { ($0, restStart) }
        let list = EntryRecord.write(entries, percentEncoded: percentEncoded, into: &arena)
        arena.store(list, at: offset + 32)
        arena.store(exact, at: offset + 36)
        arena.store(node.prefix.count, at: offset + 40)
        arena.store(node.list.count, at: offset + 44)
        let conditional = (node.exact + node.prefix).filter { $0.condition != 0 }
        arena.store(min(lowest(node.list), conditional.map(\.key.rawValue).min() ?? RuleKey.none), at: offset + 56)
    }
}

extension SegmentNode {
    /// The node without the entries that the slot's lowest keys stand for, if only all rules are asked for.
    fileprivate var withoutUnconditional: SegmentNode {
        var result = self
        result.exact = exact.filter { $0.condition != 0 }
        result.prefix = prefix.filter { $0.condition != 0 }
        return result
    }
}

extension Arena {
    fileprivate func isUsed(_ slot: Int) -> Bool { bytes[(slot + 20)..<(slot + 24)].contains { $0 != 0 } }
}

/// The part of a segment that is compared at once: its first and last 8 bytes and its length.
struct SegmentKey {
    let head: UInt64
    /// 0 unless the segment is longer than the head.
    let tail: UInt64
    let length: Int

    /// `base` may be read 8 bytes before the segment and after it.
    @inline(__always)
    init(_ base: UnsafeRawPointer, _ length: Int) {
        self.length = length
        head = base.word(0) & Word.mask(length)
        tail = base.word(length &- 8) & UInt64(bitPattern: Int64((8 &- length) &>> 63))
    }

    /// The key and the hash of a segment, while an index is built.
    static func of(_ segment: ArraySlice<UInt8>, _ seed: UInt64) -> (key: SegmentKey, hash: UInt64)? {
        let padding = [UInt8](repeating: 0, count: 16)
        return (padding + segment + padding).withUnsafeBytes { bytes in
            bytes.baseAddress.map { base in
                let key = SegmentKey(base + 16, segment.count)
                return (key, key.hash(base + 16, seed))
            }
        }
    }

    /// The hash of the segment alone, of all its bytes. Up to 24 of them without a branch.
    @inline(__always)
    func hash(_ base: UnsafeRawPointer, _ seed: UInt64) -> UInt64 {
        let middle = base.word(8) & UInt64(bitPattern: Int64((16 &- length) &>> 63))
        let hash = Word.mix(head ^ seed ^ middle &* (seed | 1), tail ^ UInt64(truncatingIfNeeded: length))
        return length > 24 ? withRest(base, hash) : hash
    }

    @inline(never)
    private func withRest(_ base: UnsafeRawPointer, _ hash: UInt64) -> UInt64 {
        var hash = hash
        var offset = 16
        while offset < length &- 8 {
            hash = Word.mix(hash, base.word(offset))
            offset &+= 8
        }
        return hash
    }
}

/// The running hash of a path, segment by segment.
struct PathHash {
    private(set) var value: UInt64

    @inline(__always)
    init(seed: UInt64) {
        value = seed
    }

    @inline(__always)
    mutating func add(_ segment: UInt64) {
        value = (value &<< 5 | value &>> 59) ^ segment
        value = value &* 0x9E37_79B9_7F4A_7C15
        value ^= value &>> 32
    }
}
