/// The rules of a file that a group of apps meets for URLs of which the matching path patterns are known.
struct RuleProgram {
    struct Step {
        let condition: RuleCondition
        /// The position of the rule in the file.
        let rule: Int

        var excludes: Bool { condition.excludes }

        func isEqual(_ other: Step) -> Bool {
            condition.query == other.condition.query && condition.fragment == other.condition.fragment
                && excludes == other.excludes
        }

        fileprivate var order: (Int, Int) { (condition.query ?? .max, condition.fragment ?? .max) }

        /// Whether the rule matches, if of its conditions only known ones are met.
        func matches(queries: Set<Int>, fragments: Set<Int>) -> Bool {
            (condition.query.map { queries.contains($0) } ?? true)
                && (condition.fragment.map { fragments.contains($0) } ?? true)
        }
    }

    private(set) var steps: [Step] = []
    private var seen = Set<RuleCondition>()
    private(set) var isClosed = false

    /// Adds a rule, unless an earlier one keeps URLs away from it.
    mutating func add(_ rule: Int, _ condition: RuleCondition) {
        let asked = RuleCondition(path: nil, query: condition.query, fragment: condition.fragment, excludes: false)
        guard !isClosed, seen.insert(asked).inserted else { return }
        steps.append(Step(condition: condition, rule: rule))
        isClosed = condition.isPathOnly
    }

    /// The steps in an order of which the meaning does not depend: neighbours that do the same are put in the order of their
    /// conditions.
    private var sorted: [Step] { steps.sortingRuns(of: \.excludes, by: { $0.order < $1.order }) }

    func isEqual(_ other: RuleProgram) -> Bool {
        guard steps.count == other.steps.count else { return false }
        if zip(steps, other.steps).allSatisfy({ $0.isEqual($1) }) { return true }
        return zip(sorted, other.sorted).allSatisfy { $0.isEqual($1) }
    }

    /// The steps of both that are no common beginning.
    func difference(_ other: RuleProgram) -> [Step] {
        let (left, right) = (sorted, other.sorted)
        let common = zip(left, right).prefix { $0.isEqual($1) }.count
        return Array(left.dropFirst(common) + right.dropFirst(common))
    }

    /// The rule that decides.
    func decision(queries: Set<Int>, fragments: Set<Int>) -> Step? {
        steps.first { $0.matches(queries: queries, fragments: fragments) }
    }
}
