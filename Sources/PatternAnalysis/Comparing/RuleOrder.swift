internal import AppSiteAssociation

/// The rules of both files as each group of apps meets them, and what follows from their order.
final class RuleOrder {
    /// The path patterns of rules that the other file does not have in the same position of the order.
    ///
    /// A URL whose answer changes matches at least one such rule: if all rules that match it stand in both files in the
    /// same order, the first of them is the same.
    private(set) var movedPaths = Set<Int>()
    /// Whether one of these rules takes every path.
    private(set) var hasMovedRuleForAllPaths = false
    /// One such rule of each path pattern, for messages.
    private(set) var movedRules: [Int?: (old: Int?, new: Int?)] = [:]

    /// For each group and file, where it asks for path patterns.
    private var positions: [AskedPositions] = []
    private var known: [Pair: Bool] = [:]
    private var isOrderKnown = true
    private let budget: ComparisonBudget

    private struct Pair: Hashable {
        let path: Int
        let other: Int
    }

    init(_ old: ComparedFile, _ new: ComparedFile, _ groups: [AppGroup], _ budget: ComparisonBudget) {
        self.budget = budget
        // A group's list is as long as the file's; there may be as many groups as apps.
        var rest = 400_000
        var known = (old: Set<Int>(), new: Set<Int>())
        for group in groups {
            let oldCount = group.old.reduce(0) { $0 + old.entries[$1].rules.count }
            let newCount = group.new.reduce(0) { $0 + new.entries[$1].rules.count }
            rest -= oldCount + newCount
            guard rest > 0 else {
                isOrderKnown = false
                for entry in group.old where known.old.insert(entry).inserted {
                    for rule in old.entries[entry].rules { add(rule, of: old, isNew: false) }
                }
                for entry in group.new where known.new.insert(entry).inserted {
                    for rule in new.entries[entry].rules { add(rule, of: new, isNew: true) }
                }
                continue
            }
            let oldRules = group.old.flatMap { old.entries[$0].rules }
            let newRules = group.new.flatMap { new.entries[$0].rules }
            addMoved(oldRules, newRules, old, new)
            for conditions in [oldRules.map { old.conditions[$0] }, newRules.map { new.conditions[$0] }] {
                positions.append(AskedPositions(conditions.lazy.map { ($0.path, $0.isPathOnly) }))
            }
        }
    }

    private func add(_ rule: Int, of file: ComparedFile, isNew: Bool) {
        let path = file.conditions[rule].path
        if let path { movedPaths.insert(path) } else { hasMovedRuleForAllPaths = true }
        var rules = movedRules[path] ?? (nil, nil)
        if isNew { rules.new = rules.new ?? rule } else { rules.old = rules.old ?? rule }
        movedRules[path] = rules
    }

    private func addMoved(
        _ oldRules: [Int], _ newRules: [Int], _ old: ComparedFile, _ new: ComparedFile
    ) {
        let oldRules = Self.sorted(oldRules, old.conditions)
        let newRules = Self.sorted(newRules, new.conditions)
        let before = oldRules.map { old.conditions[$0] }
        let after = newRules.map { new.conditions[$0] }
        let kept = CommonOrder.kept(before, after)
        for (index, rule) in oldRules.enumerated() where !kept.old[index] { add(rule, of: old, isNew: false) }
        for (index, rule) in newRules.enumerated() where !kept.new[index] { add(rule, of: new, isNew: true) }
    }

    /// The rules that may decide, in an order of which the meaning does not depend: of rules for the same URLs the later
    /// ones are left out, and neighbours that do the same are put in the order of their patterns.
    private static func sorted(_ rules: [Int], _ conditions: [RuleCondition]) -> [Int] {
        var seen = Set<RuleCondition>()
        let first = rules.filter { rule in
            var asked = conditions[rule]
            asked.excludes = false
            return seen.insert(asked).inserted
        }
        return first.sortingRuns(of: { conditions[$0].excludes }, by: { conditions[$0] < conditions[$1] })
    }

    /// Whether a path pattern does not matter for paths that another one matches: every group of apps meets a rule with the
    /// other pattern, and no further condition, before all rules with the pattern.
    ///
    /// - Parameter other: nil for the rules for all paths.
    func isHidden(_ path: Int, after other: Int?) -> Bool {
        guard isOrderKnown, path != other else { return false }
        let pair = Pair(path: path, other: other ?? -1)
        if let known = known[pair] { return known }
        let result = positions.allSatisfy { positions in
            budget.spend(4)
            return positions.isHidden(path, after: other)
        }
        known[pair] = result
        return result
    }
}

extension Array {
    /// The rules with neighbours that do the same in an order of their own, on which the meaning does not depend.
    ///
    /// - Parameter excludes: Says what a rule does.
    func sortingRuns(of excludes: (Element) -> Bool, by isBefore: (Element, Element) -> Bool) -> [Element] {
        var result: [Element] = []
        var rest = self[...]
        while let first = rest.first {
            let run = rest.prefix { excludes($0) == excludes(first) }
            result += run.sorted(by: isBefore)
            rest = rest.dropFirst(run.count)
        }
        return result
    }
}

/// Where a list of rules asks for patterns: for each first, and first without a further condition.
struct AskedPositions {
    private var positions: [Int: (first: Int, firstAlone: Int)] = [:]
    /// The first rule that asks for nothing.
    private var firstForAll = Int.max

    /// - Parameter rules: The pattern of each rule, and whether it asks for nothing else.
    init(_ rules: some Sequence<(pattern: Int?, isAlone: Bool)>) {
        for (index, rule) in rules.enumerated() {
            guard let pattern = rule.pattern else {
                if rule.isAlone { firstForAll = min(firstForAll, index) }
                continue
            }
            var position = positions[pattern] ?? (index, .max)
            if rule.isAlone { position.firstAlone = min(position.firstAlone, index) }
            positions[pattern] = position
        }
    }

    /// Whether a pattern does not matter where another one matches, as a rule with that one alone comes before.
    ///
    /// - Parameter other: nil for the rules that ask for nothing.
    func isHidden(_ pattern: Int, after other: Int?) -> Bool {
        guard let position = positions[pattern] else { return true }
        return (other.map { positions[$0]?.firstAlone ?? .max } ?? firstForAll) < position.first
    }
}

/// The elements that two lists have in common, in order.
enum CommonOrder {
    /// Which elements of each list belong to a longest common subsequence. No list has an element twice.
    static func kept<Element: Hashable>(_ old: [Element], _ new: [Element]) -> (old: [Bool], new: [Bool]) {
        let positions = Dictionary(new.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        // A longest ascending sequence of the positions in the new list: for each length the sequence with the lowest end.
        var ends: [(old: Int, new: Int)] = []
        var before = [Int?](repeating: nil, count: old.count)
        for (index, element) in old.enumerated() {
            guard let position = positions[element] else { continue }
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if ends[middle].new < position { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1].old : nil
            if low == ends.count { ends.append((index, position)) } else { ends[low] = (index, position) }
        }
        var keptOld = [Bool](repeating: false, count: old.count)
        var keptNew = [Bool](repeating: false, count: new.count)
        var next = ends.last?.old
        while let index = next {
            keptOld[index] = true
            if let position = positions[old[index]] { keptNew[position] = true }
            next = before[index]
        }
        return (keptOld, keptNew)
    }
}

/// Apps that the same entries name in both files: what becomes of a URL is the same for all of them.
struct AppGroup {
    /// The entries that name them, in file order.
    private(set) var old: [Int] = []
    private(set) var new: [Int] = []
    /// The position of the first of the apps in the file; nil if it does not name them.
    private(set) var oldPosition: Int?
    private(set) var newPosition: Int?

    /// The groups, in the order in which their first apps appear in the new file, then in the old one.
    static func groups(old: ComparedFile? = nil, new: ComparedFile) -> [AppGroup] {
        var apps: [[UInt8]: AppGroup] = [:]
        var order: [[UInt8]] = []
        func add(
            _ file: ComparedFile?, to list: WritableKeyPath<AppGroup, [Int]>,
            _ first: WritableKeyPath<AppGroup, Int?>
        ) {
            var position = 0
            for (index, entry) in (file?.entries ?? []).enumerated() {
                for app in entry.apps where apps[app]?[keyPath: list].last != index {
                    if apps[app] == nil { order.append(app) }
                    apps[app, default: AppGroup()][keyPath: list].append(index)
                    if apps[app]?[keyPath: first] == nil { apps[app]?[keyPath: first] = position }
                    position += 1
                }
            }
        }
        add(new, to: \.new, \.newPosition)
        add(old, to: \.old, \.oldPosition)
        var groups: [AppGroup] = []
        var known: [Entries: Int] = [:]
        for app in order {
            guard let group = apps[app] else { continue }
            let entries = Entries(old: group.old, new: group.new)
            if let index = known[entries] {
                groups[index].merge(group)
            } else {
                known[entries] = groups.count
                groups.append(group)
            }
        }
        return groups
    }

    /// The groups that name each entry, ascending.
    static func ofEntries(_ groups: [AppGroup], _ entries: KeyPath<AppGroup, [Int]>, count: Int) -> [[Int]] {
        var result = [[Int]](repeating: [], count: count)
        for (index, group) in groups.enumerated() {
            for entry in group[keyPath: entries] { result[entry].append(index) }
        }
        return result
    }

    private struct Entries: Hashable {
        let old: [Int]
        let new: [Int]
    }

    private mutating func merge(_ other: AppGroup) {
        oldPosition = [oldPosition, other.oldPosition].compactMap { $0 }.min()
        newPosition = [newPosition, other.newPosition].compactMap { $0 }.min()
    }
}

/// The rules that decide about a URL, for each group of apps, and what follows from them.
struct GroupDecisions {
    /// Nil where no rule matches.
    let old: [RuleProgram.Step?]
    let new: [RuleProgram.Step?]

    /// A pair of rules, as positions in their files.
    struct Pair: Hashable {
        let old: Int?
        let new: Int?
    }

    private static func outcome(_ decisions: [RuleProgram.Step?]) -> Outcome {
        var isExcluded = false
        for case let decision? in decisions {
            if !decision.excludes { return .open }
            isExcluded = true
        }
        return isExcluded ? .excluded : .noMatch
    }

    /// The change, and the rules that make it so; nil if nothing changes.
    func change(_ groups: [AppGroup]) -> (kind: LinkChange.Kind, pair: Pair)? {
        let before = Self.outcome(old)
        let after = Self.outcome(new)
        func opens(_ decision: RuleProgram.Step?) -> Bool { decision.map { !$0.excludes } ?? false }
        let otherApp = groups.indices.first { opens(old[$0]) != opens(new[$0]) }
        guard let kind = LinkChange.Kind(old: before, new: after, isSameApps: otherApp == nil) else { return nil }
        let group = otherApp ?? groups.indices.first { (old[$0] == nil) != (new[$0] == nil) }
        let oldRule = group.flatMap { old[$0] } ?? Self.first(old, groups, \.oldPosition)
        let newRule = group.flatMap { new[$0] } ?? Self.first(new, groups, \.newPosition)
        return (kind, Pair(old: oldRule?.rule, new: newRule?.rule))
    }

    /// The decision for the first app that opens the URL; if none does, for the first that is excluded.
    private static func first(
        _ decisions: [RuleProgram.Step?], _ groups: [AppGroup], _ position: KeyPath<AppGroup, Int?>
    ) -> RuleProgram.Step? {
        let decided = groups.indices.compactMap { index -> (position: Int, decision: RuleProgram.Step)? in
            guard let position = groups[index][keyPath: position], let decision = decisions[index] else { return nil }
            return (position, decision)
        }
        let open = decided.filter { !$0.decision.excludes }
        return (open.isEmpty ? decided : open).min { $0.position < $1.position }?.decision
    }
}
