/// Looks for all kinds of texts, the shortest first.
enum StateSearch {
    /// - Parameters:
    ///   - limits: how many states it may come to, and how much they may hold.
    ///   - reserve: how much of the budget it leaves to others.
    static func regions(
        _ reader: some TextReader, _ limits: ComparisonLimits, _ budget: ComparisonBudget, reserve: Int = 0
    ) -> TextRegions {
        var held = 0
        var reader = reader
        let symbols = reader.symbols
        var states = [reader.start]
        var numbers = [reader.start: 0]
        var origins: [(state: Int32, symbol: Int32)] = [(-1, -1)]
        var lengths = [0]
        var isDone = [false]
        // The states that wait, by the length of their texts; a symbol has at most twelve bytes.
        var waiting: [[Int32]] = [[0]]
        var result = TextRegions()
        var seen = Set<[Int32]>()
        budget.spend(reader.start.live.count)

        func text(_ state: Int) -> [UInt8] {
            var pieces: [[UInt8]] = []
            var state = state
            while origins[state].state >= 0 {
                pieces.append(symbols[Int(origins[state].symbol)].raw)
                state = Int(origins[state].state)
            }
            return Array(pieces.reversed().joined())
        }

        var length = 0
        while length < waiting.count {
            var index = 0
            while index < waiting[length].count {
                let number = Int(waiting[length][index])
                index += 1
                guard !isDone[number] else { continue }
                isDone[number] = true
                let state = states[number]
                if let matched = reader.matched(state), seen.insert(matched).inserted {
                    result.regions.append(TextRegion(matched: matched, text: text(number)))
                    budget.spend(length + matched.count * 2)
                    held += length + matched.count
                }
                guard budget.rest > reserve, held <= limits.held else {
                    result.isComplete = false
                    return result
                }
                for (symbol, next) in reader.successors(state) {
                    let nextLength = length + symbols[symbol].raw.count
                    budget.spend(50 + next.live.count * 3)
                    if let known = numbers[next] {
                        guard nextLength < lengths[known], !isDone[known] else { continue }
                        lengths[known] = nextLength
                        origins[known] = (Int32(number), Int32(symbol))
                        Self.add(known, nextLength, to: &waiting)
                    } else if states.count < limits.states {
                        held += next.live.count + next.decided.count
                        numbers[next] = states.count
                        lengths.append(nextLength)
                        origins.append((Int32(number), Int32(symbol)))
                        isDone.append(false)
                        Self.add(states.count, nextLength, to: &waiting)
                        states.append(next)
                    } else {
                        result.isComplete = false
                    }
                }
            }
            waiting[length] = []
            length += 1
        }
        return result
    }

    private static func add(_ state: Int, _ length: Int, to waiting: inout [[Int32]]) {
        while waiting.count <= length { waiting.append([]) }
        waiting[length].append(Int32(state))
    }
}

/// A way to read texts, symbol by symbol.
protocol TextReader {
    var start: JointState { get }
    var symbols: [URLSymbol] { get }
    /// The patterns that match a text that ends here, ascending; nil if none can, or none is wanted.
    func matched(_ state: JointState) -> [Int32]?
    /// The states after one more symbol, each with its symbol, as far as they are wanted.
    mutating func successors(_ state: JointState) -> [(symbol: Int, state: JointState)]
}

/// Texts that the same patterns match, and the shortest of them.
struct TextRegion {
    /// The patterns that match, ascending.
    let matched: [Int32]
    let text: [UInt8]
}

/// The kinds of texts that there are.
struct TextRegions {
    /// The shortest first.
    var regions: [TextRegion] = []
    /// Whether there are no others.
    var isComplete = true
}
