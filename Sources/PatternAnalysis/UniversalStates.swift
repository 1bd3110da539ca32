internal import URLPatterns

extension PatternAutomaton {
    /// For each state whether every text is accepted that goes on from there; of a path those that do not end in a slash.
    ///
    /// It may say no too often, never yes.
    func universalStates(isPath: Bool) -> [Bool] {
        let slash = Label.symbol(PatternSymbol.slash)
        var isBehindSlash = [Bool](repeating: isPath, count: stateCount)
        for start in starts { isBehindSlash[start] = false }
        for state in 0..<stateCount {
            for edge in edges(from: state) where edge.label != slash { isBehindSlash[edge.target] = false }
        }
        var isUniversal = (0..<stateCount).map { isAccepting($0) || isBehindSlash[$0] }
        for _ in 0..<8 {
            var isStable = true
            for state in 0..<stateCount where isUniversal[state] {
                var takesSlash = false
                var takesOthers = false
                for edge in edges(from: state) where isUniversal[edge.target] {
                    switch edge.label {
                    case .any:
                        takesSlash = true
                        takesOthers = true
                    case .anyExcept(PatternSymbol.slash): takesOthers = true
                    case slash: takesSlash = true
                    default: break
                    }
                }
                if !takesSlash || !takesOthers {
                    isUniversal[state] = false
                    isStable = false
                }
            }
            if isStable { return isUniversal }
        }
        return [Bool](repeating: false, count: stateCount)
    }
}
