internal import AppSiteAssociation
internal import URLPatterns

/// The kinds of queries that conditions for items tell apart, found name by name: without an item of the name, with one, and
/// with several.
///
/// The order of names is of no importance to these conditions, so the number of kinds does not grow with the number of
/// names as it does for texts.
struct ItemRegions {
    private let conditions: [[QueryCondition.Item]]
    private let patterns: ComparedPatterns
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    /// Whether a condition does not matter where another one is satisfied.
    private let isHidden: (Int, Int) -> Bool

    /// An item of a condition, and the condition.
    private struct Position {
        let condition: Int
        /// The number of the name among the distinct names.
        let name: Int
        let value: Int
    }

    /// A way to write the items of a name.
    private struct Option {
        /// The items that it does not match, ascending, as positions.
        let failing: [Int32]
        let text: [UInt8]
    }

    init(
        _ conditions: [[QueryCondition.Item]], _ patterns: ComparedPatterns, _ limits: ComparisonLimits,
        _ budget: ComparisonBudget, isHidden: @escaping (Int, Int) -> Bool
    ) {
        self.conditions = conditions
        self.patterns = patterns
        self.limits = limits
        self.budget = budget
        self.isHidden = isHidden
    }

    /// The kinds of queries, with the positions of the conditions that are satisfied, without those that do not matter.
    func find() -> TextRegions {
        var result = TextRegions()
        // In the order in which the conditions ask for them.
        var names: [Int] = []
        var numbers: [Int: Int] = [:]
        var positions: [Position] = []
        for (index, condition) in conditions.enumerated() {
            for item in condition {
                let number = numbers[item.name, default: names.count]
                if number == names.count {
                    numbers[item.name] = number
                    names.append(item.name)
                }
                positions.append(Position(condition: index, name: number, value: item.value))
            }
        }
        var values = ValueKinds(patterns, limits, budget)
        // Texts that may be a name to some of the conditions, those of the first conditions first.
        let kinds = values.kinds(names.map { patterns[$0] }, without: [.itemEnd, .nameEnd])
        let texts = kinds.regions.filter { !$0.satisfied.isEmpty }
            .sorted { ($0.satisfied[0], $0.text.count) < ($1.satisfied[0], $1.text.count) }
        result.isComplete = kinds.isComplete

        var positionsOfName = [[Int]](repeating: [], count: names.count)
        for (index, position) in positions.enumerated() { positionsOfName[position.name].append(index) }
        var lastText = [Int](repeating: -1, count: names.count)
        for (index, text) in texts.enumerated() { for name in text.satisfied { lastText[Int(name)] = index } }
        // The last text that matters to each condition.
        var lastOfCondition = [Int](repeating: -1, count: conditions.count)
        var start = State()
        for position in positions {
            let last = lastText[position.name]
            lastOfCondition[position.condition] = max(lastOfCondition[position.condition], last)
            if last < 0, !values.takesNothing(position.value) { start.lost.append(Int32(position.condition)) }
        }
        start.lost = Set(start.lost).sorted()
        var states = States(start, limit: limits.states)
        for (index, text) in texts.enumerated() {
            let own = text.satisfied.flatMap { positionsOfName[Int($0)] }.sorted()
            budget.spend(conditions.count + own.count * 20)
            guard !budget.isSpent else {
                result.isComplete = false
                break
            }
            let options = self.options(text.text, own, positions, &values, &result)
            let needed = own.filter { !values.takesNothing(positions[$0].value) }.map(Int32.init)
            let ending = Set(needed.filter { lastText[positions[Int($0)].name] == index })
            let decided = conditions.indices.filter { lastOfCondition[$0] <= index }
            states = step(states, options, positions, needed: needed, ending: ending, decided: decided)
            if !states.isComplete { result.isComplete = false }
        }
        // Where not all names were looked at, what was found says nothing.
        guard !budget.isSpent else { return result }
        var seen = Set<[Int32]>()
        for (state, items) in states.all.sorted(by: { $0.text.count < $1.text.count }) {
            let lost = Set(state.lost)
            budget.spend(conditions.count * 4)
            guard !budget.isSpent else {
                result.isComplete = false
                break
            }
            let satisfied = conditions.indices.map(Int32.init).filter { !lost.contains($0) }
            if seen.insert(satisfied).inserted {
                let text = items.isEmpty ? [] : [UInt8(ascii: "?")] + items
                result.regions.append(TextRegion(satisfied: satisfied, text: text))
            }
        }
        return result
    }

    /// The state of the conditions after the items so far.
    private struct State: Hashable {
        /// Conditions that are not satisfied or do not matter, ascending.
        var lost: [Int32] = []
        /// The items of others that have been seen while their names may still come, ascending.
        var seen: [Int32] = []
    }

    /// States, each with a shortest text, in the order in which they were found.
    private struct States {
        private(set) var all: [(state: State, text: [UInt8])] = []
        private(set) var isComplete = true
        private var numbers: [State: Int] = [:]
        private let limit: Int

        init(_ start: State? = nil, limit: Int) {
            self.limit = limit
            if let start { add(start, []) }
        }

        mutating func add(_ state: State, _ text: [UInt8]) {
            if let known = numbers[state] {
                if text.count < all[known].text.count { all[known].text = text }
            } else if all.count < limit {
                numbers[state] = all.count
                all.append((state, text))
            } else {
                isComplete = false
            }
        }
        mutating func end() { isComplete = false }
    }

    private func options(
        _ name: [UInt8], _ own: [Int], _ positions: [Position], _ values: inout ValueKinds, _ result: inout TextRegions
    ) -> [Option] {
        let numbers = Set(own.map { positions[$0].value }).sorted()
        let kinds = values.kinds(numbers)
        if !kinds.isComplete { result.isComplete = false }
        var options: [Option] = []
        var seen = Set<[Int32]>()
        for kind in kinds.regions {
            let matched = Set(kind.satisfied)
            budget.spend(own.count * 4 + matched.count * 4)
            let failing = own.filter { !matched.contains(Int32(positions[$0].value)) }.map(Int32.init)
            guard seen.insert(failing).inserted else { continue }
            let item = kind.text.isEmpty && !name.isEmpty ? name : name + [UInt8(ascii: "=")] + kind.text
            options.append(Option(failing: failing, text: item))
        }
        // Several items of a name have to match all at once.
        let singles = options
        var first = 0
        while first < options.count {
            for single in singles {
                let failing = Set(options[first].failing).union(single.failing).sorted()
                budget.spend(20 + failing.count * 4)
                guard seen.insert(failing).inserted else { continue }
                guard options.count < 2_000, !budget.isSpent else {
                    result.isComplete = false
                    return options
                }
                options.append(Option(failing: failing, text: options[first].text + [UInt8(ascii: "&")] + single.text))
            }
            first += 1
        }
        return options
    }

    /// The states after the items of one more name.
    private func step(
        _ states: States, _ options: [Option], _ positions: [Position], needed: [Int32], ending: Set<Int32>,
        decided: [Int]
    ) -> States {
        var next = States(limit: limits.states)
        for (state, text) in states.all {
            for option in [nil] + options.map(Optional.some) {
                budget.spend(
                    100 + conditions.count * 10 + (state.lost.count + state.seen.count + needed.count + ending.count)
                        * 8
                        + text.count * 2)
                guard !budget.isSpent else {
                    next.end()
                    return next
                }
                var lost = Set(state.lost)
                var seen = Set(state.seen)
                if let option {
                    for position in option.failing { lost.insert(Int32(positions[Int(position)].condition)) }
                    seen.formUnion(needed)
                }
                for position in ending where !seen.contains(position) {
                    lost.insert(Int32(positions[Int(position)].condition))
                }
                seen.subtract(ending)
                hide(&lost, after: decided)
                let kept = seen.filter { !lost.contains(Int32(positions[Int($0)].condition)) }
                let separator: [UInt8] = text.isEmpty ? [] : [UInt8(ascii: "&")]
                next.add(
                    State(lost: lost.sorted(), seen: kept.sorted()), option.map { text + separator + $0.text } ?? text)
            }
        }
        return next
    }

    /// Drops the conditions that do not matter where others are satisfied.
    private func hide(_ lost: inout Set<Int32>, after decided: [Int]) {
        for other in decided where !lost.contains(Int32(other)) {
            budget.spend(conditions.count * 4)
            for condition in conditions.indices
            where condition != other && !lost.contains(Int32(condition)) && isHidden(condition, other) {
                lost.insert(Int32(condition))
            }
        }
    }
}

/// The kinds of names and values that patterns tell apart.
struct ValueKinds {
    private let patterns: ComparedPatterns
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    private var known: [Int: Bool] = [:]
    private var knownKinds: [[Int]: TextRegions] = [:]

    init(_ patterns: ComparedPatterns, _ limits: ComparisonLimits, _ budget: ComparisonBudget) {
        self.patterns = patterns
        self.limits = limits
        self.budget = budget
    }

    /// Whether a pattern matches the value of an item that is missing.
    mutating func takesNothing(_ number: Int) -> Bool {
        if let known = known[number] { return known }
        let pattern = patterns[number]
        let isMatch = budget.lend {
            PatternMatcher.matches(pattern.elements, [], percentEncoded: pattern.comparison.percentEncoded, &$0)
        }
        known[number] = isMatch
        return isMatch ?? false
    }

    /// The kinds of values, with the numbers of the patterns that match.
    mutating func kinds(_ numbers: [Int]) -> TextRegions {
        if let known = knownKinds[numbers] { return known }
        let result = kinds(numbers.map { patterns[$0] }, without: .itemEnd).renumbered(numbers)
        knownKinds[numbers] = result
        return result
    }

    /// The kinds of texts, with the positions of the patterns that match.
    func kinds(_ patterns: [ComparedPatterns.Pattern], without excluded: URLSymbol.Kind) -> TextRegions {
        var own = PatternGroup(self.patterns, limits, budget)
        let added = patterns.indices.filter { own.add(patterns[$0]) != nil }
        let product = ProductAutomaton(own.patterns, .query(hasItems: true), .apple, budget)
        var found = URLSpaceWalk.regions(PlainTextReader(product, without: excluded), limits, budget)
            .renumbered(added)
        if added.count < patterns.count { found.isComplete = false }
        return found
    }
}
