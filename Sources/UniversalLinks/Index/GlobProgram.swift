internal import AppSiteAssociation
internal import URLPatterns

/// A glob in the index's memory, and how it is compared.
///
/// | bytes | what |
/// |---|---|
/// | 0 | least length of a text |
/// | 4, 8 | lengths of the head and of the tail |
/// | 12 | number of chunks between, times two, plus one if there is a star |
/// | 16 | head, tail, then each chunk after its length (8 bytes): a word of bytes and a word of mask for each 8 bytes |
enum GlobProgram {
    static func write(_ glob: GlobPattern, into arena: inout Arena) -> Int {
        let chunks = [glob.head, glob.tail] + glob.middle
        let size = chunks.reduce(16) { $0 + words($1.count) * 16 } + glob.middle.count * 8
        let start = arena.reserve(size)
        arena.store(glob.minimumLength, at: start)
        arena.store(glob.head.count, at: start + 4)
        arena.store(glob.tail.count, at: start + 8)
        arena.store(glob.middle.count * 2 + (glob.hasStar ? 1 : 0), at: start + 12)
        var offset = start + 16
        for (number, chunk) in chunks.enumerated() {
            if number >= 2 {
                arena.store(chunk.count, at: offset)
                offset += 8
            }
            for word in 0..<words(chunk.count) {
                let range = (word * 8)..<min(word * 8 + 8, chunk.count)
                arena.store(packed(zip(chunk.bytes[range], chunk.mask[range]).map { $0 & $1 }), at: offset)
                arena.store(packed(Array(chunk.mask[range])), at: offset + 8)
                offset += 16
            }
        }
        return start
    }

    /// Whether the whole text matches, from an offset on; `end` is where it ends.
    static func matches(
        _ program: UnsafeRawPointer, _ base: UnsafeRawPointer, from start: Int, to end: Int, _ meter: some StepMeter
    ) -> Bool {
        if meter.isSpent { return false }
        let count = end &- start
        let minimum = program.int(0)
        let shape = program.int(12)
        guard count >= minimum, shape & 1 == 1 || count == minimum else { return false }
        let head = program.int(4)
        let tail = program.int(8)
        var words = program + 16
        guard equal(words, base + start, head, meter) else { return false }
        words += self.words(head) &* 16
        guard equal(words, base + (end &- tail), tail, meter) else { return false }
        words += self.words(tail) &* 16

        var position = start &+ head
        let limit = end &- tail
        var rest = shape &>> 1
        while rest > 0 {
            let length = words.int(0)
            words += 8
            guard let found = find(words, length, base, position, limit, meter) else { return false }
            position = found &+ length
            words += self.words(length) &* 16
            rest &-= 1
        }
        return true
    }

    /// The leftmost position of a chunk. The leftmost is enough, so that no earlier star is ever looked at again.
    private static func find(
        _ words: UnsafeRawPointer, _ length: Int, _ base: UnsafeRawPointer, _ start: Int, _ limit: Int,
        _ meter: some StepMeter
    ) -> Int? {
        var position = start
        let last = limit &- length
        let firstMask = Word.repeating(~words.byte(8))
        let first = Word.repeating(words.byte(0)) | firstMask
        let secondMask = Word.repeating(~words.byte(9))
        let second = Word.repeating(words.byte(1)) | secondMask
        while position <= last {
            meter.spend(2)
            // Where the first two bytes fit; a byte that may be anything always does.
            var hits = Word.equalBytes((base + position).word(0) | firstMask, first)
            hits &= Word.equalBytes((base + position).word(1) | secondMask, second)
            while hits != 0 {
                let hit = position &+ (hits.trailingZeroBitCount &>> 3)
                guard hit <= last else { return nil }
                if length <= 2 || equal(words, base + hit, length, meter) { return hit }
                hits &= hits &- 1
            }
            position &+= 8
        }
        return nil
    }

    @inline(__always)
    private static func equal(
        _ words: UnsafeRawPointer, _ text: UnsafeRawPointer, _ length: Int, _ meter: some StepMeter
    ) -> Bool {
        var words = words
        var text = text
        var rest = length
        while rest > 0 {
            meter.spend(1)
            if (text.word(0) ^ words.word(0)) & words.word(8) != 0 { return false }
            words += 16
            text += 8
            rest &-= 8
        }
        return true
    }

    @inline(__always)
    private static func words(_ count: Int) -> Int { (count &+ 7) &>> 3 }

    static func packed(_ bytes: [UInt8]) -> UInt64 {
        bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64($1.offset * 8) }
    }
}

/// A pattern of single bytes: literals, `?` for one byte, `*` for any run.
struct GlobPattern: Equatable {
    /// Bytes of which some may be anything.
    struct Chunk: Equatable {
        var bytes: [UInt8] = []
        /// 0xFF where the byte counts, 0 where any does.
        var mask: [UInt8] = []

        var count: Int { bytes.count }

        /// The literal bytes at a position, if there are as many in a row.
        func literal(at offset: Int, count: Int) -> [UInt8]? {
            guard offset >= 0, offset + count <= bytes.count else { return nil }
            let range = offset..<(offset + count)
            return mask[range].allSatisfy { $0 == 0xFF } ? Array(bytes[range]) : nil
        }
    }

    /// The chunks between the stars; one more than there are stars.
    private(set) var chunks: [Chunk]

    /// Nil if the pattern has other elements than these.
    init?(_ elements: some Sequence<PatternElement>) {
        var chunks = [Chunk()]
        for element in elements {
            switch element {
            case .byte(let byte):
                chunks[chunks.count - 1].bytes.append(byte)
                chunks[chunks.count - 1].mask.append(0xFF)
            case .anyCharacter:
                chunks[chunks.count - 1].bytes.append(0)
                chunks[chunks.count - 1].mask.append(0)
            case .anyRun:
                chunks.append(Chunk())
            case .segmentCharacter, .segmentRun, .character, .oneOf:
                return nil
            }
        }
        // Stars in a row are one star.
        let inner = chunks.count > 2 ? chunks[1..<(chunks.count - 1)].filter { $0.count > 0 } : []
        self.chunks = chunks.count > 1 ? [chunks[0]] + inner + [chunks[chunks.count - 1]] : chunks
    }

    var hasStar: Bool { chunks.count > 1 }
    var head: Chunk { chunks[0] }
    var tail: Chunk { hasStar ? chunks[chunks.count - 1] : Chunk() }
    /// The chunks with a star on both sides.
    var middle: ArraySlice<Chunk> { hasStar ? chunks[1..<(chunks.count - 1)] : [] }
    var minimumLength: Int { chunks.reduce(0) { $0 + $1.count } }
}
