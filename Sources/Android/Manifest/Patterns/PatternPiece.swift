internal import URLPatterns

/// A part of a pattern that takes characters of a set, some number of times.
struct PatternPiece {
    let units: UnitSet
    let least: Int
    let most: Int

    init(_ units: UnitSet, _ least: Int = 1, _ most: Int = 1) {
        (self.units, self.least, self.most) = (units, least, most)
    }
}

extension UnitSet {
    /// All characters but one of ASCII.
    static func except(_ unit: UInt16) -> UnitSet { every.subtracting(.one(unit)) ?? every }
}

extension TextPattern {
    /// All texts that the pattern would match if its runs gave characters back where that helps, as a reader of it expects;
    /// nil where ``automaton()`` has none, or if this one is too large.
    ///
    /// - Parameter starsAreAny: Whether a `*` after a character is any text, as in patterns of other kinds.
    func expectedAutomaton(starsAreAny: Bool = false) -> PatternAutomaton? {
        let pieces: [PatternPiece]?
        switch self {
        case .glob(let glob): pieces = glob.pieces(starsAreAny: starsAreAny)
        case .advanced(let glob?): pieces = glob.pieces(starsAreAny: starsAreAny)
        default: return automaton()
        }
        // A place for each character that may come, of which some can be left out and some can come again.
        var places: [(units: UnitSet, isOptional: Bool, repeats: Bool)] = []
        for piece in pieces ?? [] {
            let isEndless = piece.most == .max
            let count = isEndless ? max(1, piece.least) : piece.most
            guard count <= Self.maxStates - places.count else { return nil }
            places += (0..<count).map { (piece.units, $0 >= piece.least, isEndless && $0 == count - 1) }
        }
        guard pieces != nil else { return nil }
        var builder = ManifestAutomatonBuilder()
        for _ in 0...places.count { _ = builder.state() }
        for state in 0...places.count {
            if state > 0, places[state - 1].repeats { builder.add(places[state - 1].units, from: state, to: state) }
            var next = state
            while next < places.count {
                builder.add(places[next].units, from: state, to: next + 1)
                guard places[next].isOptional else { break }
                next += 1
            }
            if next == places.count { builder.accept(state) }
            guard builder.edgeCount <= Self.maxEdges else { return nil }
        }
        return builder.automaton
    }
}
