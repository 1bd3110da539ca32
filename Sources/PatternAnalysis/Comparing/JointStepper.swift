internal import AppSiteAssociation

/// Moves the states of a joint automaton by a symbol.
final class JointStepper {
    let joint: JointAutomaton
    let alphabet: URLAlphabet
    let budget: ComparisonBudget
    private let views: [UInt8]
    /// For each symbol what each view reads first.
    private let inputs: [[UInt32]]
    /// For each view and label the symbols that it takes or, of those that it does not tell apart, leaves.
    private let told: [[[Int32]]]
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
        told = Self.told(joint.labels, symbols, inputs)
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

    private static func told(
        _ labels: [PatternAutomaton.Label], _ symbols: [URLSymbol], _ inputs: [[UInt32]]
    ) -> [[[Int32]]] {
        (0..<4).map { view in
            var byInput: [UInt32: [Int32]] = [:]
            for index in symbols.indices { byInput[inputs[index][view], default: []].append(Int32(index)) }
            return labels.map { label in
                switch label {
                case .any: []
                case .symbol(let symbol), .anyExcept(let symbol): byInput[symbol] ?? []
                case .set(let set): set.bytes.flatMap { $0 < 0x80 ? byInput[UInt32($0)] ?? [] : [] }
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
                if label != JointAutomaton.anyLabel { for symbol in told[view][Int(label)] { add(symbol) } }
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
                var place = state
                while let origin = origins[place], origin.state >= 0 {
                    text.append(origin.symbol)
                    place = origin.state
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
