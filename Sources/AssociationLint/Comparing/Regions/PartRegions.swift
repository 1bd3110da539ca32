internal import AppSiteAssociation

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
            TextWalk.regions(reader, limits, budget), added, isComplete: added.count == numbers.count)
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
        return named(TextWalk.regions(reader, limits, budget), added, isComplete: isComplete)
    }

    /// With the numbers that the comparison uses.
    private func named(_ found: TextRegions, _ numbers: [Int], isComplete: Bool) -> TextRegions {
        TextRegions(
            regions: found.regions.map { region in
                TextRegion(matched: region.matched.map { Int32(numbers[Int($0)]) }, text: region.text)
            }, isComplete: found.isComplete && isComplete)
    }
}
