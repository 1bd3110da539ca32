internal import URLPatterns

/// Looks for a text that some patterns match and others do not, by their automata.
enum PatternSearch {
    enum Result: Equatable {
        /// A shortest one.
        case text([UInt16])
        case none
        /// It took too much to find out.
        case unknown
    }

    /// The texts that are looked for.
    enum Texts {
        case all
        /// Those that begin with `/`.
        case paths
        /// Those without the `&` that separates the items of a query.
        case items
        /// Those that a person would write for a path: no empty segment, letters and digits around all other characters.
        case plainPaths
        /// The same for another part of a URL.
        case plainTexts
    }

    /// - Parameters:
    ///   - matching: Automata that accept the text, at least one.
    ///   - others: Automata that do not.
    ///   - units: The characters that the patterns name, as in `TextPattern.units`.
    static func text(
        _ texts: Texts, _ matching: [PatternAutomaton], butNot others: [PatternAutomaton] = [], units: [UInt16],
        _ budget: inout WorkBudget
    ) -> Result {
        let symbols = symbols(units)
        budget.spend(units.count * 16)
        var subsets = (matching + others).map(StateSubsets.init)
        let start = State(texts: 0, subsets: subsets.map(\.start))
        var states = [start]
        var seen: Set<State> = [start]
        var origins: [(state: Int, symbol: UInt16)] = [(-1, 0)]
        var next = 0
        while next < states.count {
            let state = states[next]
            if texts.accepts(state.texts),
                subsets.indices.allSatisfy({ index in
                    subsets[index].isAccepting(state.subsets[index]) == (index < matching.count)
                })
            {
                var text: [UInt16] = []
                while origins[next].state >= 0 {
                    text.append(origins[next].symbol)
                    next = origins[next].state
                }
                return .text(text.reversed())
            }
            for symbol in symbols {
                guard let following = texts.step(state.texts, symbol) else { continue }
                var target = State(texts: following, subsets: state.subsets)
                for index in subsets.indices {
                    target.subsets[index] = subsets[index].step(state.subsets[index], UInt32(symbol), &budget)
                }
                budget.spend(16 + 4 * subsets.count)
                guard !budget.isSpent, states.count <= WorkBudget.productStates else { return .unknown }
                let isDead = matching.indices.contains { subsets[$0].isDead(target.subsets[$0]) }
                guard !isDead, seen.insert(target).inserted else { continue }
                states.append(target)
                origins.append((next, symbol))
            }
            next += 1
        }
        return .none
    }

    private struct State: Hashable {
        let texts: Int
        var subsets: [Int]
    }

    /// A character for each range that the patterns do not tell apart, the plainest first.
    private static func symbols(_ units: [UInt16]) -> [UInt16] {
        let named = units + "/.".utf16
        let starts = Set(named + named.filter { $0 < .max }.map { $0 + 1 } + [0]).sorted()
        let symbols = starts.indices.map { index in
            let end = index + 1 < starts.count ? starts[index + 1] : .max
            return plain.first { $0 >= starts[index] && $0 < end } ?? starts[index]
        }
        return plain.filter(Set(symbols).contains) + symbols.filter { !plain.contains($0) }
    }

    private static let plain = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890".utf16)
}

extension PatternSearch.Texts {
    /// Whether a text may end in a state of its own automaton: 0 is its start, 1 is behind `/`, 2 behind a letter, 3 behind
    /// another character.
    fileprivate func accepts(_ state: Int) -> Bool {
        switch self {
        case .all, .items: true
        case .paths: state != 0
        case .plainPaths: state == 1 || state == 2
        case .plainTexts: state == 2
        }
    }

    fileprivate func step(_ state: Int, _ symbol: UInt16) -> Int? {
        let isSlash = symbol == UInt16(ascii: "/")
        switch self {
        case .all: return 0
        case .items: return symbol == UInt16(ascii: "&") ? nil : 0
        case .paths: return state == 0 && !isSlash ? nil : 1
        case .plainPaths, .plainTexts:
            let isPath = self == .plainPaths
            if isSlash { return state == 0 || state == 2 ? (isPath ? 1 : 3) : nil }
            guard state != 0 || !isPath, let scalar = Unicode.Scalar(symbol) else { return nil }
            if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return 2 }
            return state == 2 && Self.marks.contains(scalar) ? 3 : nil
        }
    }

    private static let marks = Set("-._~=+,:@!()".unicodeScalars)
}
