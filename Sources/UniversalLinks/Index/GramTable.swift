/// The ways in which a literal of a pattern is looked for in a path.
enum GramKind: Int, CaseIterable {
    /// The last 4 bytes.
    case tail
    /// The first 4 bytes.
    case head
    /// A whole segment, not the first of the path.
    case segment
    /// 4 bytes from a slash on.
    case segmentStart
    /// Any 4 bytes. This costs a look for each byte of a path, so it is the last choice.
    case anywhere

    struct Literal: Hashable {
        let kind: GramKind
        /// Its seeded hash. Another literal may have the same, and costs a look: patterns are compared in full.
        let hash: UInt64
    }

    /// The hash that is looked up for 4 bytes.
    @inline(__always)
    static func hash(_ bytes: UInt64, _ seed: UInt64) -> UInt64 { Word.mix(bytes, seed) }

    /// All literals by which an entry can be found.
    static func literals(of entry: PathEntry, seed: UInt64) -> [Literal] {
        entry.literalRuns.flatMap { run in
            var result: [Literal] = []
            let bytes = run.bytes
            func literal(_ kind: GramKind, _ start: Int, _ count: Int) {
                guard start >= 0, start + count <= bytes.count else { return }
                let packed = GlobProgram.packed(Array(bytes[start..<(start + count)]))
                result.append(Literal(kind: kind, hash: hash(packed, seed)))
            }
            if run.isAtEnd { literal(.tail, bytes.count - 4, 4) }
            if run.isAtStart { literal(.head, 0, 4) }
            let slashes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
            for slash in slashes { literal(.segmentStart, slash, 4) }
            for (slash, next) in zip(slashes, slashes.dropFirst() + (run.isAtEnd ? [bytes.count] : [])) {
                result.append(Literal(kind: .segment, hash: SegmentKey.of(bytes[(slash + 1)..<next], seed)?.hash ?? 0))
            }
            if bytes.count >= 4 { for start in 0...(bytes.count - 4) { literal(.anywhere, start, 4) } }
            return result
        }
    }
}

/// A hash table from literals to the entries that contain them.
///
/// The header has 32 bytes: table and its mask (0, 4), the filter and its mask in bits (8, 12), the lowest key (16). A
/// bucket has 16: the hash of the literal, where its entries are after their number, their lowest key.
enum GramTable {
    static let headerSize = 32
    static let bucketSize = 16

    /// Chooses for each entry the literal that the fewest others have, but of a dearer kind only if there is no other; the
    /// entries without any are the rest.
    static func choose(_ entries: [PathEntry], seed: UInt64) -> ([GramKind: [UInt64: [PathEntry]]], rest: [PathEntry]) {
        var frequency: [GramKind.Literal: Int] = [:]
        let literals = entries.map { Set(GramKind.literals(of: $0, seed: seed)) }
        for literal in literals.joined() { frequency[literal, default: 0] += 1 }
        var chosen: [GramKind: [UInt64: [PathEntry]]] = [:]
        var rest: [PathEntry] = []
        for (entry, candidates) in zip(entries, literals) {
            let best = candidates.min { cost($0, frequency) < cost($1, frequency) }
            if let best {
                chosen[best.kind, default: [:]][best.hash, default: []].append(entry)
            } else {
                rest.append(entry)
            }
        }
        return (chosen, rest)
    }

    private static func cost(_ literal: GramKind.Literal, _ frequency: [GramKind.Literal: Int]) -> (
        Int, Int, Int, UInt64
    ) {
        (max(literal.kind.rawValue - 2, 0), frequency[literal] ?? 0, literal.kind.rawValue, literal.hash)
    }

    static func write(
        _ literals: [UInt64: [PathEntry]], percentEncoded: Bool, at header: Int, into arena: inout Arena
    ) {
        let lowest = literals.values.compactMap { $0.first?.key.rawValue }.min()
        arena.store(lowest ?? RuleKey.none, at: header + 16)
        guard lowest != nil else { return }
        var capacity = 4
        while capacity < literals.count * 2 { capacity *= 2 }
        let filterBits = max(512, capacity * 8)
        let table = arena.reserve(capacity * bucketSize, alignment: 64)
        let filter = arena.reserve(filterBits / 8, alignment: 64)
        arena.store(table, at: header)
        arena.store(capacity - 1, at: header + 4)
        arena.store(filter, at: header + 8)
        arena.store(filterBits - 1, at: header + 12)
        for (hash, entries) in literals.sorted(by: { $0.key < $1.key }) {
            var bucket = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while arena.half(table + bucket * bucketSize + 8) != 0 { bucket = (bucket + 1) & (capacity - 1) }
            let list = arena.reserve(8)
            _ = EntryRecord.write(entries, percentEncoded: percentEncoded, into: &arena)
            arena.store(entries.count, at: list)
            arena.store(hash, at: table + bucket * bucketSize)
            arena.store(list, at: table + bucket * bucketSize + 8)
            arena.store(entries.first?.key.rawValue ?? RuleKey.none, at: table + bucket * bucketSize + 12)
            let bit = Int(truncatingIfNeeded: hash &>> 32) & (filterBits - 1)
            arena.setBit(bit, at: filter)
        }
    }
}

extension Arena {
    fileprivate func half(_ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    fileprivate mutating func setBit(_ bit: Int, at offset: Int) {
        let word = offset + bit / 32 * 4
        store(half(word) | 1 << UInt32(bit & 31), at: word)
    }
}
