/// Columns of a source text in Unicode code points, where `SourcePosition` counts bytes.
///
/// A byte that is no UTF-8 counts as one character, as most readers put a replacement in its place.
struct CharacterColumns {
    private let bytes: [UInt8]
    private let isASCII: Bool
    /// The offsets of the first character, of the one `step` behind it, and so on: a line may be as long as the file, and have
    /// thousands of findings.
    private let marks: [Int]
    private static let step = 64

    init(_ source: SourceText) {
        bytes = source.bytes
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        marks = isASCII ? [] : Self.marks(bytes)
    }

    /// The column of a position, counted from 1.
    func column(_ position: SourcePosition) -> Int {
        guard !isASCII else { return position.column }
        return count(before: position.offset) - count(before: position.offset - position.column + 1) + 1
    }

    /// How many characters begin before an offset.
    private func count(before offset: Int) -> Int {
        var low = 0
        var high = marks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle] <= offset { low = middle } else { high = middle }
        }
        guard low < marks.count else { return 0 }
        var count = low * Self.step
        var walk = CharacterWalk(bytes, from: marks[low])
        while walk.offset < offset, walk.advance() { count += 1 }
        return count
    }

    private static func marks(_ bytes: [UInt8]) -> [Int] {
        var marks: [Int] = []
        var walk = CharacterWalk(bytes, from: 0)
        var count = 0
        repeat {
            if count % step == 0 { marks.append(walk.offset) }
            count += 1
        } while walk.advance()
        return marks
    }
}

/// A walk over the characters of UTF-8 bytes; a byte that is none counts as one.
private struct CharacterWalk {
    private(set) var offset: Int
    private var iterator: ArraySlice<UInt8>.Iterator
    private var parser = Unicode.UTF8.ForwardParser()
    private var bad = 0

    init(_ bytes: [UInt8], from start: Int) {
        offset = start
        iterator = bytes[start...].makeIterator()
    }

    /// Goes behind the next character; false at the end.
    mutating func advance() -> Bool {
        if bad == 0 {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return false
            case .valid(let encoded):
                offset += encoded.count
                return true
            case .error(let length): bad = length
            }
        }
        bad -= 1
        offset += 1
        return true
    }
}
