internal import AppSiteAssociation

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
        for path in paths where !order.isHidden(path, behind: nil) {
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
            guard let state = reader.state(behind: text), let matched = reader.matched(state) else { continue }
            result.regions.append(
                TextRegion(matched: matched, text: text.flatMap { stepper.alphabet.symbols[$0].raw }))
        }
        return result
    }

    private func walk(
        _ stepper: JointStepper, wanted: [Bool]?, _ limits: ComparisonLimits, reserve: Int
    ) -> TextRegions {
        let reader = PartReader(stepper, isPath: true, wanted: wanted) { slot, other in
            order.isHidden(numbers[Int(slot)], behind: numbers[Int(other)])
        }
        return TextWalk.regions(reader, limits, budget, reserve: reserve)
    }
}
