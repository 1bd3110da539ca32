/// The search in a ``LargePathIndex``.
enum LargePathSearch {
    /// A segment of the path, while it is looked for.
    private struct Segment {
        let key: SegmentKey
        let start: Int
        /// The hash of the segment alone.
        let hash: UInt64
        /// The hash of the path from its beginning to here.
        let pathHash: UInt64
    }

    /// The number of segments that are hashed together; those after them come one by one.
    private static let capacity = LargePathIndex.maximumDepth

    @inline(__always)
    static func search(
        _ index: UnsafeRawPointer, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        var best = best
        if index.half(32) < best {
            best = searchList(request.memory + index.int(24), index.int(28), text, best, filter, &request)
        }
        best = searchSegments(index, text, best, filter, &request)
        best = searchLiterals(index, text, best, filter, &request)
        if index.half(44) < best {
            best = searchRest(request.memory + index.int(36), index.int(40), text, best, filter, &request)
        }
        return best
    }

    @inline(__always)
    private static func searchSegments(
        _ index: UnsafeRawPointer, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        withUnsafeTemporaryAllocation(of: Segment.self, capacity: capacity) { buffer in
            guard let segments = buffer.baseAddress else { return best }
            let seed = index.word(0)
            let table = gramTable(index, .segment)
            // All loads of the table depend on the path alone, so they overlap.
            var hash = PathHash(seed: seed)
            var scanner = SlashScanner(text)
            var start = 0
            var end = 0
            var count = 0
            while count < capacity {
                end = scanner.next()
                let key = SegmentKey(text.base + start, end &- start)
                let own = key.hash(text.base + start, seed)
                hash.add(own)
                (segments + count).initialize(to: Segment(key: key, start: start, hash: own, pathHash: hash.value))
                count &+= 1
                start = end &+ 1
                if end == text.count { break }
            }
            var best = walk(index, text, segments, min(count, index.int(16)), best, filter, &request)
            guard table.half(16) < best else { return best }
            var number = 1
            while number < count {
                best = probe(table, segments[number].hash, text, best, filter, &request)
                number &+= 1
            }
            while end < text.count {
                end = scanner.next()
                let key = SegmentKey(text.base + start, end &- start)
                best = probe(table, key.hash(text.base + start, seed), text, best, filter, &request)
                start = end &+ 1
            }
            return best
        }
    }

    /// Goes down the tree of segments as far as the path does.
    @inline(__always)
    private static func walk(
        _ index: UnsafeRawPointer, _ text: IndexText, _ segments: UnsafeMutablePointer<Segment>, _ count: Int,
        _ best: UInt32, _ filter: some RuleSelection, _ request: inout RoutingRequest
    ) -> UInt32 {
        let table = request.memory + index.int(8)
        let mask = index.int(12)
        let needsMore = index.int(48) == 1
        var best = best
        var parent: UInt32 = 0
        var number = 0
        while number < count {
            let segment = segments[number]
            let key = segment.key
            var slotNumber = Int(truncatingIfNeeded: segment.pathHash) & mask
            var slot = table + slotNumber &* SegmentTable.slotSize
            while true {
                let length = slot.half(20)
                if length == 0 { return best }
                let differs =
                    (slot.word(0) ^ key.head) | (slot.word(8) ^ key.tail)
                    | UInt64((slot.half(16) ^ parent) | (length ^ UInt32(truncatingIfNeeded: key.length &+ 1)))
                if differs == 0, key.length <= 16 || sameMiddle(slot, text.base + segment.start, key.length, request) {
                    break
                }
                slotNumber = (slotNumber &+ 1) & mask
                slot = table + slotNumber &* SegmentTable.slotSize
            }
            if slot.half(28) >= best { return best }
            let end = segment.start &+ key.length
            let isEnd = end == text.count
            if type(of: filter).isEverything {
                best = min(best, isEnd && needsMore ? RuleKey.none : slot.half(52))
                best = min(best, isEnd ? slot.half(48) : RuleKey.none)
                if slot.half(56) < best { best = searchSlot(slot, text, isEnd, needsMore, best, filter, &request) }
            } else {
                best = searchSlot(slot, text, isEnd, needsMore, best, filter, &request)
            }
            parent = UInt32(truncatingIfNeeded: slotNumber &+ 1)
            number &+= 1
        }
        return best
    }

    @inline(never)
    private static func sameMiddle(
        _ slot: UnsafeRawPointer, _ segment: UnsafeRawPointer, _ length: Int, _ request: RoutingRequest
    ) -> Bool {
        let stored = request.memory + slot.int(24)
        var offset = 8
        while offset < length &- 8 {
            if (stored.word(offset) ^ segment.word(offset)) & Word.mask(length &- offset) != 0 { return false }
            offset &+= 8
        }
        return true
    }

    /// Asks all entries of a slot.
    @inline(never)
    private static func searchSlot(
        _ slot: UnsafeRawPointer, _ text: IndexText, _ isEnd: Bool, _ needsMore: Bool, _ best: UInt32,
        _ filter: some RuleSelection, _ request: inout RoutingRequest
    ) -> UInt32 {
        var best = best
        let exact = request.memory + slot.int(32)
        let prefixes = exact + slot.int(36) &* EntryRecord.size
        let list = prefixes + slot.int(40) &* EntryRecord.size
        if isEnd { best = searchList(exact, slot.int(36), text, best, filter, &request) }
        if !(isEnd && needsMore) { best = searchList(prefixes, slot.int(40), text, best, filter, &request) }
        return searchList(list, slot.int(44), text, best, filter, &request)
    }

    /// The first entry of a list that holds, if it is better.
    @inline(never)
    private static func searchList(
        _ list: UnsafeRawPointer, _ count: Int, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        var entry = list
        var rest = count
        while rest > 0 {
            let key = entry.half(0)
            if key >= best { return best }
            if filter.allows(key, entry.int(4)), EntryRecord.holds(entry, text, &request, filter.meter) { return key }
            entry += EntryRecord.size
            rest &-= 1
        }
        return best
    }

    @inline(__always)
    private static func searchLiterals(
        _ index: UnsafeRawPointer, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        var best = best
        let base = text.base
        let count = text.count
        let seed = index.word(0)
        let tail = gramTable(index, .tail)
        if tail.half(16) < best, count >= 4 {
            let hash = GramKind.hash(UInt64(base.half(count &- 4)), seed)
            best = probe(tail, hash, text, best, filter, &request)
        }
        let head = gramTable(index, .head)
        if head.half(16) < best {
            best = probe(head, GramKind.hash(UInt64(base.half(0)), seed), text, best, filter, &request)
        }
        if gramTable(index, .segmentStart).half(16) < best || gramTable(index, .anywhere).half(16) < best {
            best = searchInside(index, text, best, filter, &request)
        }
        return best
    }

    /// The literals that are looked for at many offsets.
    @inline(never)
    private static func searchInside(
        _ index: UnsafeRawPointer, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        var best = best
        let base = text.base
        let seed = index.word(0)
        let starts = gramTable(index, .segmentStart)
        if starts.half(16) < best {
            var scanner = SlashScanner(text)
            var slash = scanner.next()
            while slash < text.count {
                let hash = GramKind.hash(UInt64(base.half(slash)), seed)
                best = probe(starts, hash, text, best, filter, &request)
                slash = scanner.next()
            }
        }
        let anywhere = gramTable(index, .anywhere)
        if anywhere.half(16) < best {
            var offset = 0
            while offset &+ 3 <= text.count {
                let hash = GramKind.hash(UInt64(base.half(offset)), seed)
                best = probe(anywhere, hash, text, best, filter, &request)
                offset &+= 1
            }
        }
        return best
    }

    @inline(__always)
    private static func gramTable(_ index: UnsafeRawPointer, _ kind: GramKind) -> UnsafeRawPointer {
        index + (LargePathIndex.grams &+ kind.rawValue &* GramTable.headerSize)
    }

    /// Asks the entries that contain a literal.
    @inline(__always)
    private static func probe(
        _ table: UnsafeRawPointer, _ hash: UInt64, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        guard table.half(16) < best else { return best }
        let bit = Int(truncatingIfNeeded: hash &>> 32) & table.int(12)
        let filterBits = (request.memory + table.int(8)).half((bit &>> 5) &<< 2)
        if filterBits &>> UInt32(bit & 31) & 1 == 0 { return best }
        return searchBucket(table, hash, text, best, filter, &request)
    }

    @inline(never)
    private static func searchBucket(
        _ table: UnsafeRawPointer, _ hash: UInt64, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        let mask = table.int(4)
        var slotNumber = Int(truncatingIfNeeded: hash) & mask
        while true {
            let bucket = request.memory + (table.int(0) &+ slotNumber &* GramTable.bucketSize)
            let list = bucket.int(8)
            if list == 0 { return best }
            if bucket.word(0) == hash {
                guard bucket.half(12) < best else { return best }
                let entries = request.memory + list
                return searchList(entries + 8, entries.int(0), text, best, filter, &request)
            }
            slotNumber = (slotNumber &+ 1) & mask
        }
    }

    @inline(never)
    private static func searchRest(
        _ list: UnsafeRawPointer, _ count: Int, _ text: IndexText, _ best: UInt32, _ filter: some RuleSelection,
        _ request: inout RoutingRequest
    ) -> UInt32 {
        let present = text.presentBytes
        var entry = list
        var rest = count
        while rest > 0 {
            let key = entry.half(0)
            if key >= best { return best }
            if entry.word(32) & ~present == 0, filter.allows(key, entry.int(4)),
                EntryRecord.holds(entry, text, &request, filter.meter)
            {
                return key
            }
            entry += EntryRecord.size
            rest &-= 1
        }
        return best
    }
}
