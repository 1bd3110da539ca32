internal import AppSiteAssociation

/// Reads a fragment, a query of which no rule asks for items, or a path without the slashes at its ends.
struct PartReader: TextReader {
    let stepper: JointStepper
    let start: JointState
    private let isPath: Bool
    /// Symbols that the text must not have.
    private let excluded: URLSymbol.Kind
    /// Whether an escaped slash at an end of the path is one to some patterns and none to others.
    private let hasEscapedSlashes: Bool
    /// Only texts that one of these slots matches are wanted; all if it is nil.
    private let wanted: [Bool]?
    /// Whether a slot does not matter where another one matches.
    private let isHidden: (Int32, Int32) -> Bool

    var symbols: [URLSymbol] { stepper.alphabet.symbols }

    init(
        _ stepper: JointStepper, isPath: Bool, excluded: URLSymbol.Kind = [], wanted: [Bool]? = nil,
        isHidden: @escaping (Int32, Int32) -> Bool = { _, _ in false }
    ) {
        self.stepper = stepper
        self.isPath = isPath
        self.excluded = excluded
        self.wanted = wanted
        self.isHidden = isHidden
        hasEscapedSlashes = isPath && stepper.alphabet.isMixed
        start = JointState(
            live: stepper.joint.slots.flatMap(\.starts).sorted(), ending: hasEscapedSlashes ? .nothing : [])
    }

    func matched(_ state: JointState) -> [Int32]? {
        guard !state.ending.contains(.slash) else { return nil }
        var matched: [Int32]
        if state.ending.contains(.decodedSlash) {
            matched = (stepper.accepted(state.live.filter { stepper.isEncoded($0) }) + state.decided).sorted()
        } else {
            matched = stepper.accepted(state.live)
        }
        if let wanted, !matched.contains(where: { wanted[Int($0)] }) { return nil }
        return matched
    }

    mutating func successors(_ state: JointState) -> [(symbol: Int, state: JointState)] {
        var result: [(symbol: Int, state: JointState)] = []
        let joint = stepper.joint
        let wantedStates = wanted.map { wanted in state.live.filter { wanted[Int(joint.owners[Int($0)])] } }
        let isPending = wanted.map { wanted in state.decided.contains { wanted[Int($0)] } } ?? false
        for symbol in stepper.candidates(state.live) {
            let isSlash = hasEscapedSlashes && symbols[symbol].decoded == PatternSymbol.slash
            if let wantedStates, !isPending, !isSlash, !stepper.mayMove(wantedStates, by: symbol) {
                continue
            }
            guard let next = self.next(state, symbol) else { continue }
            if let wanted, !next.live.contains(where: { wanted[Int(joint.owners[Int($0)])] }),
                !next.decided.contains(where: { wanted[Int($0)] })
            {
                continue
            }
            result.append((symbol, next))
        }
        return result
    }

    /// The state after a text; nil if there is no such text, or it takes too much to find out.
    func state(after text: [Int]) -> JointState? {
        var state = start
        for symbol in text {
            guard !stepper.budget.isSpent, let next = next(state, symbol) else { return nil }
            state = next
        }
        return state
    }

    private func next(_ state: JointState, _ index: Int) -> JointState? {
        let symbol = symbols[index]
        guard symbol.kind.isDisjoint(with: excluded) else { return nil }
        guard var ending = state.ending.following(symbol.kind) else { return nil }
        guard isPath else { return JointState(live: stepper.step(state.live, index), ending: ending) }

        if symbol.kind.contains(.slash) {
            if state == start { return nil }
            ending.insert(.slash)
        }
        guard hasEscapedSlashes, symbol.decoded == PatternSymbol.slash else {
            return JointState(live: important(stepper.step(state.live, index)), ending: ending)
        }
        if state.ending.contains(.nothing) {
            // To the patterns that see characters the path has not begun yet.
            let encoded = stepper.step(state.live.filter { stepper.isEncoded($0) }, index)
            let waiting = state.live.filter { !stepper.isEncoded($0) }
            ending.insert(.nothing)
            return JointState(live: important((encoded + waiting).sorted()), ending: ending)
        }
        // They do not see the slashes if nothing else follows.
        let decided =
            state.ending.contains(.decodedSlash)
            ? state.decided : stepper.accepted(state.live.filter { !stepper.isEncoded($0) })
        ending.insert(.decodedSlash)
        let live = important(stepper.step(state.live, index), decided: decided)
        return JointState(live: live, decided: decided, ending: ending)
    }

    /// Without the patterns that do not matter any more, because another one matches for sure.
    ///
    /// - Parameter decided: what matches if only escaped slashes follow, of the patterns that do not see them then; nil if
    ///   they see all of the text.
    private func important(_ live: [Int32], decided: [Int32]? = nil) -> [Int32] {
        let joint = stepper.joint
        guard live.count > 1 else { return live }
        var sure: [Int32] = []
        for state in live where joint.isUniversal[Int(state)] && sure.count < 4 {
            let owner = joint.owners[Int(state)]
            if stepper.isEncoded(state) || decided?.contains(owner) != false { sure.append(owner) }
        }
        guard !sure.isEmpty else { return live }
        stepper.budget.spend(live.count * 8)
        return live.filter { state in
            let owner = joint.owners[Int(state)]
            return !sure.contains { $0 != owner && isHidden(owner, $0) }
        }
    }
}
