/// Whether every text of one pattern is one of another.
package enum Containment: Sendable {
    case proved
    case refuted
    /// It took too much to find out.
    case unknown

    /// Decides whether `wide` accepts every text that `narrow` accepts.
    ///
    /// Walks through `narrow` and the deterministic form of `wide` together, which is made as needed. Both are of the same
    /// `percentEncoded`.
    package static func decide(
        _ wide: PatternAutomaton, covers narrow: PatternAutomaton, stateLimit: Int = WorkBudget.productStates,
        budget: inout WorkBudget
    ) -> Containment {
        var subsets = StateSubsets(wide)
        var seen = Set<ProductState>()
        var waiting: [ProductState] = []
        func visit(_ state: ProductState) { if seen.insert(state).inserted { waiting.append(state) } }
        for start in narrow.starts { visit(ProductState(narrow: start, wide: subsets.start)) }
        while let state = waiting.popLast() {
            if narrow.isAccepting(state.narrow), !subsets.isAccepting(state.wide) { return .refuted }
            for edge in narrow.edges(from: state.narrow) {
                for symbol in subsets.representatives(of: edge.label, in: state.wide, &budget) {
                    let next = subsets.step(state.wide, symbol, &budget)
                    visit(ProductState(narrow: edge.target, wide: next))
                    budget.spend(2)
                    if seen.count > stateLimit || budget.isSpent { return .unknown }
                }
                budget.spend(2)
            }
        }
        return .proved
    }

    private struct ProductState: Hashable {
        let narrow: Int
        let wide: Int
    }
}
