internal import AppSiteAssociation
internal import URLPatterns

/// Goes through the kinds of URLs and collects what changes.
struct ChangeSearch {
    private let old: ComparedFile
    private let new: ComparedFile
    private let patterns: ComparedPatterns
    private let groups: [AppGroup]
    /// The groups of each entry.
    private let oldGroups: [[Int]]
    private let newGroups: [[Int]]
    private let order: RuleOrder
    private let verifier: CounterexampleVerifier
    private let limits: ComparisonLimits
    private let budget: ComparisonBudget
    private var parts: PartRegions
    /// The rules of each path pattern, as indices in their files; nil for the rules for all paths.
    private let oldRules: [Int?: [Int]]
    private let newRules: [Int?: [Int]]
    private var changes: [GroupDecisions.Pair: LinkChange] = [:]
    private var undecided = Set<GroupDecisions.Pair>()

    init(
        old oldDocument: AssociationDocument, new newDocument: AssociationDocument, host: String,
        limits: ComparisonLimits
    ) {
        var patterns = ComparedPatterns()
        var queries = QueryTable()
        let oldParsers = PatternParsers(oldDocument.appLinks?.substitutionVariables ?? SubstitutionVariables())
        let newParsers = PatternParsers(newDocument.appLinks?.substitutionVariables ?? SubstitutionVariables())
        old = ComparedFile(oldDocument, oldParsers, &patterns, &queries)
        new = ComparedFile(newDocument, newParsers, &patterns, &queries)
        self.patterns = patterns
        self.limits = limits
        budget = ComparisonBudget(limits.work)
        groups = AppGroup.groups(old: old, new: new)
        oldGroups = AppGroup.ofEntries(groups, \.old, count: old.entries.count)
        newGroups = AppGroup.ofEntries(groups, \.new, count: new.entries.count)
        order = RuleOrder(old, new, groups, budget)
        parts = PartRegions(patterns, queries, limits, budget)
        verifier = CounterexampleVerifier(
            old: ReferenceMatcher(oldDocument, oldParsers), new: ReferenceMatcher(newDocument, newParsers), host: host,
            groups: groups, budget: budget)
        oldRules = Dictionary(grouping: old.rules.indices) { [conditions = old.conditions] in conditions[$0].path }
        newRules = Dictionary(grouping: new.rules.indices) { [conditions = new.conditions] in conditions[$0].path }
    }

    mutating func run() {
        guard !order.movedPaths.isEmpty || order.hasMovedRuleForAllPaths else { return }
        let paths = Set(old.conditions.compactMap(\.path)).union(new.conditions.compactMap(\.path)).sorted()
        let regions = PathRegions(patterns, paths: paths, order, limits, budget)
        var leftOpen = regions.leftOut.map(Optional.some)
        regions.find { paths, text in
            compare(paths, text)
        } leftOpen: { path in
            leftOpen.append(path)
        }
        for path in leftOpen {
            // A pattern that is left out may keep URLs away from any rule, also if its own rules have not changed.
            let moved = order.movedRules[path]
            undecided.insert(
                GroupDecisions.Pair(
                    old: moved?.old ?? oldRules[path]?.first, new: moved?.new ?? newRules[path]?.first))
        }
    }

    /// Compares the answers for the paths that some patterns match.
    private mutating func compare(_ paths: [Int], _ text: [UInt8]) {
        guard !budget.isSpent else {
            addUndecided(paths)
            return
        }
        let oldMatching = matching(paths, of: old, oldRules)
        let newMatching = matching(paths, of: new, newRules)
        // There may be thousands of groups; to the others none of these rules says anything.
        let concerned = Set(
            oldMatching.keys.flatMap { oldGroups[$0] } + newMatching.keys.flatMap { newGroups[$0] }
        ).sorted()
        let groups = concerned.map { self.groups[$0] }
        budget.spend(groups.count * 20)
        let before = programs(oldMatching, of: old, groups.map(\.old))
        let after = programs(newMatching, of: new, groups.map(\.new))
        let differing = groups.indices.filter { !before[$0].isEqual(after[$0]) }
        guard !differing.isEmpty else { return }

        // Rules that both files begin with change nothing, they only keep URLs away from the others. Their conditions are
        // looked at when one of them has been seen to do so.
        var queries = Set<Int>()
        var fragments = Set<Int>()
        for group in differing {
            for step in before[group].difference(after[group]) {
                if let query = step.condition.query { queries.insert(query) }
                if let fragment = step.condition.fragment { fragments.insert(fragment) }
            }
        }
        while true {
            let found = compare(text, groups, before, after, queries, fragments)
            if found.isLeftOpen { addUndecided(paths) }
            let isKnown = found.queries.isSubset(of: queries) && found.fragments.isSubset(of: fragments)
            if isKnown { return }
            queries.formUnion(found.queries)
            fragments.formUnion(found.fragments)
        }
    }

    /// Conditions that turned out to matter, and whether there is something that is not known.
    private struct Finding {
        var queries = Set<Int>()
        var fragments = Set<Int>()
        var isLeftOpen = false
    }

    private mutating func compare(
        _ path: [UInt8], _ groups: [AppGroup], _ before: [RuleProgram], _ after: [RuleProgram], _ queries: Set<Int>,
        _ fragments: Set<Int>
    ) -> Finding {
        var finding = Finding()
        let asked = (before + after).map { program in
            AskedPositions(program.steps.lazy.map { ($0.condition.query, $0.condition.fragment == nil) })
        }
        let queryRegions = parts.queries(queries) { query, other in
            asked.allSatisfy { $0.isHidden(query, after: other) }
        }
        let fragmentRegions = parts.fragments(fragments)
        if !queryRegions.isComplete || !fragmentRegions.isComplete { finding.isLeftOpen = true }
        for query in queryRegions.regions {
            let satisfiedQueries = Set(query.satisfied.map(Int.init))
            for fragment in fragmentRegions.regions {
                let satisfiedFragments = Set(fragment.satisfied.map(Int.init))
                budget.spend(groups.count * 8)
                guard !budget.isSpent else {
                    finding.isLeftOpen = true
                    return finding
                }
                func decide(_ programs: [RuleProgram]) -> [RuleProgram.Step?] {
                    programs.map { program in
                        budget.spend(program.steps.count)
                        return program.decision(queries: satisfiedQueries, fragments: satisfiedFragments)
                    }
                }
                guard let (kind, pair) = GroupDecisions(old: decide(before), new: decide(after)).change(groups) else {
                    continue
                }
                let witness = verifier.url(path + query.text + fragment.text)
                if let known = changes[pair], !known.isSuperseded(by: kind, witness) { continue }
                check(witness, pair, before, after, queries, fragments, &finding)
            }
        }
        return finding
    }

    /// Lets the matchers decide about a witness, and takes what they say.
    private mutating func check(
        _ witness: String, _ expected: GroupDecisions.Pair, _ before: [RuleProgram], _ after: [RuleProgram],
        _ queries: Set<Int>, _ fragments: Set<Int>, _ finding: inout Finding
    ) {
        guard let proof = verifier.prove(witness, old, oldGroups, new, newGroups) else {
            finding.isLeftOpen = true
            return
        }
        let actual = proof.decisions.change(proof.groups.map { groups[$0] })
        if let (kind, pair) = actual, changes[pair].map({ $0.isSuperseded(by: kind, witness) }) ?? true {
            changes[pair] = proof.change(kind, pair, old, new)
        }
        guard actual?.pair != expected else { return }
        // Another rule matches than those that were looked at.
        let oldSteps = Set(before.flatMap { $0.steps.map(\.rule) })
        let newSteps = Set(after.flatMap { $0.steps.map(\.rule) })
        let matching =
            oldSteps.filter { verifier.matches(verifier.old, $0, proof.url) }.map { old.conditions[$0] }
            + newSteps.filter { verifier.matches(verifier.new, $0, proof.url) }.map { new.conditions[$0] }
        let others = Set(matching.compactMap(\.query)).subtracting(queries)
        let otherFragments = Set(matching.compactMap(\.fragment)).subtracting(fragments)
        if others.isEmpty, otherFragments.isEmpty { finding.isLeftOpen = true }
        finding.queries.formUnion(others)
        finding.fragments.formUnion(otherFragments)
    }

    /// The rules of a file for the paths that some patterns match, by their entries.
    private func matching(_ paths: [Int], of file: ComparedFile, _ rules: [Int?: [Int]]) -> [Int: [Int]] {
        var matching = rules[nil] ?? []
        for path in paths { matching += rules[path] ?? [] }
        matching.sort()
        var ofEntry: [Int: [Int]] = [:]
        for rule in matching { ofEntry[file.entryOfRule[rule], default: []].append(rule) }
        budget.spend(matching.count * 8)
        return ofEntry
    }

    private func programs(
        _ ofEntry: [Int: [Int]], of file: ComparedFile, _ groups: [[Int]]
    ) -> [RuleProgram] {
        groups.map { entries in
            var program = RuleProgram()
            for entry in entries where !program.isClosed {
                budget.spend(4)
                for rule in ofEntry[entry] ?? [] where !program.isClosed {
                    budget.spend(8)
                    program.add(rule, file.conditions[rule])
                }
            }
            return program
        }
    }

    /// Says that not all is known about the paths that some patterns match.
    private mutating func addUndecided(_ paths: [Int]) {
        let path = paths.first { order.movedPaths.contains($0) }
        guard let rules = order.movedRules[path] else { return }
        undecided.insert(GroupDecisions.Pair(old: rules.old, new: rules.new))
    }

    /// In the order of the new file's rules, then of the old one's.
    private static func isInOrder(_ left: GroupDecisions.Pair, _ right: GroupDecisions.Pair) -> Bool {
        (left.new ?? .max, left.old ?? -1) < (right.new ?? .max, right.old ?? -1)
    }

    var work: Int { limits.work - budget.rest }

    var sortedChanges: [LinkChange] {
        changes.sorted { Self.isInOrder($0.key, $1.key) }.map(\.value)
    }

    var sortedUndecided: [UndecidedLinks] {
        undecided.sorted(by: Self.isInOrder).map { pair in
            UndecidedLinks(old: pair.old.map { old.rules[$0] }, new: pair.new.map { new.rules[$0] })
        }
    }
}

extension LinkChange {
    /// Whether another change of the same rules says more: that links open or not counts more than which apps they open.
    fileprivate func isSuperseded(by kind: Kind, _ witness: String) -> Bool {
        if (self.kind == .otherApps) != (kind == .otherApps) { return self.kind == .otherApps }
        return witness.utf8.count < self.witness.utf8.count
    }
}
