package import URLPatterns

// The texts of a pattern as automata, whose symbols are UTF-16 units.
extension AndroidPattern {
    /// All texts that the pattern covers; without backtracking the automaton is deterministic.
    package func automaton(reading: WildcardReading = AndroidDecisions.reading) -> PatternAutomaton {
        var states: [[PatternAutomaton.Edge]] = [[]]
        func loop(_ label: PatternAutomaton.Label) {
            states[states.count - 1].append(PatternAutomaton.Edge(label: label, target: states.count - 1))
        }
        func next(_ label: PatternAutomaton.Label) {
            states[states.count - 1].append(PatternAutomaton.Edge(label: label, target: states.count))
            states.append([])
        }
        switch reading {
        case .android:
            for step in steps {
                switch step {
                case .unit(let unit): next(.symbol(UInt32(unit)))
                case .any: next(.any)
                case .skip(let unit):
                    loop(.anyExcept(UInt32(unit)))
                    next(.symbol(UInt32(unit)))
                case .rest: loop(.any)
                }
            }
        case .backtracking:
            for (index, unit) in units.enumerated() {
                switch unit {
                case Self.star: if index == 0 || units[index - 1] != Self.star { loop(.any) }
                case Self.questionMark: next(.any)
                default: next(.symbol(UInt32(unit)))
                }
            }
        }
        return PatternAutomaton(
            percentEncoded: false, states: states, accepting: states.indices.map { $0 == states.count - 1 })
    }
}
