/// The places in a text, read symbol by symbol, that a row of pieces can reach.
///
/// What ``Reach`` is for elements. A piece costs no more than the length of the text, a variable that many times its values.
struct SymbolReach {
    private let text: [UInt32]
    private(set) var places: PlaceSet

    init(_ text: [UInt32], from place: Int) {
        self.text = text
        places = PlaceSet(symbols: text.count)
        places.insert(place)
    }

    mutating func advance(_ piece: PatternPiece) {
        switch piece {
        case .label(let label): places.step { label.contains(text[$0]) }
        case .anyRun: places.extend { _ in true }
        case .segmentRun: places.extend { text[$0] != PatternSymbol.slash }
        case .oneOf(let plain, let other):
            var union = PlaceSet(symbols: text.count)
            for place in places.places {
                guard let first = text[place...].first else { continue }
                for word in plain where word.first == first && text[place...].starts(with: word) {
                    union.insert(place + word.count)
                }
            }
            for alternative in other {
                var reach = self
                for piece in alternative { reach.advance(piece) }
                union.formUnion(reach.places)
            }
            places = union
        }
    }
}
