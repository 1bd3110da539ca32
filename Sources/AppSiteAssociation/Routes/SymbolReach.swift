internal import BoundedText
internal import URLPatterns

/// The positions in a text, read symbol by symbol, that a row of pieces can reach.
///
/// The ``Reach`` of elements, in both directions. A piece costs no more than the length of the text, a variable that many
/// times its values.
struct SymbolReach {
    private let text: [UInt32]
    /// Whether text and pieces are read from their ends; positions are counted from there, too.
    private let isBackward: Bool
    private(set) var positions: PositionSet

    init(_ text: [UInt32], from position: Int = 0, isBackward: Bool = false) {
        self.text = isBackward ? text.reversed() : text
        self.isBackward = isBackward
        positions = PositionSet(symbols: text.count)
        positions.insert(position)
    }

    mutating func advance(_ pieces: [PatternPiece]) {
        if isBackward {
            for piece in pieces.reversed() { advance(piece) }
        } else {
            for piece in pieces { advance(piece) }
        }
    }

    private mutating func advance(_ piece: PatternPiece) {
        switch piece {
        case .label(let label): positions.step { label.contains(text[$0]) }
        case .anyRun: positions.extend { _ in true }
        case .segmentRun: positions.extend { text[$0] != PatternSymbol.slash }
        case .oneOf(let values):
            var union = PositionSet(symbols: text.count)
            for position in positions.positions where position < text.count {
                for word in values.plain where occurs(word, at: position) { union.insert(position + word.count) }
            }
            for alternative in values.other {
                var reach = self
                reach.advance(alternative)
                union.formUnion(reach.positions)
            }
            positions = union
        }
    }

    private func occurs(_ word: [UInt32], at position: Int) -> Bool {
        guard (isBackward ? word.last : word.first) == text[position] else { return false }
        let rest = text[position...]
        let backward: ReversedCollection<[UInt32]> = word.reversed()
        return isBackward ? rest.starts(with: backward) : rest.starts(with: word)
    }
}

/// A set of positions in a text: before each symbol, and after the last.
struct PositionSet: Equatable {
    /// The last position, which is the number of symbols.
    private let last: Int
    /// One bit per position.
    private var words: [UInt64]

    init(symbols: Int) {
        last = symbols
        words = [UInt64](repeating: 0, count: symbols / 64 + 1)
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ position: Int) -> Bool {
        position >= 0 && position <= last && words[position / 64] >> UInt64(position % 64) & 1 == 1
    }

    mutating func insert(_ position: Int) {
        guard position >= 0, position <= last else { return }
        words[position / 64] |= 1 << UInt64(position % 64)
    }

    mutating func formUnion(_ other: PositionSet) {
        for index in words.indices where index < other.words.count { words[index] |= other.words[index] }
    }

    /// The positions, ascending.
    var positions: [Int] {
        var result: [Int] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                result.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return result
    }

    /// Moves each position after the symbol there, if that is taken; the others are lost.
    mutating func step(_ isTaken: (Int) -> Bool) {
        // From the end on, so that what was moved is not moved again.
        for index in words.indices.reversed() {
            var rest = words[index]
            words[index] = 0
            while rest != 0 {
                let bit = 63 - rest.leadingZeroBitCount
                rest &= ~(1 << UInt64(bit))
                let position = index * 64 + bit
                if position < last, isTaken(position) { insert(position + 1) }
            }
        }
    }

    /// Adds the positions after each run of symbols that are taken, from each position on.
    mutating func extend(_ isTaken: (Int) -> Bool) {
        guard let first = words.firstIndex(where: { $0 != 0 }) else { return }
        var isRunning = false
        for position in (first * 64)...max(first * 64, last) {
            if contains(position) { isRunning = true } else if isRunning { insert(position) }
            if isRunning, position < last, !isTaken(position) { isRunning = false }
        }
    }
}

/// A part of a URL as a route compares it, symbol by symbol, and where each symbol was.
struct PreparedText {
    private let raw: [UInt8]
    /// The symbols of the text, decoded and folded as far as the comparison asks for that.
    private(set) var symbols: [UInt32]
    /// For each symbol the offset where it begins in the part of the URL; then where the last one ends.
    private var starts: [Int]

    init(_ raw: [UInt8], _ comparison: Comparison) {
        self.raw = raw
        guard !comparison.percentEncoded else {
            symbols = comparison.fold(raw).map(UInt32.init)
            starts = Array(0...raw.count)
            return
        }
        let decoded = DecodedText(raw)
        symbols = PatternSymbol.symbols(of: decoded.bytes, percentEncoded: false)
        starts = []
        starts.reserveCapacity(symbols.count + 1)
        decoded.bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                starts.append(decoded.starts[offset])
                offset += OpenDecisions.characterLength(bytes, at: offset, percentEncoded: false)
            }
        }
        starts.append(raw.count)
        // One symbol becomes one symbol, so they stay where they are.
        if !comparison.caseSensitive { symbols = symbols.map { $0 < PatternSymbol.strayByte ? Self.folded($0) : $0 } }
    }

    private static func folded(_ symbol: UInt32) -> UInt32 {
        OpenDecisions.foldsBeyondASCII(percentEncoded: false) || symbol < 0x80 ? CaseFolding.simple(symbol) : symbol
    }

    /// The text without the slashes at its ends, which do not count in a path.
    var withoutSlashesAtEnds: PreparedText {
        var result = self
        let leading = symbols.prefix { $0 == PatternSymbol.slash }.count
        result.symbols.removeFirst(leading)
        result.starts.removeFirst(leading)
        while result.symbols.last == PatternSymbol.slash {
            result.symbols.removeLast()
            result.starts.removeLast()
        }
        return result
    }

    /// The bytes of the URL that some of the symbols stand for.
    func raw(_ range: Range<Int>) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound < starts.count else { return [] }
        return Array(raw[starts[range.lowerBound]..<starts[range.upperBound]])
    }
}
