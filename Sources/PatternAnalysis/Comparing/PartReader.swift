internal import AppSiteAssociation
internal import URLPatterns

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

    /// The patterns that still matter: none that another one makes irrelevant because it matches for sure.
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

/// Reads queries of which rules ask for items as well as, perhaps, for the whole text.
///
/// A rule that asks for items is `decided` against once a value does not match. Otherwise each of its items that must not
/// be missing is `decided` when it has been seen.
struct QueryReader: TextReader {
    let stepper: JointStepper
    let start: JointState
    private let roles: [Role]
    private let items: [Item]
    /// The items of each condition.
    private let conditions: [Condition]
    private let nameStates: [Int32]

    /// The part of a pattern that an automaton is for.
    enum Role {
        /// The whole text, or nothing any more.
        case text
        case name(item: Int)
        case value(item: Int)
    }

    struct Item {
        let condition: Int
        let nameSlot: Int
        let valueSlot: Int
    }

    struct Condition {
        /// The slot of the pattern for the whole text, or none.
        let text: Int?
        let items: [Int]
    }

    var symbols: [URLSymbol] { stepper.alphabet.symbols }

    init(_ stepper: JointStepper, conditions: [Condition], items: [Item], roles: [Role]) {
        self.stepper = stepper
        self.conditions = conditions
        self.items = items
        self.roles = roles
        let joint = stepper.joint
        nameStates = items.flatMap { joint.slots[$0.nameSlot].starts }
        let texts = conditions.compactMap(\.text).flatMap { joint.slots[$0].starts }
        start = JointState(live: (nameStates + texts).sorted())
    }

    private func needsItem(_ item: Int) -> Bool {
        !stepper.joint.slots[items[item].valueSlot].starts.contains { stepper.joint.accepting[Int($0)] }
    }

    // What is decided: an item was seen, or a condition is not met.
    private func seen(_ item: Int) -> Int32 { Int32(item) }
    private func failed(_ condition: Int) -> Int32 { Int32(items.count + condition) }

    func matched(_ state: JointState) -> [Int32]? {
        let ended = end(state)
        let decided = Set(ended)
        let texts = Set(stepper.accepted(state.live))
        return conditions.indices.compactMap { index -> Int32? in
            let condition = conditions[index]
            let isMet =
                condition.text.map { texts.contains(Int32($0)) }
                ?? (!decided.contains(failed(index))
                    && condition.items.allSatisfy { !needsItem($0) || decided.contains(seen($0)) })
            return isMet ? Int32(index) : nil
        }
    }

    mutating func successors(_ state: JointState) -> [(symbol: Int, state: JointState)] {
        stepper.candidates(state.live).compactMap { index in
            let symbol = symbols[index]
            guard var ending = state.ending.following(symbol.kind) else { return nil }
            if symbol.kind.contains(.itemEnd) {
                let decided = end(state)
                let texts = stepper.step(state.live.filter(isText), index)
                return (index, JointState(live: (texts + open(nameStates, decided)).sorted(), decided: decided))
            }
            if symbol.kind.contains(.nameEnd), !state.ending.contains(.value) {
                let named = named(state)
                let values = named.flatMap { stepper.joint.slots[items[$0].valueSlot].starts }
                let texts = stepper.step(state.live.filter(isText), index)
                let decided = adding(named.filter(needsItem).map(seen), to: state.decided)
                return (index, JointState(live: (texts + values).sorted(), decided: decided, ending: .value))
            }
            let live = stepper.step(state.live, index)
            guard state.ending.contains(.value) else {
                return (index, JointState(live: live, decided: state.decided, ending: ending))
            }
            ending.insert(.value)
            let kept = Set(itemsInValue(live))
            let lost = itemsInValue(state.live).filter { !kept.contains($0) }.map { failed(items[$0].condition) }
            guard !lost.isEmpty else {
                return (index, JointState(live: live, decided: state.decided, ending: ending))
            }
            let decided = adding(lost, to: state.decided)
            return (index, JointState(live: open(live, decided), decided: decided, ending: ending))
        }
    }

    private func isText(_ state: Int32) -> Bool {
        if case .text = roles[Int(stepper.joint.owners[Int(state)])] { true } else { false }
    }

    /// The items whose values are being read, ascending.
    private func itemsInValue(_ live: [Int32]) -> [Int] {
        var result: [Int] = []
        for state in live {
            if case .value(let item) = roles[Int(stepper.joint.owners[Int(state)])], result.last != item {
                result.append(item)
            }
        }
        return result
    }

    /// The items whose name ends here.
    private func named(_ state: JointState) -> [Int] {
        stepper.accepted(state.live).compactMap { slot in
            if case .name(let item) = roles[Int(slot)] { item } else { nil }
        }
    }

    /// The conditions that are decided when the item ends here.
    private func end(_ state: JointState) -> [Int32] {
        guard state.ending.contains(.value) else {
            // A name without a value has an empty one.
            return adding(
                named(state).filter(needsItem).map { failed(items[$0].condition) }, to: state.decided)
        }
        let matched = Set(stepper.accepted(state.live))
        let lost = itemsInValue(state.live).filter { !matched.contains(Int32(items[$0].valueSlot)) }
        return adding(lost.map { failed(items[$0].condition) }, to: state.decided)
    }

    private func adding(_ more: [Int32], to decided: [Int32]) -> [Int32] {
        guard !more.isEmpty else { return decided }
        var all = Set(decided).union(more)
        for condition in conditions.indices where all.contains(failed(condition)) {
            for item in conditions[condition].items { all.remove(seen(item)) }
        }
        return all.sorted()
    }

    /// The states but those of conditions that are not met.
    private func open(_ live: [Int32], _ decided: [Int32]) -> [Int32] {
        guard let last = decided.last, last >= Int32(items.count) else { return live }
        let failures = Set(decided)
        return live.filter { state in
            switch roles[Int(stepper.joint.owners[Int(state)])] {
            case .text: true
            case .name(let item), .value(let item): !failures.contains(failed(items[item].condition))
            }
        }
    }
}
