internal import AppSiteAssociation
internal import Diagnostics
internal import PatternAnalysis
internal import URLPatterns

/// Finds the rules that have no effect because of the order in which rules are asked: one search for several codes.
enum RuleOrderCheck {
    static func run(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        let rules = RuleRegistry.reachRules.dropLast()
        guard rules.contains(where: { diagnostics.isEnabled($0.description) }) else { return }
        let variables = context.document.appLinks?.substitutionVariables ?? SubstitutionVariables()
        let faulty = FaultyRules(diagnostics)
        var undecided: [(rule: Rule, entry: ReachEntry)] = []
        let entries = ReachEntry.entries(of: context)
        let needed = check(entries, variables, faulty, context, &undecided, &diagnostics)
        // iOS 12 asks the other lists of 'paths' only, and what it reads beside the components is a list of its own.
        if !needed.isEmpty {
            let old = ReachEntry.oldEntries(of: entries, context)
            check(old, among: needed, variables, faulty, context, &undecided, &diagnostics)
        }
        let legacy = ReachEntry.legacyEntries(of: context)
        if !legacy.isEmpty { check(legacy, variables, faulty, context, &undecided, &diagnostics) }
        if let (rule, entry) = undecided.first {
            TooLargeToDecideRule.report(rule, in: entry, others: undecided.count - 1, &diagnostics)
        }
    }

    /// - Parameter among: The pointers of the rules that are looked at; nil for all.
    /// - Returns: The pointers of the rules that are shadowed, but not for iOS 12: for it they are as needed as others.
    @discardableResult
    private static func check(
        _ entries: [ReachEntry], among: Set<String>? = nil, _ variables: SubstitutionVariables, _ faulty: FaultyRules,
        _ context: LintContext, _ undecided: inout [(rule: Rule, entry: ReachEntry)],
        _ diagnostics: inout DiagnosticCollector
    ) -> Set<String> {
        let validEntries = entries.filter(\.isValid)
        var finder = ReachFinder(validEntries.map(\.asked), variables: variables)
        let found = finder.shadowed()
        func isLookedAt(_ rule: Rule) -> Bool { among?.contains(rule.pointer) ?? true }
        undecided += finder.undecided.map { (finder.rules[$0], validEntries[finder.entries[$0]]) }
            .filter { isLookedAt($0.0) }
        let catchAlls = CatchAlls(diagnostics)
        var (reported, needed) = (Set<String>(), Set<String>())
        for found in found {
            let shadowed = ShadowedRule(found, finder, validEntries, context)
            guard isLookedAt(shadowed.rule) else { continue }
            reported.insert(shadowed.rule.pointer)
            if shadowed.isNeededByOld {
                needed.insert(shadowed.rule.pointer)
                continue
            }
            if shadowed.isRootForOldest, let oldest = context.minimumIOS, oldest < SystemVersion(10) { continue }
            if faulty.contain(shadowed.rule) || shadowed.isRedundant && catchAlls.contains(shadowed.earlier) {
                continue
            }
            shadowed.report(&finder, &diagnostics)
        }
        // An entry that opens nothing on iOS 12 may go on where another ends, which newer systems read before it.
        let closed = among == nil ? entriesThatOpenNothing(entries, &finder) : []
        for (entry, rule) in trailingExclusions(entries, &finder) where !faulty.contain(rule) && isLookedAt(rule) {
            if closed.contains(entry.detail.index) {
                guard entry.rules.last?.component == rule.component else { continue }
                TrailingExcludeRule.report(entry, endingWith: rule, &diagnostics)
            } else if !reported.contains(rule.pointer) {
                TrailingExcludeRule.report(rule, in: entry, &diagnostics)
            }
        }
        diagnostics.spend(finder.work)
        return needed
    }

    /// The entries, by their index, that only exclude, for apps that no other entry opens anything for.
    ///
    /// Not among them are those that exclude every URL: that is a way to say that an app opens nothing.
    private static func entriesThatOpenNothing(_ entries: [ReachEntry], _ finder: inout ReachFinder) -> Set<Int> {
        // An entry with rules of wrong types may include anything.
        let opening = entries.filter { !$0.isValid || $0.rules.contains { !$0.excludes } }
        let opened = opening.reduce(into: Set<Int>()) { $0.formUnion($1.apps) }
        var result = Set<Int>()
        for entry in entries where entry.isValid && entry.apps.isDisjoint(with: opened) {
            let extents = entry.rules.map { finder.extent(of: $0) }
            if !extents.contains(where: { $0.isEmpty || $0.isEverything }) { result.insert(entry.detail.index) }
        }
        return result
    }

    /// Exclusions with no later inclusion for any of their apps.
    ///
    /// An entry with rules of wrong types may include anything.
    private static func trailingExclusions(
        _ entries: [ReachEntry], _ finder: inout ReachFinder
    ) -> [(ReachEntry, Rule)] {
        var result: [(ReachEntry, Rule)] = []
        var included = Set<Int>()
        for entry in entries.reversed() {
            var isFollowed = !entry.apps.isDisjoint(with: included)
            for rule in entry.rules.reversed() {
                if !rule.excludes { isFollowed = true }
                if isFollowed { break }
                if !entry.isValid { continue }
                let extent = finder.extent(of: rule)
                // A rule that matches nothing is the fault of its variable.
                if extent.isEmpty { continue }
                if entry.rules.count > 1 || !extent.isEverything { result.append((entry, rule)) }
            }
            if !entry.isValid || entry.rules.contains(where: { !$0.excludes }) {
                included.formUnion(entry.apps)
            }
        }
        return result.reversed()
    }
}

/// The rules that do not mean what they were meant to mean: what would be wrong about their order is not known yet.
struct FaultyRules {
    /// The ranges of errors, in the order of the text.
    private let errors: [SourceRange]

    init(_ diagnostics: DiagnosticCollector) {
        let listed = diagnostics.reported.lazy.filter { $0.severity == .error }.map(\.range)
        self.init(listed + diagnostics.unlistedErrors)
    }

    /// - Parameter ranges: What is wrong, in any order.
    init(_ ranges: some Sequence<SourceRange>) {
        errors = ranges.sorted { $0.start < $1.start }
    }

    /// Whether there is an error inside a rule.
    func contain(_ rule: Rule) -> Bool { contain(rule.range) }

    /// Whether there is an error inside a range.
    func contain(_ range: SourceRange) -> Bool {
        let first = errors.partitioningIndex { $0.start >= range.start }
        return first < errors.count && errors[first].end <= range.end
    }
}

/// Components that match every URL and are reported for it, as they may do so by mistake: the rules after them may be fine.
private struct CatchAlls {
    private let pointers: Set<String>

    init(_ diagnostics: DiagnosticCollector) {
        let rules: [any LintRule.Type] = [
            EmptyComponentRule.self, AccidentalCatchAllRule.self, MisspeltKeyRule.self,
        ]
        let codes = rules.map { $0.description.code }
        let found = (diagnostics.reported + diagnostics.hidden).lazy.filter { codes.contains($0.code) }
        // The finding may be about a key of the component: `/applinks/details/0/components/0/…`.
        pointers = Set(
            found.compactMap(\.pointer).map {
                $0.split(separator: "/", omittingEmptySubsequences: false).prefix(6).joined(separator: "/")
            })
    }

    func contains(_ rule: Rule) -> Bool {
        rule.path == "*" && rule.query == .void && rule.fragment == "*" && pointers.contains(rule.pointer)
    }
}
