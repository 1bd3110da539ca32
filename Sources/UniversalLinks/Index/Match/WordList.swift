internal import AppSiteAssociation

/// A list of literal words in the index's memory, such as the ISO codes of regions.
///
/// | bytes | what |
/// |---|---|
/// | 0 | number of lengths |
/// | 4 | then for each length: the length, how many words, where they are, sorted (12 bytes) |
enum WordList {
    /// Writes a list, unless it has been written before.
    static func write(_ words: [[PatternElement]], into arena: inout Arena) -> Int {
        let storage = words.withUnsafeBytes { $0.baseAddress }
        if let storage, let written = arena.wordLists[storage] { return written }
        let place = writeAnew(words, into: &arena)
        if let storage { arena.wordLists[storage] = place }
        return place
    }

    private static func writeAnew(_ words: [[PatternElement]], into arena: inout Arena) -> Int {
        let distinct = Set(words.map { word in word.compactMap { if case .byte(let byte) = $0 { byte } else { nil } } })
        let groups = Dictionary(grouping: distinct, by: \.count).sorted { $0.key < $1.key }
        let start = arena.reserve(4 + groups.count * 12)
        arena.store(groups.count, at: start)
        for (number, group) in groups.enumerated() {
            let sorted = group.value.sorted { $0.lexicographicallyPrecedes($1) }
            arena.store(group.key, at: start + 4 + number * 12)
            arena.store(sorted.count, at: start + 8 + number * 12)
            arena.store(arena.append(sorted.flatMap { $0 }), at: start + 12 + number * 12)
        }
        return start
    }

    /// Marks where the words that begin the text end; false if none does.
    static func match(
        _ list: UnsafeRawPointer, _ memory: UnsafeRawPointer, _ text: UnsafeRawPointer, _ count: Int, _ offset: Int,
        _ places: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        var matched = false
        var group = 0
        let groups = list.int(0)
        while group < groups {
            let entry = list + (4 &+ group &* 12)
            let length = entry.int(0)
            if length <= count, contains(memory + entry.int(8), entry.int(4), text, length) {
                let place = offset &+ length
                places[place &>> 6] |= 1 &<< UInt64(place & 63)
                matched = true
            }
            group &+= 1
        }
        return matched
    }

    private static func contains(_ words: UnsafeRawPointer, _ count: Int, _ text: UnsafeRawPointer, _ length: Int)
        -> Bool
    {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            let order = compare(words + middle &* length, text, length)
            if order == 0 { return true }
            if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return false
    }

    private static func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ length: Int) -> Int {
        var offset = 0
        while offset < length {
            let difference = Int(a.byte(offset)) &- Int(b.byte(offset))
            if difference != 0 { return difference }
            offset &+= 1
        }
        return 0
    }
}
