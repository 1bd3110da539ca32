extension RoutePattern {
    /// Whether every URL of another route is one of this.
    ///
    /// The parts are compared one by one, each with a proof, so a yes is always right. It says no where it cannot tell: when
    /// the routes differ in `percentEncoded`, when only this one is `caseSensitive`, or when the patterns are so tangled
    /// that a proof would take too long; but a part that takes everything covers each other.
    public func covers(_ other: RoutePattern) -> Bool {
        var budget = WorkBudget()
        return covers(other, budget: &budget)
    }

    /// Whether every URL of another route is one of this; no if the budget is spent.
    package func covers(_ other: RoutePattern, budget: inout WorkBudget) -> Bool {
        matcher.covers(other.matcher, budget: &budget)
    }
}

extension RouteMatcher {
    fileprivate func covers(_ other: RouteMatcher, budget: inout WorkBudget) -> Bool {
        budget.spend(1)
        if let host, host != other.host { return false }
        guard path.covers(other.path, budget: &budget) else { return false }
        for item in query {
            // Without regard to case a name means several, of which the other may constrain one.
            let own = comparison == other.comparison ? other.query.first { $0.name == item.name } : nil
            guard item.value.covers(own?.value, budget: &budget) else { return false }
        }
        return fragment.map { $0.covers(other.fragment, budget: &budget) } ?? true
    }
}

extension CapturingPattern {
    /// - Parameter other: A pattern for the same part; nil for any text.
    fileprivate func covers(_ other: CapturingPattern?, budget: inout WorkBudget) -> Bool {
        if takesAll { return true }
        guard let other, let narrow = other.compared(as: comparison) else { return false }
        guard narrow.samples.allSatisfy(mayMatch) else { return false }
        budget.spend(elements.count + narrow.samples.reduce(0) { $0 + $1.count })
        guard !budget.isSpent, narrow.samples.allSatisfy(matches) else { return false }
        if elements == narrow.elements { return true }
        guard let outer = automaton(&budget), let inner = narrow.automaton(&budget) else { return false }
        return Containment.decide(outer, covers: inner, budget: &budget) == .proved
    }

    /// The pattern for another comparison, such that it takes what it took and perhaps more; nil if there is none.
    private func compared(as comparison: Comparison) -> CapturingPattern? {
        if comparison == self.comparison { return self }
        guard comparison.percentEncoded == self.comparison.percentEncoded, !comparison.caseSensitive else { return nil }
        return CapturingPattern(pieces, comparison, isPath: isPath, firstCapture: 0)
    }

    private func automaton(_ budget: inout WorkBudget) -> PatternAutomaton? {
        let variables = PatternVariables()
        return isPath
            ? PatternAutomaton(
                path: elements, percentEncoded: comparison.percentEncoded, variables: variables, work: &budget)
            : PatternAutomaton(
                elements, percentEncoded: comparison.percentEncoded, variables: variables, work: &budget)
    }
}
