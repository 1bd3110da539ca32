internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// Finds the rules that have no effect because of the order in which rules are asked: one search for several codes.
enum RuleOrderCheck {
    private static let rules: [any LintRule.Type] = [
        DeadExcludeRule.self, BlockedIncludeRule.self, UnreachableRuleRule.self, TrailingExcludeRule.self,
        TooLargeToDecideRule.self,
    ]

    static func run(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard rules.contains(where: { diagnostics.isEnabled($0.description.code) }) else { return }
        let variables = context.document.appLinks?.substitutionVariables ?? SubstitutionVariables()
        let faulty = FaultyRules(diagnostics)
        var undecided: [(rule: Rule, entry: ReachEntry)] = []
        // What iOS 12 reads beside the components is a list of its own.
        for entries in [ReachEntry.entries(of: context), ReachEntry.legacyEntries(of: context)] where !entries.isEmpty {
            check(entries, variables, faulty, &undecided, &diagnostics)
        }
        if let (rule, entry) = undecided.first {
            TooLargeToDecideRule.report(rule, in: entry, others: undecided.count - 1, &diagnostics)
        }
    }

    private static func check(
        _ entries: [ReachEntry], _ variables: SubstitutionVariables, _ faulty: FaultyRules,
        _ undecided: inout [(rule: Rule, entry: ReachEntry)], _ diagnostics: inout DiagnosticCollector
    ) {
        let validEntries = entries.filter(\.isValid)
        var finder = ReachFinder(validEntries, variables: variables)
        let found = finder.covered()
        undecided += finder.undecided.map { (finder.rules[$0], validEntries[finder.entries[$0]]) }
        let catchAlls = CatchAlls(diagnostics)
        var reported = Set<String>()
        for found in found {
            let covered = CoveredRule(found, finder, validEntries, diagnostics.source)
            reported.insert(covered.rule.pointer)
            if faulty.contain(covered.rule) || covered.isRedundant && catchAlls.contains(covered.earlier) { continue }
            switch (covered.earlier.excludes, covered.rule.excludes) {
            case (false, true): DeadExcludeRule.report(covered, &finder, &diagnostics)
            case (true, false): BlockedIncludeRule.report(covered, &finder, &diagnostics)
            case (false, false), (true, true): UnreachableRuleRule.report(covered, &finder, &diagnostics)
            }
        }
        for (entry, rule) in trailingExclusions(entries, &finder)
        where !reported.contains(rule.pointer) && !faulty.contain(rule) {
            TrailingExcludeRule.report(rule, in: entry, &diagnostics)
        }
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

/// A rule that an earlier one leaves nothing to decide, as the rules about that report it.
struct CoveredRule {
    let rule: Rule
    let earlier: Rule
    private let found: ReachFinder.Covered
    private let entry: ReachEntry
    private let source: SourceText

    init(_ found: ReachFinder.Covered, _ finder: ReachFinder, _ entries: [ReachEntry], _ source: SourceText) {
        rule = finder.rules[found.rule]
        earlier = finder.rules[found.by]
        entry = entries[finder.entries[found.rule]]
        self.found = found
        self.source = source
    }

    /// Whether both rules do the same with a URL.
    var isRedundant: Bool { earlier.excludes == rule.excludes }

    var pointer: JSONPointer { entry.pointer(of: rule) }

    var name: String { rule.nameInMessages }

    /// The earlier rule and its line, with its column too where both are in one line.
    var earlierName: String {
        let (line, column) = (earlier.position.line, earlier.position.column)
        let location = line == rule.position.line ? "line \(line), column \(column)," : "line \(line)"
        return "\(earlier.nameInMessages) on \(location)"
    }

    /// A URL that both rules match, and what happens with it.
    func example(_ effect: String?, _ finder: inout ReachFinder) -> String? {
        guard let witness = finder.witness(found) else { return nil }
        guard let app = entry.app, finder.hasOtherApps(found) else {
            return "e.g. \(witness)" + (effect.map { " \($0) the app" } ?? "")
        }
        return "e.g. \(witness) \(effect ?? "for") \(quoted(app))"
    }

    var notes: [String] {
        // Others look at the components beside them.
        let isOld = rule.isLegacyPath && !entry.detail.rulesBesideComponents.isEmpty
        return (isOld ? ["only iOS 12 and older read 'paths' beside 'components'"] : [])
            + (found.isByParent ? ["\(quoted(earlier.path)) also matches the path without its tail '/*'"] : [])
    }

    /// Moving the rule before the earlier one, unless both match the same URLs.
    func moves(_ finder: inout ReachFinder) -> [FixIt] {
        finder.isSame(found) ? [] : [entry.move(rule, before: earlier, in: source)].compactMap { $0 }
    }

    var deletions: [FixIt] { [entry.deletion(of: rule, in: source)].compactMap { $0 } }
}

/// The rules that do not mean what they were meant to mean: what would be wrong about their order is not known yet.
struct FaultyRules {
    /// The ranges of errors, in the order of the text.
    private let errors: [SourceRange]

    init(_ diagnostics: DiagnosticCollector) {
        let listed = diagnostics.reported.lazy.filter { $0.severity == .error }.map(\.range)
        errors = (listed + diagnostics.unlistedErrors).sorted { $0.start < $1.start }
    }

    /// Whether there is an error inside a rule.
    func contain(_ rule: Rule) -> Bool {
        var low = 0
        var high = errors.count
        while low < high {
            let middle = (low + high) / 2
            if errors[middle].start < rule.range.start { low = middle + 1 } else { high = middle }
        }
        return low < errors.count && errors[low].end <= rule.range.end
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
