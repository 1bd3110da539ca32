/// The places in a text, read symbol by symbol, that a row of pieces can reach.
///
/// What ``Reach`` is for elements, in both directions. A piece costs no more than the length of the text, a variable that
/// many times its values.
struct SymbolReach {
    private let text: [UInt32]
    /// Whether text and pieces are read from their ends; places are counted from there, too.
    private let isBackward: Bool
    private(set) var places: PlaceSet

    init(_ text: [UInt32], from place: Int = 0, isBackward: Bool = false) {
        self.text = isBackward ? text.reversed() : text
        self.isBackward = isBackward
        places = PlaceSet(symbols: text.count)
        places.insert(place)
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
        case .label(let label): places.step { label.contains(text[$0]) }
        case .anyRun: places.extend { _ in true }
        case .segmentRun: places.extend { text[$0] != PatternSymbol.slash }
        case .oneOf(let values):
            var union = PlaceSet(symbols: text.count)
            for place in places.places where place < text.count {
                for word in values.plain where stands(word, at: place) { union.insert(place + word.count) }
            }
            for alternative in values.other {
                var reach = self
                reach.advance(alternative)
                union.formUnion(reach.places)
            }
            places = union
        }
    }

    private func stands(_ word: [UInt32], at place: Int) -> Bool {
        guard (isBackward ? word.last : word.first) == text[place] else { return false }
        let rest = text[place...]
        let backward: ReversedCollection<[UInt32]> = word.reversed()
        return isBackward ? rest.starts(with: backward) : rest.starts(with: word)
    }
}

/// A set of places in a text: before each symbol, and behind the last.
struct PlaceSet: Equatable {
    /// The last place, which is the number of symbols.
    private let last: Int
    /// A bit a place.
    private var words: [UInt64]

    init(symbols: Int) {
        last = symbols
        words = [UInt64](repeating: 0, count: symbols / 64 + 1)
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ place: Int) -> Bool {
        place >= 0 && place <= last && words[place / 64] >> UInt64(place % 64) & 1 == 1
    }

    mutating func insert(_ place: Int) {
        guard place >= 0, place <= last else { return }
        words[place / 64] |= 1 << UInt64(place % 64)
    }

    mutating func formUnion(_ other: PlaceSet) {
        for index in words.indices where index < other.words.count { words[index] |= other.words[index] }
    }

    /// The places, ascending.
    var places: [Int] {
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

    /// Moves each place behind the symbol there, if that is taken; the others are lost.
    mutating func step(_ isTaken: (Int) -> Bool) {
        // From the end on, so that what was moved is not moved again.
        for index in words.indices.reversed() {
            var rest = words[index]
            words[index] = 0
            while rest != 0 {
                let bit = 63 - rest.leadingZeroBitCount
                rest &= ~(1 << UInt64(bit))
                let place = index * 64 + bit
                if place < last, isTaken(place) { insert(place + 1) }
            }
        }
    }

    /// Adds the places behind each run of symbols that are taken, from each place on.
    mutating func extend(_ isTaken: (Int) -> Bool) {
        guard let first = words.firstIndex(where: { $0 != 0 }) else { return }
        var isRunning = false
        for place in (first * 64)...max(first * 64, last) {
            if contains(place) { isRunning = true } else if isRunning { insert(place) }
            if isRunning, place < last, !isTaken(place) { isRunning = false }
        }
    }
}

/// A part of a URL as a route compares it, symbol by symbol, and where each symbol stood.
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
