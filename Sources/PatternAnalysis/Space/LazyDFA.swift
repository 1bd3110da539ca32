internal import URLPatterns

/// A pattern that reads symbol by symbol: the deterministic form of its automaton, made as it is needed.
final class LazyDFA {
    let pattern: PartPattern
    private let alphabet: URLAlphabet
    private let inputs: [[UInt32]]
    private let isUniversalState: [Bool]
    private var numbers: [[Int32]: Int32] = [:]
    private var subsets: [[Int32]] = []
    private var steps: [Int32] = []
    private var accepting: [Bool] = []
    private var universal: [Bool] = []
    private var distinguished: [[Int32]?] = []
    /// Whether a wildcard takes what is written with several bytes or units as one character.
    private let countsAsOne: Bool
    private let budget: ComparisonBudget

    /// The state from which nothing matches.
    static let dead: Int32 = -1
    private static let unknown: Int32 = -2

    init(_ pattern: PartPattern, _ alphabet: URLAlphabet, isPath: Bool, _ budget: ComparisonBudget) {
        self.pattern = pattern
        self.alphabet = alphabet
        self.budget = budget
        countsAsOne = alphabet.space == .ordinary
        inputs = alphabet.inputs(of: pattern.view)
        isUniversalState = pattern.automaton.universalStates(isPath: isPath && pattern.view != .android)
        budget.spend(alphabet.symbols.count + pattern.automaton.stateCount * 2)
        start = number(pattern.automaton.starts.map(Int32.init))
    }

    private(set) var start: Int32 = 0

    func isAccepting(_ state: Int32) -> Bool { state >= 0 && accepting[Int(state)] }

    /// Whether every text that goes on from the state matches.
    func isUniversal(_ state: Int32) -> Bool { state >= 0 && universal[Int(state)] }

    /// The state after a symbol.
    func step(_ state: Int32, _ symbol: Int) -> Int32 {
        guard state >= 0 else { return Self.dead }
        let slot = Int(state) * inputs.count + symbol
        if steps[slot] != Self.unknown { return steps[slot] }
        let next = newStep(subsets[Int(state)], symbol)
        steps[slot] = next
        return next
    }

    private func newStep(_ subset: [Int32], _ symbol: Int) -> Int32 {
        let inputs = inputs[symbol]
        let isWhole = countsAsOne && inputs.count > 1
        var current = subset
        for input in inputs {
            var next = Set<Int32>()
            for state in current {
                for edge in pattern.automaton.edges(from: Int(state)) where edge.label.contains(input) {
                    // A wildcard takes all of it or nothing.
                    if isWhole { guard case .symbol = edge.label else { continue } }
                    next.insert(Int32(edge.target))
                }
            }
            budget.spend(current.count * 8 + next.count * 8)
            current = Array(next)
        }
        if isWhole {
            for state in subset {
                for edge in pattern.automaton.edges(from: Int(state)) {
                    switch edge.label {
                    case .any: current.append(Int32(edge.target))
                    case .anyExcept(let other) where !inputs.contains(other): current.append(Int32(edge.target))
                    case .anyExceptSet where inputs.allSatisfy(edge.label.contains):
                        current.append(Int32(edge.target))
                    case .anyExcept, .anyExceptSet, .symbol, .set: break
                    }
                }
            }
            current = Array(Set(current))
        }
        return number(current)
    }

    private func number(_ states: [Int32]) -> Int32 {
        guard !states.isEmpty else { return Self.dead }
        var states = states.sorted()
        // Where every text matches the other states say nothing more.
        if let state = states.first(where: { isUniversalState[Int($0)] }) { states = [state] }
        if let known = numbers[states] { return known }
        let number = Int32(subsets.count)
        numbers[states] = number
        subsets.append(states)
        steps += [Int32](repeating: Self.unknown, count: inputs.count)
        accepting.append(states.contains { pattern.automaton.isAccepting(Int($0)) })
        universal.append(isUniversalState[Int(states[0])])
        distinguished.append(nil)
        budget.spend(inputs.count + states.count * 4)
        return number
    }

    /// The symbols that a state may treat in another way than others of their kind.
    func distinguished(_ state: Int32) -> [Int32] {
        if let known = distinguished[Int(state)] { return known }
        var symbols = Set<Int32>()
        let view = pattern.view
        for state in subsets[Int(state)] {
            var readsEscapes = false
            for edge in pattern.automaton.edges(from: Int(state)) {
                switch edge.label {
                case .any: break
                case .symbol(let input), .anyExcept(let input):
                    symbols.formUnion(alphabet.symbols(of: view, startingWith: input))
                case .set(let set), .anyExceptSet(let set):
                    for byte in set.bytes where byte < 0x80 {
                        symbols.formUnion(alphabet.symbols(of: view, startingWith: UInt32(byte)))
                    }
                }
                readsEscapes = readsEscapes || edge.label.contains(UInt32(UInt8(ascii: "%")))
            }
            // To a pattern that sees bytes they may differ after the percent sign.
            if view.isEncoded, readsEscapes, !isUniversalState[Int(state)] { symbols.formUnion(alphabet.long) }
        }
        let result = symbols.sorted()
        budget.spend(result.count * 4)
        distinguished[Int(state)] = result
        return result
    }

    /// A text with the fewest symbols that matches; nil if there is none, or it takes too much to find.
    func shortestText() -> [Int]? {
        var origins: [Int32: (state: Int32, symbol: Int)] = [start: (Self.dead, 0)]
        var waiting = [start]
        var index = 0
        while index < waiting.count {
            let state = waiting[index]
            index += 1
            guard !budget.isSpent else { return nil }
            if isAccepting(state) {
                var text: [Int] = []
                var current = state
                while let origin = origins[current], origin.state != Self.dead {
                    text.append(origin.symbol)
                    current = origin.state
                }
                return text.reversed()
            }
            for symbol in alphabet.choices([ActiveStates([(0, state)])], [self], budget) {
                let next = step(state, symbol)
                guard next != Self.dead, origins[next] == nil else { continue }
                origins[next] = (state, symbol)
                waiting.append(next)
            }
        }
        return nil
    }
}
