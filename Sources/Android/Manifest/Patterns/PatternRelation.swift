internal import URLPatterns

/// The relation of several patterns, as their automata prove it.
enum PatternRelation {
    /// Whether no text is matched by all of some patterns and by none of others; nil if that takes too long, or is not known.
    ///
    /// - Parameter budget: Pays for the proof.
    static func isNone(
        of patterns: [TextPattern], outside others: [TextPattern] = [], _ budget: inout WorkBudget
    ) -> Bool? {
        var automata: [PatternAutomaton] = []
        for pattern in patterns + others {
            budget.spend(pattern.length)
            guard !budget.isSpent, let automaton = pattern.automaton() else { return nil }
            budget.spend(50 * (automaton.stateCount + automaton.edgeCount))
            automata.append(automaton)
        }
        let result = PatternSearch.text(
            .all, Array(automata.prefix(patterns.count)), butNot: Array(automata.dropFirst(patterns.count)),
            units: (patterns + others).flatMap(\.units), &budget)
        return switch result {
        case .none: true
        case .text: false
        case .unknown: nil
        }
    }
}
