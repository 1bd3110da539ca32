internal import AppSiteAssociation

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

    /// What an automaton is for.
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

    /// What is decided when the item ends here.
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

    /// Without the states of conditions that are not met.
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
