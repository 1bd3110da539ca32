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

/// The deterministic form of an automaton: sets of its states, numbered, made as they are reached.
package struct StateSubsets {
    private let automaton: PatternAutomaton
    private var numbers: [[Int]: Int] = [:]
    private var subsets: [[Int]] = []
    private var accepting: [Bool] = []
    /// For each subset the symbols that its edges name; all others lead to the same subset.
    private var named: [[UInt32]] = []
    /// The targets by a subset, in the upper bits, and a symbol.
    private var steps: [UInt64: Int] = [:]

    package init(_ automaton: PatternAutomaton) {
        self.automaton = automaton
        var start = WorkBudget()
        _ = number(automaton.starts, &start)
    }

    package var start: Int { 0 }

    package func isAccepting(_ subset: Int) -> Bool { accepting[subset] }

    /// Whether nothing leads on from it, so that no text is accepted any more.
    package func isDead(_ subset: Int) -> Bool { subsets[subset].isEmpty }

    /// Where a symbol leads.
    package mutating func step(_ subset: Int, _ symbol: UInt32, _ budget: inout WorkBudget) -> Int {
        let step = UInt64(subset) << 32 | UInt64(symbol)
        if let known = steps[step] { return known }
        var targets: [Int] = []
        for state in subsets[subset] {
            let edges = automaton.edges(from: state)
            budget.spend(1 + edges.count)
            if budget.isSpent { break }
            for edge in edges where edge.label.contains(symbol) { targets.append(edge.target) }
        }
        let next = number(Self.distinct(targets), &budget)
        budget.spend(16)
        steps[step] = next
        return next
    }

    /// Numbers in order, each once.
    private static func distinct(_ numbers: [Int]) -> [Int] {
        guard numbers.count > 1 else { return numbers }
        var result: [Int] = []
        for number in numbers.sorted() where number != result.last { result.append(number) }
        return result
    }

    /// Symbols of a label such that each other one of it leads to the same subset as one of these.
    package func representatives(
        of label: PatternAutomaton.Label, in subset: Int, _ budget: inout WorkBudget
    ) -> [UInt32] {
        if case .symbol = label {} else { budget.spend(named[subset].count * 2) }
        switch label {
        case .symbol(let symbol): return [symbol]
        case .any: return named[subset] + [other(named[subset], nil)]
        case .anyExcept(let symbol):
            return named[subset].filter { $0 != symbol } + [other(named[subset], symbol)]
        case .anyExceptSet: return named[subset].filter(label.contains) + [other(named[subset], nil)]
        case .set(let set):
            budget.spend(256)
            let known = Set(named[subset])
            let symbols = set.bytes.map(UInt32.init)
            return symbols.filter(known.contains) + symbols.filter { !known.contains($0) }.prefix(1)
        }
    }

    /// A symbol that is none of those named. Text in a file is well-formed, so the byte FF is never among them.
    private func other(_ named: [UInt32], _ symbol: UInt32?) -> UInt32 {
        var candidate: UInt32 = automaton.percentEncoded ? 0xFF : PatternSymbol.strayByte + 0xFF
        while candidate > 0, candidate == symbol || named.contains(candidate) { candidate -= 1 }
        return candidate
    }

    private mutating func number(_ states: [Int], _ budget: inout WorkBudget) -> Int {
        budget.spend(4 * states.count)
        if let known = numbers[states] { return known }
        let number = subsets.count
        numbers[states] = number
        subsets.append(states)
        accepting.append(states.contains { automaton.isAccepting($0) })
        var symbols = Set<UInt32>()
        for state in states {
            let edges = automaton.edges(from: state)
            budget.spend(edges.count * 2)
            for edge in edges {
                switch edge.label {
                case .symbol(let symbol), .anyExcept(let symbol): symbols.insert(symbol)
                case .set(let set), .anyExceptSet(let set):
                    budget.spend(256)
                    symbols.formUnion(set.bytes.map(UInt32.init))
                case .any: break
                }
            }
        }
        budget.spend(symbols.count * 4)
        named.append(symbols.sorted())
        return number
    }
}
