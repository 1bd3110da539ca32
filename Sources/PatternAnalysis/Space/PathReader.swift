internal import URLPatterns

/// Reads a path without its first slash, of ordinary URLs or as Android's rules see it.
struct PathReader: TextReader {
    let product: ProductAutomaton
    private let space: URLSpace
    private let slash: Int
    /// Drops the patterns that do not matter any more.
    private let prune: (ActiveStates) -> ActiveStates
    let start: State

    struct State: Hashable {
        var active: ActiveStates
        var segment: Segment
    }

    /// The part of a segment that has been read.
    enum Segment: Hashable {
        /// Nothing of the path at all.
        case none
        /// Nothing behind a slash, which may be escaped.
        case empty
        case dot, dots
        case some
    }

    init(_ product: ProductAutomaton, prune: @escaping (ActiveStates) -> ActiveStates = { $0 }) {
        self.product = product
        self.prune = prune
        space = product.alphabet.space
        let slash = product.symbols.firstIndex { $0.is("/") && !$0.isEscaped } ?? -1
        self.slash = slash
        let active = product.start.moved { number, state in
            product[number].pattern.view == .android ? product[number].step(state, slash) : state
        }
        start = State(active: prune(active), segment: .none)
    }

    func cost(_ state: State) -> Int { 4 + state.active.count * 2 }

    func ends(_ state: State, _ end: ([Int32], [UInt8]) -> Void) {
        if space == .android { return end(product.accepted(state.active), []) }
        guard state.segment == .none || state.segment == .some else { return }
        end(product.accepted(state.active), [])
        guard state.segment == .some else { return }
        // To Apple's rules a slash at the end is none.
        let last = state.active.moved { number, state in
            product[number].pattern.view == .android ? product[number].step(state, slash) : state
        }
        end(product.accepted(last), product.symbols[slash].raw)
    }

    func choices(_ state: State) -> [Int] { product.choices(state.active) }

    func next(_ state: State, _ symbol: Int) -> State? {
        var segment = Segment.some
        if space == .ordinary {
            guard let following = Self.following(state.segment, product.symbols[symbol]) else { return nil }
            segment = following
        }
        let active = product.step(state.active, symbol)
        // Nothing matches any more, whatever follows; one such text is enough.
        if active.count == 0, state.active.count == 0, state.segment == .some { return nil }
        return State(active: prune(active), segment: segment)
    }

    private static func following(_ segment: Segment, _ symbol: URLSymbol) -> Segment? {
        if symbol.is("/") { return segment == .some ? .empty : nil }
        guard symbol.is(".") else { return .some }
        switch segment {
        case .none, .empty: return .dot
        case .dot: return .dots
        case .dots, .some: return .some
        }
    }
}
