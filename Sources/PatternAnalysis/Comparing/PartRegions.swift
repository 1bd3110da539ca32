internal import AppSiteAssociation
internal import URLPatterns

/// The kinds of queries and fragments that conditions tell apart, found when they are needed.
struct PartRegions {
    private let patterns: ComparedPatterns
    private let conditions: ComparedQueries
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    private var knownQueries: [QueryKey: TextRegions] = [:]
    private var knownFragments: [[Int]: TextRegions] = [:]

    init(
        _ patterns: ComparedPatterns, _ queries: ComparedQueries, _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        self.patterns = patterns
        conditions = queries
        self.limits = limits
        self.budget = budget
    }

    /// The kinds of fragments, with the numbers of the patterns that match.
    mutating func fragments(_ numbers: Set<Int>) -> TextRegions {
        guard !numbers.isEmpty else { return TextRegions(regions: [TextRegion(matched: [], text: [])]) }
        let numbers = numbers.sorted()
        if let known = knownFragments[numbers] { return known }
        var joint = JointAutomaton(isPath: false, limit: limits.automata, patterns.variables, budget)
        var added: [Int] = []
        for number in numbers where joint.add(patterns[number].elements, patterns[number].comparison) != nil {
            added.append(number)
        }
        let stepper = JointStepper(joint, URLAlphabet(joint, .fragment), budget)
        let reader = PartReader(stepper, isPath: false)
        let result = named(
            StateSearch.regions(reader, limits, budget), added, isComplete: added.count == numbers.count)
        knownFragments[numbers] = result
        return result
    }

    /// The kinds of queries, with the numbers of the conditions that are met.
    ///
    /// - Parameter isHidden: Whether a condition does not matter where another one is met.
    mutating func queries(_ numbers: Set<Int>, isHidden: (Int, Int) -> Bool) -> TextRegions {
        guard !numbers.isEmpty else { return TextRegions(regions: [TextRegion(matched: [], text: [])]) }
        let numbers = numbers.sorted()
        let wanted = numbers.compactMap { number in
            if case .items(let items) = conditions[number] { items } else { nil }
        }
        guard wanted.count == numbers.count else {
            if let known = knownQueries[QueryKey(numbers: numbers, hidden: [])] { return known }
            let result = walkQueries(numbers)
            knownQueries[QueryKey(numbers: numbers, hidden: [])] = result
            return result
        }
        var hidden: [Bool] = []
        if numbers.count <= 300 {
            budget.spend(numbers.count * numbers.count * 4)
            hidden = numbers.flatMap { number in numbers.map { isHidden(number, $0) } }
        }
        let key = QueryKey(numbers: numbers, hidden: hidden)
        if let known = knownQueries[key] { return known }
        let regions = ItemRegions(wanted, patterns, limits, budget) { condition, other in
            !hidden.isEmpty && hidden[condition * numbers.count + other]
        }
        let result = named(regions.find(), numbers, isComplete: true)
        knownQueries[key] = result
        return result
    }

    private struct QueryKey: Hashable {
        let numbers: [Int]
        let hidden: [Bool]
    }

    private func walkQueries(_ numbers: [Int]) -> TextRegions {
        var joint = JointAutomaton(isPath: false, limit: limits.automata, patterns.variables, budget)
        var added: [Int] = []
        var conditions: [QueryReader.Condition] = []
        var items: [QueryReader.Item] = []
        var roles: [QueryReader.Role] = []
        var isComplete = true
        for number in numbers {
            switch self.conditions[number] {
            case .text(let pattern):
                let pattern = patterns[pattern]
                guard let slot = joint.add(pattern.elements, pattern.comparison) else {
                    isComplete = false
                    continue
                }
                roles.append(.text)
                conditions.append(QueryReader.Condition(text: slot, items: []))
            case .items(let wanted):
                var own: [Int] = []
                for item in wanted {
                    let pattern = patterns[item.value]
                    guard let name = joint.add(item.name.map(PatternElement.byte), item.comparison) else {
                        isComplete = false
                        continue
                    }
                    roles.append(.name(item: items.count))
                    guard let value = joint.add(pattern.elements, pattern.comparison) else {
                        // The name stays without an item.
                        roles[roles.count - 1] = .text
                        isComplete = false
                        continue
                    }
                    roles.append(.value(item: items.count))
                    own.append(items.count)
                    items.append(QueryReader.Item(condition: conditions.count, nameSlot: name, valueSlot: value))
                }
                conditions.append(QueryReader.Condition(text: nil, items: own))
            }
            added.append(number)
        }
        let stepper = JointStepper(joint, URLAlphabet(joint, .query(hasItems: !items.isEmpty)), budget)
        let reader = QueryReader(stepper, conditions: conditions, items: items, roles: roles)
        return named(StateSearch.regions(reader, limits, budget), added, isComplete: isComplete)
    }

    /// The regions with the numbers that the comparison uses.
    private func named(_ found: TextRegions, _ numbers: [Int], isComplete: Bool) -> TextRegions {
        TextRegions(
            regions: found.regions.map { region in
                TextRegion(matched: region.matched.map { Int32(numbers[Int($0)]) }, text: region.text)
            }, isComplete: found.isComplete && isComplete)
    }
}

/// The kinds of paths that may matter: those that a rule matches which the two files do not have in common.
struct PathRegions {
    private var joint: JointAutomaton
    /// The number of the pattern of each slot.
    private var numbers: [Int] = []
    private let order: RuleOrder
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    /// Patterns that are too large to be compared.
    private(set) var leftOut: [Int] = []

    init(
        _ patterns: ComparedPatterns, paths: [Int], _ order: RuleOrder, _ limits: ComparisonLimits,
        _ budget: ComparisonBudget
    ) {
        joint = JointAutomaton(isPath: true, limit: limits.automata, patterns.variables, budget)
        self.order = order
        self.limits = limits
        self.budget = budget
        for path in paths where !order.isHidden(path, after: nil) {
            if joint.add(patterns[path].elements, patterns[path].comparison) == nil {
                leftOut.append(path)
            } else {
                numbers.append(path)
            }
        }
    }

    /// Calls for each kind of path, with the patterns that match and the shortest text; then for each pattern whose kinds
    /// are not all known, nil being the rules for all paths.
    func find(
        _ region: (_ paths: [Int], _ text: [UInt8]) -> Void, leftOpen: (_ path: Int?) -> Void
    ) {
        let stepper = JointStepper(joint, URLAlphabet(joint, .path), budget)
        let moved = numbers.map { order.movedPaths.contains($0) }
        let all = walk(
            stepper, wanted: order.hasMovedRuleForAllPaths ? nil : moved, limits, reserve: budget.rest / 2)
        var seen = Set<[Int32]>()
        func report(_ found: TextRegions) {
            for one in found.regions where seen.insert(one.matched).inserted {
                region(one.matched.map { numbers[Int($0)] }, one.text)
            }
        }
        report(all)
        if all.isComplete { return }
        report(samples(stepper, wanted: moved))
        if order.hasMovedRuleForAllPaths { leftOpen(nil) }
        // Too much at once; most patterns alone lead to few states.
        for slot in numbers.indices where moved[slot] {
            // Not even begun: to begin takes as long as there are patterns.
            guard !budget.isSpent else {
                leftOpen(numbers[slot])
                continue
            }
            var wanted = [Bool](repeating: false, count: numbers.count)
            wanted[slot] = true
            var fewer = limits
            fewer.states = min(limits.states, 20_000)
            let found = walk(stepper, wanted: wanted, fewer, reserve: budget.rest / 4)
            report(found)
            if !found.isComplete { leftOpen(numbers[slot]) }
        }
    }

    /// Texts that are likely to show a change when there are too many kinds to look for all of them: one that each pattern
    /// matches, and one that each two of them may match.
    private func samples(_ stepper: JointStepper, wanted: [Bool]) -> TextRegions {
        let reader = PartReader(stepper, isPath: true)
        let texts = numbers.indices.filter { wanted[$0] }.prefix(500).compactMap { stepper.shortestText(of: $0) }
        let pairs = texts.prefix(50)
        var result = TextRegions()
        for text in texts + pairs.flatMap({ first in pairs.map { first + $0 } }) where !budget.isSpent {
            guard let state = reader.state(after: text), let matched = reader.matched(state) else { continue }
            result.regions.append(
                TextRegion(matched: matched, text: text.flatMap { stepper.alphabet.symbols[$0].raw }))
        }
        return result
    }

    private func walk(
        _ stepper: JointStepper, wanted: [Bool]?, _ limits: ComparisonLimits, reserve: Int
    ) -> TextRegions {
        let reader = PartReader(stepper, isPath: true, wanted: wanted) { slot, other in
            order.isHidden(numbers[Int(slot)], after: numbers[Int(other)])
        }
        return StateSearch.regions(reader, limits, budget, reserve: reserve)
    }
}
