/// A list of up to 64 components as they are compared with paths of plain ASCII, in which a byte is a unit: immutable memory.
///
/// Two words of a path, each of eight bytes and at the offset where it tells most components apart, leave few of them
/// possible.
struct PlainPathRules {
    /// The number of bytes of a path that are looked at, whatever its length.
    private static let reach = 32

    /// The eight bytes at an offset that a component demands; those that may be anything are zero, in the mask, too.
    private struct Word {
        let bytes: UInt64
        let mask: UInt64

        /// - Parameter head: The units at the beginning of a path; nil for those that may be anything. In plain text there are
        ///   none beyond ASCII, so what is demanded in their place is a byte that is not there either.
        init(_ head: [UInt16?], at offset: Int) {
            var (bytes, mask): (UInt64, UInt64) = (0, 0)
            for lane in 0..<8 where offset + lane < head.count {
                guard let unit = head[offset + lane] else { continue }
                bytes |= UInt64(unit < 0x80 ? unit : 0xFF) << UInt64(8 * lane)
                mask |= 0xFF << UInt64(8 * lane)
            }
            (self.bytes, self.mask) = (bytes, mask)
        }

        /// Whether no text has the bytes of both.
        func isApart(from other: Word) -> Bool { (bytes ^ other.bytes) & mask & other.mask != 0 }
    }

    /// The part of a path that has to be compared if two of its words are right.
    fileprivate enum Form {
        /// The head, and nothing may be behind it.
        case whole
        /// The head, behind which may be anything.
        case beginning
        /// More than the head.
        case other
    }

    private struct Record {
        let first: Word
        let second: Word
        /// Where the words of the head are, and how many bytes it has.
        let head: Int
        let count: Int
        let form: Form
    }

    private let count: Int
    private let offsets: (Int, Int)
    // Written once, by `init`, and only read until `deallocate`.
    private let records: UnsafeMutablePointer<Record>
    private let heads: UnsafeMutablePointer<Word>

    init(_ components: [DynamicComponent]) {
        let heads = components.map(\.head)
        let words = (0..<Self.reach).map { offset in heads.map { Word($0, at: offset) } }
        let first = Self.best(words) { _, _ in false }
        let second = Self.best(words) { words[first][$0].isApart(from: words[first][$1]) }
        count = components.count
        offsets = (first, second)
        records = .allocate(capacity: max(1, count))
        var all: [Word] = []
        for (number, component) in components.enumerated() {
            (records + number).initialize(
                to: Record(
                    first: words[first][number], second: words[second][number], head: all.count,
                    count: heads[number].count, form: component.plainForm(behind: heads[number].count)))
            all += stride(from: 0, to: heads[number].count, by: 8).map { Word(heads[number], at: $0) }
        }
        self.heads = .allocate(capacity: max(1, all.count))
        self.heads.initialize(from: all, count: all.count)
    }

    /// A bit for each component.
    var all: UInt64 { count == 0 ? 0 : .max &>> UInt64(truncatingIfNeeded: 64 &- count) }

    func deallocate() {
        records.deallocate()
        heads.deallocate()
    }

    /// The index of the words that tell most pairs apart, of those that are not told apart yet.
    private static func best(_ candidates: [[Word]], _ areApart: (Int, Int) -> Bool) -> Int {
        let scores = candidates.map { words in
            words.indices.reduce(0) { score, number in
                score + (0..<number).count { words[$0].isApart(from: words[number]) && !areApart($0, number) }
            }
        }
        return scores.indices.max { (scores[$0], $1) < (scores[$1], $0) } ?? 0
    }

    /// The components that can match a path, as bits.
    @inline(__always)
    func possible(_ path: PlainPath) -> UInt64 {
        let (one, other) = (path.word(offsets.0), path.word(offsets.1))
        var possible: UInt64 = 0
        for number in 0..<count {
            let first = records[number].first
            let second = records[number].second
            let difference = (one ^ first.bytes) & first.mask | (other ^ second.bytes) & second.mask
            possible |= (difference == 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: number)
        }
        return possible
    }

    /// Whether a component matches a path; nil if its head does not tell.
    @inline(__always)
    func matches(_ number: Int, _ path: PlainPath) -> Bool? {
        let record = records + number
        let count = record.pointee.count
        switch record.pointee.form {
        case .whole: guard path.count == count else { return false }
        case .beginning: guard path.count >= count else { return false }
        case .other: return nil
        }
        var word = UnsafePointer(heads + record.pointee.head)
        var difference: UInt64 = 0
        var offset = 0
        while offset < count {
            difference |= (path.word(offset) ^ word.pointee.bytes) & word.pointee.mask
            word += 1
            offset &+= 8
        }
        return difference == 0
    }
}

extension DynamicComponent {
    /// The units that its paths begin with; nil for those that may be anything.
    fileprivate var head: [UInt16?] {
        var head: [UInt16?] = []
        for step in path?.steps ?? [] {
            switch step {
            case .unit(let unit): head.append(unit)
            case .any: head.append(nil)
            case .skip, .rest: return head
            }
        }
        return head
    }

    /// - Parameter head: The number of units in the head.
    fileprivate func plainForm(behind head: Int) -> PlainPathRules.Form {
        guard let path, query.isEmpty, fragment == nil else { return .other }
        let rest = path.steps.dropFirst(head)
        return rest.isEmpty ? .whole : rest.elementsEqual([.rest]) ? .beginning : .other
    }
}
