internal import URLPatterns

/// A pattern that reads symbol by symbol: the deterministic form of its automaton, made as it is needed.
final class PlaneTrack {
    let pattern: PlanePattern
    private let symbols: [PlaneSymbol]
    private let inputs: [[UInt32]]
    private let isUniversalState: [Bool]
    private var numbers: [[Int32]: Int32] = [:]
    private var subsets: [[Int32]] = []
    private var steps: [Int32] = []
    private var accepting: [Bool] = []
    private var universal: [Bool] = []
    /// Whether a wildcard takes what is written with several bytes or units as one character.
    private let countsAsOne: Bool
    private let budget: ComparisonBudget

    /// The state from which nothing matches.
    static let dead: Int32 = -1
    private static let unknown: Int32 = -2

    init(
        _ pattern: PlanePattern, _ symbols: [PlaneSymbol], isPath: Bool, _ plane: LinkPlane, _ budget: ComparisonBudget
    ) {
        self.pattern = pattern
        countsAsOne = plane == .ordinary
        self.symbols = symbols
        self.budget = budget
        inputs = symbols.map(pattern.view.inputs)
        isUniversalState = pattern.automaton.universalStates(isPath: isPath && pattern.view != .android)
        budget.spend(symbols.count + pattern.automaton.stateCount * 2)
        start = number(pattern.automaton.starts.map(Int32.init))
    }

    private(set) var start: Int32 = 0

    func isAccepting(_ state: Int32) -> Bool { state >= 0 && accepting[Int(state)] }

    /// Whether every text that goes on from the state matches.
    func isUniversal(_ state: Int32) -> Bool { state >= 0 && universal[Int(state)] }

    /// The state after a symbol.
    func step(_ state: Int32, _ symbol: Int) -> Int32 {
        guard state >= 0 else { return Self.dead }
        let slot = Int(state) * symbols.count + symbol
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
        steps += [Int32](repeating: Self.unknown, count: symbols.count)
        accepting.append(states.contains { pattern.automaton.isAccepting(Int($0)) })
        universal.append(isUniversalState[Int(states[0])])
        budget.spend(symbols.count + states.count * 4)
        return number
    }
}
