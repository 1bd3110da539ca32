/// Texts of a part of a URL that the same patterns match, and the shortest of them.
struct TextRegion {
    /// The conditions that are satisfied, ascending.
    let satisfied: [Int32]
    /// The text as it is in a URL, with the character before the part; empty if the part is absent.
    let text: [UInt8]
}

/// The kinds of texts of a part.
struct TextRegions {
    /// The shortest first.
    var regions: [TextRegion] = []
    /// Whether there are no others.
    var isComplete = true

    static let nothing = TextRegions(regions: [TextRegion(satisfied: [], text: [])])

    /// The regions with other numbers for the conditions, in the same order.
    func renumbered(_ numbers: [Int]) -> TextRegions {
        TextRegions(
            regions: regions.map { region in
                TextRegion(satisfied: region.satisfied.map { Int32(numbers[Int($0)]) }, text: region.text)
            }, isComplete: isComplete)
    }
}

/// A way to read the texts of a part, symbol by symbol.
protocol TextReader {
    associatedtype State: Hashable
    /// The patterns that read the text.
    var product: ProductAutomaton { get }
    var start: State { get }
    /// The work that it takes to look at a state.
    func cost(_ state: State) -> Int
    /// Calls for each text that ends at the state, with what follows what was read.
    func ends(_ state: State, _ end: (_ satisfied: [Int32], _ suffix: [UInt8]) -> Void)
    /// The symbols that have to be tried in a state.
    func choices(_ state: State) -> [Int]
    /// The state after one more symbol; nil if it is not to be looked at.
    func next(_ state: State, _ symbol: Int) -> State?
}

/// Looks for all kinds of texts, the shortest first.
enum URLSpaceWalk {
    /// - Parameters:
    ///   - prefix: The character that stands before a text.
    ///   - reserve: The part of the budget that it leaves to others.
    static func regions<Reader: TextReader>(
        _ reader: Reader, prefix: [UInt8] = [], _ limits: ComparisonLimits, _ budget: ComparisonBudget,
        reserve: Int = 0
    ) -> TextRegions {
        var states = [reader.start]
        var numbers = [reader.start: 0]
        var origins: [(state: Int, symbol: Int)] = [(-1, -1)]
        var lengths = [0]
        var isDone = [false]
        // The states that wait, by the length of their texts.
        var waiting: [[Int]] = [[0]]
        var found: [TextRegion] = []
        var regionNumbers: [[Int32]: Int] = [:]
        var isComplete = true
        var held = 0
        let symbols = reader.product.symbols

        func text(_ state: Int) -> [UInt8] {
            var pieces: [[UInt8]] = []
            var state = state
            while origins[state].state >= 0 {
                pieces.append(symbols[origins[state].symbol].raw)
                state = origins[state].state
            }
            return prefix + pieces.reversed().joined()
        }

        var length = 0
        search: while length < waiting.count {
            var index = 0
            while index < waiting[length].count {
                let number = waiting[length][index]
                index += 1
                guard !isDone[number] else { continue }
                isDone[number] = true
                let state = states[number]
                reader.ends(state) { satisfied, suffix in
                    let known = regionNumbers[satisfied]
                    if let known, found[known].text.count <= prefix.count + length + suffix.count { return }
                    let region = TextRegion(satisfied: satisfied, text: text(number) + suffix)
                    held += length + satisfied.count
                    budget.spend(length + satisfied.count * 4)
                    if let known {
                        found[known] = region
                    } else {
                        regionNumbers[satisfied] = found.count
                        found.append(region)
                    }
                }
                let choices = reader.choices(state)
                for symbol in choices {
                    guard let next = reader.next(state, symbol) else { continue }
                    budget.spend(60)
                    let nextLength = length + symbols[symbol].raw.count
                    if let known = numbers[next] {
                        guard nextLength < lengths[known], !isDone[known] else { continue }
                        lengths[known] = nextLength
                        states[known] = next
                        origins[known] = (number, symbol)
                        add(known, nextLength, to: &waiting)
                    } else if states.count < limits.states, held < limits.held {
                        held += reader.cost(next)
                        numbers[next] = states.count
                        lengths.append(nextLength)
                        origins.append((number, symbol))
                        isDone.append(false)
                        add(states.count, nextLength, to: &waiting)
                        states.append(next)
                    } else {
                        isComplete = false
                    }
                }
                budget.spend(reader.cost(state) * choices.count * 2)
                if budget.rest <= reserve {
                    isComplete = false
                    break search
                }
            }
            waiting[length] = []
            length += 1
        }
        // Of texts of one length the nicest was found first.
        let order = found.indices.sorted { (found[$0].text.count, $0) < (found[$1].text.count, $1) }
        return TextRegions(regions: order.map { found[$0] }, isComplete: isComplete)
    }

    private static func add(_ state: Int, _ length: Int, to waiting: inout [[Int]]) {
        while waiting.count <= length { waiting.append([]) }
        waiting[length].append(state)
    }
}

extension URLSpaceWalk {
    /// The kinds of fragments that patterns tell apart, also of those that are absent.
    static func fragments(
        _ patterns: [PartPattern], _ space: URLSpace, _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) -> TextRegions {
        guard !patterns.isEmpty else { return .nothing }
        let product = ProductAutomaton(patterns, .fragment, space, budget)
        let found = regions(PlainTextReader(product), prefix: [UInt8(ascii: "#")], limits, budget)
        // Apple's rules see no fragment as an empty one.
        return found.with(absent: patterns.indices.filter { patterns[$0].view != .android && product.takesNothing($0) })
    }

    /// The kinds of queries that conditions tell apart, also of those that are absent.
    ///
    /// - Parameter patterns: Those that the conditions name by their numbers.
    static func queries(
        _ conditions: [QueryCondition], _ patterns: [PartPattern], _ space: URLSpace, _ limits: ComparisonLimits,
        _ budget: ComparisonBudget
    ) -> TextRegions {
        guard !conditions.isEmpty else { return .nothing }
        let hasItems = conditions.contains { if case .items = $0 { true } else { false } }
        let product = ProductAutomaton(patterns, .query(hasItems: hasItems), space, spares: 5, budget)
        let found = regions(QueryItemReader(product, conditions), prefix: [UInt8(ascii: "?")], limits, budget)
        let absent = conditions.indices.filter { index in
            switch conditions[index] {
            case .text(let number): product.takesNothing(number)
            case .entry: false
            case .items(let items): items.allSatisfy { product.takesNothing($0.value) }
            }
        }
        return found.with(absent: absent)
    }
}

extension TextRegions {
    /// The regions with that of the absent part, of which these conditions are satisfied.
    fileprivate func with(absent: [Int]) -> TextRegions {
        let absent = TextRegion(satisfied: absent.map(Int32.init), text: [])
        return TextRegions(
            regions: [absent] + regions.filter { $0.satisfied != absent.satisfied }, isComplete: isComplete)
    }
}
