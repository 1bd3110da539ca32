internal import URLPatterns

/// What the automata of several patterns prove.
enum PatternRelation {
    /// So many states of all automata together are looked at.
    private static let mostStates = 20_000

    /// Whether no text is matched by all of some patterns and by none of others; nil if that takes too long, or is not known.
    ///
    /// - Parameter budget: Pays for the proof.
    static func isNone(
        of patterns: [TextPattern], outside others: [TextPattern] = [], _ budget: inout WorkBudget
    ) -> Bool? {
        var subsets: [StateSubsets] = []
        for pattern in patterns + others {
            budget.spend(pattern.length)
            guard !budget.isSpent, let automaton = pattern.automaton() else { return nil }
            budget.spend(50 * (automaton.stateCount + automaton.edgeCount))
            subsets.append(StateSubsets(automaton))
        }
        let start = subsets.map(\.start)
        var seen: Set<[Int]> = [start]
        var waiting = [start]
        while let states = waiting.popLast() {
            let accepting = subsets.indices.map { subsets[$0].isAccepting(states[$0]) }
            if accepting[..<patterns.count].allSatisfy({ $0 }), !accepting[patterns.count...].contains(true) {
                return false
            }
            var symbols = Set<UInt32>()
            for index in subsets.indices {
                symbols.formUnion(subsets[index].representatives(of: .any, in: states[index], &budget))
            }
            for symbol in symbols {
                let next = subsets.indices.map { subsets[$0].step(states[$0], symbol, &budget) }
                if seen.insert(next).inserted { waiting.append(next) }
                budget.spend(2 * next.count)
                guard seen.count <= mostStates, !budget.isSpent else { return nil }
            }
        }
        return true
    }
}
