internal import AppSiteAssociation
internal import URLPatterns

/// Moves the states of a joint automaton by a symbol.
final class JointStepper {
    let joint: JointAutomaton
    let alphabet: URLAlphabet
    let budget: ComparisonBudget
    private let views: [UInt8]
    /// For each symbol what each view reads first.
    private let inputs: [[UInt32]]
    /// For each view and label the symbols that it takes or, of those that it does not tell apart, leaves.
    private let labelSymbols: [[[Int32]]]
    /// Symbols of which any may stand for the others where no label takes one of them.
    private let kinds: [[Int32]]
    /// Symbols of several bytes, which patterns read in several steps.
    private let long: [Int32]

    // Scratch space, marked by the number of the step instead of being cleared.
    private var marks: [UInt32]
    private var mark: UInt32 = 0
    private var symbolMarks: [UInt32]
    private var symbolMark: UInt32 = 0

    init(_ joint: JointAutomaton, _ alphabet: URLAlphabet, _ budget: ComparisonBudget) {
        self.joint = joint
        self.alphabet = alphabet
        self.budget = budget
        let symbols = alphabet.symbols
        views = joint.owners.map { UInt8(joint.slots[Int($0)].view) }
        inputs = symbols.map { symbol in
            (0..<4).map { view in
                let first = URLSymbol.isEncoded(view: view) ? UInt32(symbol.raw.first ?? 0) : symbol.decoded
                return URLSymbol.folded(first, view: view)
            }
        }
        labelSymbols = Self.labelSymbols(joint.labels, symbols, inputs)
        var kinds: [Int: [Int32]] = [:]
        for (index, symbol) in symbols.enumerated() {
            kinds[Int(symbol.kind.rawValue) << 1 | (symbol.raw.count > 1 ? 1 : 0), default: []].append(Int32(index))
        }
        self.kinds = kinds.sorted { $0.key < $1.key }.map(\.value)
        long = symbols.indices.filter { symbols[$0].raw.count > 1 }.map(Int32.init)
        marks = [UInt32](repeating: 0, count: joint.owners.count)
        symbolMarks = [UInt32](repeating: 0, count: symbols.count)
        // An alphabet alone takes so long to find, however few the patterns are.
        budget.spend(20_000 + symbols.count * 100 + joint.labels.count * 40)
        budget.spend(joint.edgeTargets.count + joint.owners.count)
    }

    private static func labelSymbols(
        _ labels: [PatternAutomaton.Label], _ symbols: [URLSymbol], _ inputs: [[UInt32]]
    ) -> [[[Int32]]] {
        (0..<4).map { view in
            var byInput: [UInt32: [Int32]] = [:]
            for index in symbols.indices { byInput[inputs[index][view], default: []].append(Int32(index)) }
            return labels.map { label in
                switch label {
                case .any: []
                case .symbol(let symbol), .anyExcept(let symbol): byInput[symbol] ?? []
                case .set(let set), .anyExceptSet(let set):
                    set.bytes.flatMap { $0 < 0x80 ? byInput[UInt32($0)] ?? [] : [] }
                }
            }
        }
    }

    func isEncoded(_ state: Int32) -> Bool { URLSymbol.isEncoded(view: Int(views[Int(state)])) }

    /// The symbols that have to be tried: those that a label tells apart, and one of each kind of the others; nicest first.
    func candidates(_ live: [Int32]) -> [Int] {
        symbolMark += 1
        var result: [Int32] = []
        func add(_ symbol: Int32) {
            guard symbolMarks[Int(symbol)] != symbolMark else { return }
            symbolMarks[Int(symbol)] = symbolMark
            result.append(symbol)
        }
        var readsEscapes = false
        for state in live {
            let view = Int(views[Int(state)])
            let isOpen = URLSymbol.isEncoded(view: view) && !joint.isUniversal[Int(state)]
            for edge in joint.edges(from: state) {
                let label = joint.edgeLabels[edge]
                if isOpen, !readsEscapes { readsEscapes = joint.labels[Int(label)].contains(UInt32(UInt8(ascii: "%"))) }
                if label != JointAutomaton.anyLabel { for symbol in labelSymbols[view][Int(label)] { add(symbol) } }
            }
        }
        // To a pattern that sees bytes they may differ after the percent sign.
        if readsEscapes { for symbol in long { add(symbol) } }
        for kind in kinds {
            if let symbol = kind.first(where: { symbolMarks[Int($0)] != symbolMark }) { add(symbol) }
        }
        budget.spend(live.count * 6 + result.count * 6)
        return result.sorted().map(Int.init)
    }

    /// Whether a state leads anywhere, as far as the first byte tells.
    func mayMove(_ states: [Int32], by symbol: Int) -> Bool {
        states.contains { state in
            let input = inputs[symbol][Int(views[Int(state)])]
            return joint.edges(from: state).contains { joint.labels[Int(joint.edgeLabels[$0])].contains(input) }
        }
    }

    /// The states after a symbol, ascending.
    func step(_ live: [Int32], _ symbol: Int) -> [Int32] {
        let raw = alphabet.symbols[symbol].raw
        var work = 20
        var result: [Int32] = []
        var several: [Int32] = []
        nextMark()
        for state in live {
            let view = Int(views[Int(state)])
            if raw.count > 1, URLSymbol.isEncoded(view: view) {
                several.append(state)
            } else {
                work += move(state, inputs[symbol][view], &result)
            }
        }
        for (index, byte) in raw.enumerated() where !several.isEmpty {
            var next: [Int32] = []
            nextMark()
            for state in several {
                let input = URLSymbol.folded(UInt32(byte), view: Int(views[Int(state)]))
                work += move(state, input, &next)
            }
            several = next
            if index == raw.count - 1 { result += several }
        }
        budget.spend(work + result.count * 4)
        return withoutNeedless(result.sorted())
    }

    private func move(_ state: Int32, _ input: UInt32, _ result: inout [Int32]) -> Int {
        let edges = joint.edges(from: state)
        for edge in edges {
            let label = joint.edgeLabels[edge]
            guard label == JointAutomaton.anyLabel || joint.labels[Int(label)].contains(input) else { continue }
            let target = joint.edgeTargets[edge]
            if marks[Int(target)] != mark {
                marks[Int(target)] = mark
                result.append(target)
            }
        }
        return edges.count * 2 + 2
    }

    private func nextMark() {
        mark &+= 1
        if mark == 0 {
            marks = [UInt32](repeating: 0, count: marks.count)
            mark = 1
        }
    }

    /// Where a pattern accepts whatever follows, its other states say nothing more.
    private func withoutNeedless(_ states: [Int32]) -> [Int32] {
        guard states.count > 1, states.contains(where: { joint.isUniversal[Int($0)] }) else { return states }
        var result: [Int32] = []
        result.reserveCapacity(states.count)
        var start = 0
        while start < states.count {
            let owner = joint.owners[Int(states[start])]
            var end = start
            var universal: Int32?
            while end < states.count, joint.owners[Int(states[end])] == owner {
                if universal == nil, joint.isUniversal[Int(states[end])] { universal = states[end] }
                end += 1
            }
            if let universal { result.append(universal) } else { result += states[start..<end] }
            start = end
        }
        return result
    }

    /// The slots that accept, ascending.
    func accepted(_ live: [Int32]) -> [Int32] {
        var result: [Int32] = []
        for state in live where joint.accepting[Int(state)] {
            let owner = joint.owners[Int(state)]
            if result.last != owner { result.append(owner) }
        }
        return result
    }

    /// A text with the fewest symbols that a slot accepts; nil if there is none, or it takes too much to find.
    func shortestText(of slot: Int) -> [Int]? {
        var origins: [Int32: (state: Int32, symbol: Int)] = [:]
        var waiting = joint.slots[slot].starts
        var index = 0
        while index < waiting.count {
            let state = waiting[index]
            index += 1
            budget.spend(20 + 10 * joint.edges(from: state).count)
            if budget.isSpent { return nil }
            if joint.accepting[Int(state)] {
                var text: [Int] = []
                var ancestor = state
                while let origin = origins[ancestor], origin.state >= 0 {
                    text.append(origin.symbol)
                    ancestor = origin.state
                }
                return text.reversed()
            }
            if origins[state] == nil { origins[state] = (-1, 0) }
            for edge in joint.edges(from: state) where origins[joint.edgeTargets[edge]] == nil {
                guard let symbol = symbol(for: Int(joint.edgeLabels[edge]), view: Int(views[Int(state)])) else {
                    continue
                }
                origins[joint.edgeTargets[edge]] = (state, symbol)
                waiting.append(joint.edgeTargets[edge])
            }
        }
        return nil
    }

    /// The nicest symbol that a label takes as a whole.
    private func symbol(for label: Int, view: Int) -> Int? {
        let label = joint.labels[label]
        return alphabet.symbols.indices.first { index in
            (alphabet.symbols[index].raw.count == 1 || !URLSymbol.isEncoded(view: view))
                && label.contains(inputs[index][view])
        }
    }
}

/// Automata of several patterns side by side, whatever the way they compare.
///
/// A *slot* is one automaton; its states have consecutive numbers.
struct JointAutomaton {
    private(set) var slots: [Slot] = []
    private(set) var labels: [PatternAutomaton.Label] = []
    private(set) var owners: [Int32] = []
    private(set) var accepting: [Bool] = []
    /// States from which every text is accepted, whatever follows.
    private(set) var isUniversal: [Bool] = []
    private(set) var firstEdges: [Int32] = [0]
    private(set) var edgeLabels: [Int32] = []
    private(set) var edgeTargets: [Int32] = []
    private var labelNumbers: [PatternAutomaton.Label: Int32] = [:]
    /// The number of states that may still be added.
    private var room: Int
    private let isPath: Bool
    private let variables: PatternVariables
    private let work: ComparisonBudget

    static let anyLabel: Int32 = 0

    struct Slot {
        let view: Int
        let starts: [Int32]
        let elements: [PatternElement]
    }

    init(isPath: Bool, limit: Int, _ variables: PatternVariables, _ work: ComparisonBudget) {
        self.isPath = isPath
        self.variables = variables
        self.work = work
        room = min(limit, Int(Int32.max / 2))
        _ = number(of: .any)
    }

    /// Adds a pattern; nil if it is too large.
    mutating func add(_ elements: [PatternElement], _ comparison: Comparison) -> Int? {
        guard !work.isSpent else { return nil }
        var budget = PatternAutomaton.Budget()
        budget.states = min(budget.states, room)
        budget.edges = min(budget.edges, room * 4)
        var rest = WorkBudget(work.rest)
        let made =
            isPath
            ? PatternAutomaton(
                path: elements, percentEncoded: comparison.percentEncoded, variables: variables, budget: budget,
                work: &rest)
            : PatternAutomaton(
                elements, percentEncoded: comparison.percentEncoded, variables: variables, budget: budget, work: &rest)
        work.spend(work.rest - rest.left)
        guard let automaton = made, automaton.stateCount <= room else { return nil }
        room -= max(automaton.stateCount, automaton.edgeCount / 4)
        let first = Int32(owners.count)
        let slot = Int32(slots.count)
        for state in 0..<automaton.stateCount {
            owners.append(slot)
            accepting.append(automaton.isAccepting(state))
            for edge in automaton.edges(from: state) {
                edgeLabels.append(number(of: edge.label))
                edgeTargets.append(first + Int32(edge.target))
            }
            firstEdges.append(Int32(edgeTargets.count))
        }
        slots.append(
            Slot(
                view: URLSymbol.view(comparison), starts: automaton.starts.map { first + Int32($0) }, elements: elements
            ))
        isUniversal += automaton.universalStates(isPath: isPath)
        return Int(slot)
    }

    private mutating func number(of label: PatternAutomaton.Label) -> Int32 {
        if let known = labelNumbers[label] { return known }
        labels.append(label)
        labelNumbers[label] = Int32(labels.count - 1)
        return Int32(labels.count - 1)
    }

    func edges(from state: Int32) -> Range<Int> { Int(firstEdges[Int(state)])..<Int(firstEdges[Int(state) + 1]) }
}

/// Where the patterns of an automaton are after a text.
struct JointState: Hashable {
    /// The states that are reached, ascending.
    var live: [Int32]
    /// The conditions that the text has decided otherwise, ascending (see the walks).
    var decided: [Int32] = []
    var ending: Ending = []

    /// The meaning of the end of the text for what may follow.
    struct Ending: OptionSet, Hashable {
        let rawValue: UInt8

        /// A percent sign that begins no escape.
        static let percent = Ending(rawValue: 1)
        /// Such a sign and a digit.
        static let percentDigit = Ending(rawValue: 2)
        /// An escaped byte that belongs to no character.
        static let strayByte = Ending(rawValue: 4)
        /// A slash of the path.
        static let slash = Ending(rawValue: 8)
        /// A slash of the path, escaped or not.
        static let decodedSlash = Ending(rawValue: 16)
        /// Nothing but slashes, escaped or not, or nothing at all.
        static let nothing = Ending(rawValue: 32)
        /// Within the value of an item.
        static let value = Ending(rawValue: 64)

        /// The end after another symbol, as far as escapes go; nil if the symbol cannot follow.
        func following(_ kind: URLSymbol.Kind) -> Ending? {
            if kind.contains(.strayTail), contains(.strayByte) { return nil }
            if kind.contains(.hexDigit) {
                if contains(.percentDigit) { return nil }
                return contains(.percent) ? .percentDigit : []
            }
            if kind.contains(.percent) { return .percent }
            return kind.contains(.strayByte) ? .strayByte : []
        }
    }
}
