internal import AppSiteAssociation
internal import URLPatterns

/// The kinds of queries and fragments that conditions tell apart, found when they are needed.
struct PartRegions {
    private let patterns: ComparedPatterns
    private let conditions: QueryTable
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    private var knownQueries: [QueryKey: TextRegions] = [:]
    private var knownFragments: [[Int]: TextRegions] = [:]

    init(
        _ patterns: ComparedPatterns, _ queries: QueryTable, _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        self.patterns = patterns
        conditions = queries
        self.limits = limits
        self.budget = budget
    }

    /// The kinds of fragments, with the numbers of the patterns that match.
    mutating func fragments(_ numbers: Set<Int>) -> TextRegions {
        let numbers = numbers.sorted()
        if let known = knownFragments[numbers] { return known }
        var own = PatternGroup(patterns, limits, budget)
        let added = numbers.filter { own.add(patterns[$0]) != nil }
        var result = URLSpaceWalk.fragments(own.patterns, .apple, limits, budget).renumbered(added)
        if added.count < numbers.count { result.isComplete = false }
        knownFragments[numbers] = result
        return result
    }

    /// The kinds of queries, with the numbers of the conditions that are satisfied.
    ///
    /// - Parameter isHidden: Whether a condition does not matter where another one is satisfied.
    mutating func queries(_ numbers: Set<Int>, isHidden: (Int, Int) -> Bool) -> TextRegions {
        guard !numbers.isEmpty else { return .nothing }
        let numbers = numbers.sorted()
        let wanted = numbers.compactMap { number in
            if case .items(let items) = conditions[number] { items } else { nil }
        }
        guard wanted.count == numbers.count else {
            let key = QueryKey(numbers: numbers, hidden: [])
            if let known = knownQueries[key] { return known }
            let result = walkQueries(numbers)
            knownQueries[key] = result
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
        let result = regions.find().renumbered(numbers)
        knownQueries[key] = result
        return result
    }

    private struct QueryKey: Hashable {
        let numbers: [Int]
        let hidden: [Bool]
    }

    /// The kinds of queries where some conditions are on the whole text.
    private func walkQueries(_ numbers: [Int]) -> TextRegions {
        var own = PatternGroup(patterns, limits, budget)
        var (added, asked): ([Int], [QueryCondition]) = ([], [])
        for number in numbers {
            guard let condition = conditions[number].renumbered({ own.add(patterns[$0]) }) else { continue }
            asked.append(condition)
            added.append(number)
        }
        var result = URLSpaceWalk.queries(asked, own.patterns, .apple, limits, budget).renumbered(added)
        if added.count < numbers.count { result.isComplete = false }
        return result
    }
}

/// Patterns that are read side by side, as far as they are not too large for it.
struct PatternGroup {
    private(set) var patterns: [PartPattern] = []
    private let variables: PatternVariables
    private let isPath: Bool
    private let budget: ComparisonBudget
    /// The number of states that may still be added.
    private var room: Int

    init(
        _ patterns: ComparedPatterns, isPath: Bool = false, _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        variables = patterns.variables
        self.isPath = isPath
        self.budget = budget
        room = limits.automata
    }

    /// Adds a pattern, and returns its number; nil if it is too large.
    mutating func add(_ pattern: ComparedPatterns.Pattern) -> Int? {
        guard !budget.isSpent else { return nil }
        var size = PatternAutomaton.Budget()
        size.states = min(size.states, room)
        size.edges = min(size.edges, room * 4)
        let made = PartPattern(pattern.elements, pattern.comparison, isPath: isPath, variables, size: size, budget)
        guard let made, made.automaton.stateCount <= room else { return nil }
        room -= max(made.automaton.stateCount, made.automaton.edgeCount / 4)
        patterns.append(made)
        return patterns.count - 1
    }
}

/// The kinds of paths that may matter: those that a rule matches which the two files do not have in common.
struct PathRegions {
    private let product: ProductAutomaton
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
        self.order = order
        self.limits = limits
        self.budget = budget
        var own = PatternGroup(patterns, isPath: true, limits, budget)
        for path in paths where !order.isHidden(path, after: nil) {
            if own.add(patterns[path]) == nil {
                leftOut.append(path)
            } else {
                numbers.append(path)
            }
        }
        product = ProductAutomaton(own.patterns, .path, .apple, budget)
    }

    /// Calls for each kind of path, with the patterns that match and the shortest text; then for each pattern whose kinds
    /// are not all known, nil being the rules for all paths.
    func find(
        _ region: (_ paths: [Int], _ text: [UInt8]) -> Void, leftOpen: (_ path: Int?) -> Void
    ) {
        let moved = numbers.map { order.movedPaths.contains($0) }
        let all = walk(
            wanted: order.hasMovedRuleForAllPaths ? nil : moved, limits, reserve: budget.rest / 2)
        var seen = Set<[Int32]>()
        func report(_ found: TextRegions) {
            for one in found.regions where seen.insert(one.satisfied).inserted {
                region(one.satisfied.map { numbers[Int($0)] }, one.text)
            }
        }
        report(all)
        if all.isComplete { return }
        report(samples(wanted: moved))
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
            let found = walk(wanted: wanted, fewer, reserve: budget.rest / 4)
            report(found)
            if !found.isComplete { leftOpen(numbers[slot]) }
        }
    }

    /// Texts that are likely to show a change when there are too many kinds to look for all of them: one that each pattern
    /// matches, and one that each two of them may match.
    private func samples(wanted: [Bool]) -> TextRegions {
        let reader = ApplePathReader(product, budget)
        let texts = numbers.indices.filter { wanted[$0] }.prefix(500).compactMap { product.automata[$0].shortestText() }
        let pairs = texts.prefix(50)
        var result = TextRegions()
        for text in texts + pairs.flatMap({ first in pairs.map { first + $0 } }) where !budget.isSpent {
            guard let state = reader.state(after: text), let matched = reader.matched(state) else { continue }
            result.regions.append(
                TextRegion(satisfied: matched, text: text.flatMap { product.symbols[$0].raw }))
        }
        return result
    }

    private func walk(
        wanted: [Bool]?, _ limits: ComparisonLimits, reserve: Int
    ) -> TextRegions {
        let reader = ApplePathReader(product, wanted: wanted, budget) { slot, other in
            order.isHidden(numbers[Int(slot)], after: numbers[Int(other)])
        }
        return URLSpaceWalk.regions(reader, limits, budget, reserve: reserve)
    }
}
