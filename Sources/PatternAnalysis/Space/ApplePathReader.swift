internal import URLPatterns

/// Reads a path as Apple's rules see it: without the slashes at its ends.
struct ApplePathReader: TextReader {
    let product: ProductAutomaton
    /// Only texts that one of these patterns matches are wanted; all if it is nil.
    private let wanted: [Bool]?
    /// Whether a pattern does not matter where another one matches.
    private let isHidden: (Int32, Int32) -> Bool
    private let budget: ComparisonBudget
    /// Whether an escaped slash at an end of the path is one to some patterns and none to others.
    private let hasEscapedSlashes: Bool
    let start: State

    struct State: Hashable {
        var active: ActiveStates
        /// If only escaped slashes follow: the patterns that match and do not see these, ascending.
        var decided: [Int32] = []
        var ending: TextEnding = []
    }

    init(
        _ product: ProductAutomaton, wanted: [Bool]? = nil, _ budget: ComparisonBudget,
        isHidden: @escaping (Int32, Int32) -> Bool = { _, _ in false }
    ) {
        self.product = product
        self.wanted = wanted
        self.isHidden = isHidden
        self.budget = budget
        hasEscapedSlashes = product.alphabet.isMixed
        start = State(active: product.start, ending: hasEscapedSlashes ? .nothing : [])
    }

    func cost(_ state: State) -> Int { 4 + state.active.count * 2 + state.decided.count }

    /// The patterns that match a path that ends here, ascending; nil if it cannot end here, or if none is wanted.
    func matched(_ state: State) -> [Int32]? {
        guard !state.ending.contains(.slash) else { return nil }
        var matched = product.accepted(state.active)
        if state.ending.contains(.decodedSlash) {
            matched = (matched.filter { product[$0].pattern.view.isEncoded } + state.decided).sorted()
        }
        return wanted.map { wanted in matched.contains { wanted[Int($0)] } } == false ? nil : matched
    }

    func ends(_ state: State, _ end: ([Int32], [UInt8]) -> Void) {
        if let matched = matched(state) { end(matched, []) }
    }

    func choices(_ state: State) -> [Int] { product.choices(state.active) }

    func next(_ state: State, _ symbol: Int) -> State? {
        guard let wanted else { return following(state, symbol) }
        let isWanted = { (number: Int32) in wanted[Int(number)] }
        let isSlash = hasEscapedSlashes && product.symbols[symbol].decoded == PatternSymbol.slash
        let mayMatch =
            isSlash || state.decided.contains(where: isWanted)
            || state.active.contains {
                isWanted($0.number) && product[$0.number].step($0.state, symbol) != LazyDFA.dead
            }
        guard mayMatch, let next = following(state, symbol) else { return nil }
        return next.decided.contains(where: isWanted) || next.active.contains { isWanted($0.number) } ? next : nil
    }

    /// The state after a text; nil if there is no such text, or it takes too much to find out.
    func state(after text: [Int]) -> State? {
        var state = start
        for symbol in text {
            guard !budget.isSpent, let next = following(state, symbol) else { return nil }
            state = next
        }
        return state
    }

    private func following(_ state: State, _ index: Int) -> State? {
        let symbol = product.symbols[index]
        guard var ending = state.ending.following(symbol.kind) else { return nil }
        if symbol.kind.contains(.slash) {
            if state == start { return nil }
            ending.insert(.slash)
        }
        guard hasEscapedSlashes, symbol.decoded == PatternSymbol.slash else {
            return State(active: important(product.step(state.active, index)), ending: ending)
        }
        if state.ending.contains(.nothing) {
            // To the patterns that see characters the path has not begun yet.
            let active = state.active.moved { number, state in
                product[number].pattern.view.isEncoded ? product[number].step(state, index) : state
            }
            ending.insert(.nothing)
            return State(active: important(active), ending: ending)
        }
        // They do not see the slashes if nothing else follows.
        let decided =
            state.ending.contains(.decodedSlash)
            ? state.decided : product.accepted(state.active).filter { !product[$0].pattern.view.isEncoded }
        ending.insert(.decodedSlash)
        return State(
            active: important(product.step(state.active, index), decided: decided), decided: decided, ending: ending)
    }

    /// The patterns that still matter: none that another one makes irrelevant because it matches for sure.
    ///
    /// - Parameter decided: what matches if only escaped slashes follow, of the patterns that do not see them then; nil if
    ///   they see all of the text.
    private func important(_ active: ActiveStates, decided: [Int32]? = nil) -> ActiveStates {
        guard active.count > 1 else { return active }
        var sure: [Int32] = []
        for (number, state) in active where sure.count < 4 && product[number].isUniversal(state) {
            if product[number].pattern.view.isEncoded || decided?.contains(number) != false { sure.append(number) }
        }
        guard !sure.isEmpty else { return active }
        budget.spend(active.count * 8)
        return active.keeping { number in !sure.contains { $0 != number && isHidden(number, $0) } }
    }
}
