internal import AppSiteAssociation
internal import BoundedText
internal import URLPatterns

/// A pattern with elements that a glob has not: sets of characters, lists of words, `?` for a Unicode scalar.
///
/// Each element is 8 bytes: what it is, and its operand. It is compared by the set of positions that it can reach, as bits
/// over the text, so its time is the length of the text times that of the pattern.
enum ElementProgram {
    private enum Kind {
        static let end: UInt32 = 0
        static let byte: UInt32 = 1
        static let anyByte: UInt32 = 2
        static let anyScalar: UInt32 = 3
        static let anyRun: UInt32 = 4
        static let character: UInt32 = 5
        static let words: UInt32 = 6
        static let anyScalarRun: UInt32 = 7
        static let segmentByte: UInt32 = 8
        static let segmentScalar: UInt32 = 9
        static let segmentRun: UInt32 = 10
        static let segmentScalarRun: UInt32 = 11
    }

    static func write(_ elements: [PatternElement], percentEncoded: Bool, into arena: inout Arena) -> Int {
        let start = arena.reserve((elements.count + 1) * 8)
        for (number, element) in elements.enumerated() {
            let (kind, operand): (UInt32, Int) =
                switch element {
                case .byte(let byte): (Kind.byte, Int(byte))
                case .anyCharacter: (percentEncoded ? Kind.anyByte : Kind.anyScalar, 0)
                case .anyRun: (percentEncoded ? Kind.anyRun : Kind.anyScalarRun, 0)
                case .segmentCharacter: (percentEncoded ? Kind.segmentByte : Kind.segmentScalar, 0)
                case .segmentRun: (percentEncoded ? Kind.segmentRun : Kind.segmentScalarRun, 0)
                case .character(let set): (Kind.character, write(set, into: &arena))
                case .oneOf(let words): (Kind.words, WordList.write(words, into: &arena))
                }
            arena.store(kind, at: start + number * 8)
            arena.store(operand, at: start + number * 8 + 4)
        }
        return start
    }

    private static func write(_ set: ByteSet, into arena: inout Arena) -> Int {
        let start = arena.reserve(32)
        arena.store(set.words.0, at: start)
        arena.store(set.words.1, at: start + 8)
        arena.store(set.words.2, at: start + 16)
        arena.store(set.words.3, at: start + 24)
        return start
    }

    /// Whether the text from one offset to another matches. `memory` is the index's, to which operands refer.
    static func matches(
        _ program: UnsafeRawPointer, _ memory: UnsafeRawPointer, _ base: UnsafeRawPointer, from start: Int, to end: Int,
        _ meter: some StepMeter
    ) -> Bool {
        guard end >= start else { return false }
        let words = (end &- start) &>> 6 &+ 1
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words &* 2) { positions in
            positions.initialize(repeating: 0)
            guard let first = positions.baseAddress else { return false }
            return run(program, memory, base + start, end &- start, first, first + words, words, meter)
        }
    }

    private static func run(
        _ program: UnsafeRawPointer, _ memory: UnsafeRawPointer, _ text: UnsafeRawPointer, _ count: Int,
        _ one: UnsafeMutablePointer<UInt64>, _ other: UnsafeMutablePointer<UInt64>, _ words: Int,
        _ meter: some StepMeter
    ) -> Bool {
        var positions = one
        var next = other
        var element = program
        positions[0] = 1
        while true {
            let kind = element.half(0)
            let operand = element.int(4)
            element += 8
            meter.spend(2 &+ words)
            if meter.isSpent { return false }
            if kind == Kind.end { return positions[count &>> 6] &>> UInt64(count & 63) & 1 == 1 }
            if kind == Kind.anyRun {
                guard fillUp(positions, words) else { return false }
                continue
            }
            if kind == Kind.anyScalarRun {
                meter.spend(count)
                guard fillUpScalars(positions, words, text, count) else { return false }
                continue
            }
            if kind >= Kind.segmentRun {
                let isScalars = kind == Kind.segmentScalarRun
                meter.spend(2 &* count)
                guard fillUpSegments(positions, words, text, count, isScalars: isScalars) else { return false }
                continue
            }
            next.update(repeating: 0, count: words)
            var reached = false
            var word = 0
            while word < words {
                var bits = positions[word]
                meter.spend(2 &* bits.nonzeroBitCount)
                while bits != 0 {
                    let offset = word &<< 6 &+ bits.trailingZeroBitCount
                    bits &= bits &- 1
                    if kind == Kind.words {
                        let list = memory + operand
                        if WordList.match(list, memory, text + offset, count &- offset, offset, next, meter) {
                            reached = true
                        }
                        continue
                    }
                    if offset >= count { continue }
                    let length = length(kind, operand, memory, text + offset, count &- offset)
                    if length > 0 {
                        let position = offset &+ length
                        next[position &>> 6] |= 1 &<< UInt64(position & 63)
                        reached = true
                    }
                }
                word &+= 1
            }
            guard reached else { return false }
            swap(&positions, &next)
        }
    }

    /// The number of bytes that an element takes at the beginning of a text that is not empty; 0 if it does not match
    /// there.
    @inline(__always)
    private static func length(
        _ kind: UInt32, _ operand: Int, _ memory: UnsafeRawPointer, _ text: UnsafeRawPointer, _ count: Int
    ) -> Int {
        let byte = text.byte(0)
        switch kind {
        case Kind.byte:
            return Int(byte) == operand ? 1 : 0
        case Kind.anyByte:
            return 1
        case Kind.anyScalar:
            return UTF8Scalars.length(UnsafeRawBufferPointer(start: text, count: count), at: 0)
        case Kind.segmentByte:
            return byte == UInt8(ascii: "/") ? 0 : 1
        case Kind.segmentScalar:
            guard byte != UInt8(ascii: "/") else { return 0 }
            return UTF8Scalars.length(UnsafeRawBufferPointer(start: text, count: count), at: 0)
        default:
            let word = (memory + operand).word(Int(byte &>> 6) &<< 3)
            return word &>> UInt64(byte & 63) & 1 == 1 ? 1 : 0
        }
    }

    /// From the first position on, all beginnings of scalars are reached, and the end; false if there is none.
    private static func fillUpScalars(
        _ positions: UnsafeMutablePointer<UInt64>, _ words: Int, _ text: UnsafeRawPointer, _ count: Int
    ) -> Bool {
        var word = 0
        while positions[word] == 0 {
            word &+= 1
            if word == words { return false }
        }
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        var offset = word &<< 6 &+ positions[word].trailingZeroBitCount
        while offset <= count {
            positions[offset &>> 6] |= 1 &<< UInt64(offset & 63)
            offset &+= offset < count ? UTF8Scalars.length(bytes, at: offset) : 1
        }
        return true
    }

    /// From each position on, all up to the next slash are reached, or the beginnings of scalars there; false if there is none.
    private static func fillUpSegments(
        _ positions: UnsafeMutablePointer<UInt64>, _ words: Int, _ text: UnsafeRawPointer, _ count: Int, isScalars: Bool
    ) -> Bool {
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        var reached = false
        var isFilling = false
        var offset = 0
        while offset <= count {
            let bit: UInt64 = 1 &<< UInt64(offset & 63)
            if positions[offset &>> 6] & bit != 0 { isFilling = true }
            if isFilling {
                positions[offset &>> 6] |= bit
                reached = true
            }
            if offset < count, bytes[offset] == UInt8(ascii: "/") { isFilling = false }
            offset &+= isFilling && isScalars && offset < count ? UTF8Scalars.length(bytes, at: offset) : 1
        }
        return reached
    }

    /// From the first position on, all are reached; false if there is none.
    private static func fillUp(_ positions: UnsafeMutablePointer<UInt64>, _ words: Int) -> Bool {
        var word = 0
        while positions[word] == 0 {
            word &+= 1
            if word == words { return false }
        }
        positions[word] = ~0 &<< UInt64(positions[word].trailingZeroBitCount)
        word &+= 1
        while word < words {
            positions[word] = ~0
            word &+= 1
        }
        return true
    }
}

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
        let list = writeList(words, into: &arena)
        if let storage { arena.wordLists[storage] = list }
        return list
    }

    private static func writeList(_ words: [[PatternElement]], into arena: inout Arena) -> Int {
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
        _ positions: UnsafeMutablePointer<UInt64>, _ meter: some StepMeter
    ) -> Bool {
        var matched = false
        var group = 0
        let groups = list.int(0)
        while group < groups {
            let entry = list + (4 &+ group &* 12)
            let length = entry.int(0)
            if length <= count, contains(memory + entry.int(8), entry.int(4), text, length, meter) {
                let position = offset &+ length
                positions[position &>> 6] |= 1 &<< UInt64(position & 63)
                matched = true
            }
            group &+= 1
        }
        return matched
    }

    private static func contains(
        _ words: UnsafeRawPointer, _ count: Int, _ text: UnsafeRawPointer, _ length: Int, _ meter: some StepMeter
    ) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            let order = compare(words + middle &* length, text, length, meter)
            if order == 0 { return true }
            if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return false
    }

    private static func compare(
        _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ length: Int, _ meter: some StepMeter
    ) -> Int {
        var offset = 0
        defer { meter.spend(2 &+ offset) }
        while offset < length {
            let difference = Int(a.byte(offset)) &- Int(b.byte(offset))
            if difference != 0 { return difference }
            offset &+= 1
        }
        return 0
    }
}
