/// A set of symbols, of which some share a place.
struct SymbolMask {
    private var words: (UInt64, UInt64) = (0, 0)

    init() {}

    init(_ symbols: some Sequence<UInt32>) {
        for symbol in symbols {
            let bit: UInt64 = 1 << UInt64(symbol & 63)
            if symbol & 64 == 0 { words.0 |= bit } else { words.1 |= bit }
        }
    }

    static let full = SymbolMask(0..<128)

    func union(_ other: SymbolMask) -> SymbolMask {
        var result = self
        result.words.0 |= other.words.0
        result.words.1 |= other.words.1
        return result
    }

    /// False means that some symbol is not in the other set.
    func mayBeSubset(of other: SymbolMask) -> Bool {
        words.0 & ~other.words.0 == 0 && words.1 & ~other.words.1 == 0
    }
}
