/// Reads a text that patterns see as a whole: a fragment, a query without items, the name or the value of an item.
struct PlainTextReader: TextReader {
    let product: ProductAutomaton
    /// Symbols that the text must not have.
    private let excluded: URLSymbol.Kind
    let start: State

    struct State: Hashable {
        var active: ActiveStates
        var isEmpty: Bool
        var ending: TextEnding = []
    }

    init(_ product: ProductAutomaton, without excluded: URLSymbol.Kind = []) {
        self.product = product
        self.excluded = excluded
        start = State(active: product.start, isEmpty: true)
    }

    func cost(_ state: State) -> Int { 4 + state.active.count * 2 }

    func ends(_ state: State, _ end: ([Int32], [UInt8]) -> Void) {
        if product.alphabet.space == .ordinary, state.isEmpty { return }
        end(product.accepted(state.active), [])
    }

    func choices(_ state: State) -> [Int] { product.choices(state.active) }

    func next(_ state: State, _ symbol: Int) -> State? {
        let kind = product.symbols[symbol].kind
        guard state.isEmpty || state.active.count > 0, kind.isDisjoint(with: excluded),
            let ending = state.ending.following(kind)
        else { return nil }
        return State(active: product.step(state.active, symbol), isEmpty: false, ending: ending)
    }
}
