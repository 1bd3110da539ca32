internal import URLPatterns

/// Goes through the kinds of URLs of a space that the rules of two sides tell apart.
struct URLSpaceSearch {
    private let patterns: PatternTable
    private let programs: [[ComparedRule]]
    private let leftCount: Int
    private let space: URLSpace
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    private var knownQueries: [[Int]: TextRegions] = [:]
    private var knownFragments: [[Int]: TextRegions] = [:]

    /// A kind of URLs, and the rule of each program that decides about them.
    struct Kind {
        let left: [ComparedRule?]
        let right: [ComparedRule?]
        /// The shortest URL, from its path on.
        let text: [UInt8]
    }

    init(
        _ patterns: PatternTable, _ left: ComparedSide, _ right: ComparedSide, _ space: URLSpace,
        _ limits: ComparisonLimits, _ budget: ComparisonBudget
    ) {
        self.patterns = patterns
        programs = left.programs + right.programs
        leftCount = left.programs.count
        self.space = space
        self.limits = limits
        self.budget = budget
    }

    /// Calls for each kind of URLs that is found, those with shorter paths first.
    ///
    /// - Returns: The rules of both sides of which not all kinds of URLs are known.
    mutating func run(_ body: (Kind) -> Void) -> (left: Set<Int>, right: Set<Int>) {
        let paths = pathRegions()
        var open: (left: Set<Int>, right: Set<Int>) = ([], [])
        func leave(_ rules: [[ComparedRule]]) {
            open.left.formUnion(rules[..<leftCount].joined().map(\.number))
            open.right.formUnion(rules[leftCount...].joined().map(\.number))
        }
        if !paths.isComplete { leave(programs) }
        for path in paths.regions {
            let satisfied = Set(path.satisfied.map(Int.init))
            let rules = programs.map { rules in
                budget.spend(rules.count)
                return Self.asked(rules.filter { $0.path.map(satisfied.contains) ?? true })
            }
            guard !budget.isSpent else {
                leave(rules)
                continue
            }
            if !run(path.text, rules, body) { leave(rules) }
        }
        return open
    }

    /// The rules up to the first that asks for nothing more.
    private static func asked(_ rules: [ComparedRule]) -> [ComparedRule] {
        guard let last = rules.firstIndex(where: \.isPathOnly) else { return rules }
        return Array(rules[...last])
    }

    private mutating func run(_ path: [UInt8], _ rules: [[ComparedRule]], _ body: (Kind) -> Void) -> Bool {
        let queries = queryRegions(Set(rules.joined().flatMap(\.queries)).sorted())
        let fragments = fragmentRegions(Set(rules.joined().compactMap(\.fragment)).sorted())
        for query in queries.regions {
            let satisfiedQueries = Set(query.satisfied.map(Int.init))
            for fragment in fragments.regions {
                let satisfiedFragments = Set(fragment.satisfied.map(Int.init))
                let decided = rules.map { rules in
                    rules.first { rule in
                        rule.queries.allSatisfy(satisfiedQueries.contains)
                            && rule.fragment.map(satisfiedFragments.contains) ?? true
                    }
                }
                budget.spend(20 + rules.reduce(0) { $0 + $1.count } * 2)
                guard !budget.isSpent else { return false }
                body(
                    Kind(
                        left: Array(decided[..<leftCount]), right: Array(decided[leftCount...]),
                        text: path + query.text + fragment.text))
            }
        }
        return queries.isComplete && fragments.isComplete
    }

    private func pathRegions() -> TextRegions {
        let slash = [UInt8(ascii: "/")]
        guard !patterns.paths.isEmpty else { return TextRegions(regions: [TextRegion(satisfied: [], text: slash)]) }
        let product = ProductAutomaton(patterns.paths, .path, space, budget)
        let order = PathOrder(programs, product)
        let reader = PathReader(product) { order.important($0) }
        return URLSpaceWalk.regions(reader, prefix: slash, limits, budget, reserve: budget.rest / 3)
    }

    private mutating func fragmentRegions(_ numbers: [Int]) -> TextRegions {
        if let known = knownFragments[numbers] { return known }
        let found = URLSpaceWalk.fragments(numbers.map { patterns.fragments[$0] }, space, limits, budget)
        let result = found.renumbered(numbers)
        knownFragments[numbers] = result
        return result
    }

    private mutating func queryRegions(_ numbers: [Int]) -> TextRegions {
        if let known = knownQueries[numbers] { return known }
        // The patterns that these conditions need, with numbers of their own.
        var used: [Int] = []
        var slots: [Int: Int] = [:]
        func slot(_ pattern: Int) -> Int {
            if let known = slots[pattern] { return known }
            slots[pattern] = used.count
            used.append(pattern)
            return used.count - 1
        }
        let conditions = numbers.compactMap { patterns.queries[$0].renumbered(slot) }
        let found = URLSpaceWalk.queries(conditions, used.map { patterns.texts[$0] }, space, limits, budget)
        let result = found.renumbered(numbers)
        knownQueries[numbers] = result
        return result
    }
}
