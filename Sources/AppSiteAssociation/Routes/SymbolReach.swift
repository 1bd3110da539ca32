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
