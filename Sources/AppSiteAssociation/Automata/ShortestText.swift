extension PatternAutomaton {
    /// A shortest text that the automaton accepts, of symbols that are allowed; nil if there is none.
    ///
    /// Where a symbol is free it is the first allowed one of `a`, `b`, the digits and the other letters.
    package func shortestText(_ budget: inout WorkBudget, where isAllowed: (UInt32) -> Bool) -> [UInt32]? {
        budget.spend(stateCount + edgeCount)
        if budget.isSpent { return nil }
        var origin = [(state: Int, symbol: UInt32)?](repeating: nil, count: stateCount)
        var reached = [Bool](repeating: false, count: stateCount)
        var waiting = starts
        for start in starts { reached[start] = true }
        var next = 0
        while next < waiting.count {
            let state = waiting[next]
            next += 1
            if isAccepting(state) {
                var text: [UInt32] = []
                var place = state
                while let step = origin[place] {
                    text.append(step.symbol)
                    place = step.state
                }
                return text.reversed()
            }
            for edge in edges(from: state) where !reached[edge.target] {
                guard let symbol = Self.choice(edge.label, isAllowed) else { continue }
                reached[edge.target] = true
                origin[edge.target] = (state, symbol)
                waiting.append(edge.target)
            }
        }
        return nil
    }

    private static let preferred = Array("ab0123456789cdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.".utf8).map(
        UInt32.init)

    private static func choice(_ label: Label, _ isAllowed: (UInt32) -> Bool) -> UInt32? {
        if case .symbol(let symbol) = label { return isAllowed(symbol) ? symbol : nil }
        return preferred.first { label.contains($0) && isAllowed($0) }
    }
}
