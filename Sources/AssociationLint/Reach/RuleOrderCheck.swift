internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// Rules that change nothing, because of the order in which rules are asked.
enum UnreachableRules: LintRule {
    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard descriptions.contains(where: { findings.isWanted($0.code.rawValue) }) else { return }
        let variables = file.document.appLinks?.substitutionVariables ?? SubstitutionVariables()
        let faulty = FaultyRules(findings)
        var undecided = UndecidedRules()
        // What iOS 12 reads beside the components is a list of its own.
        for entries in [ReachEntry.entries(of: file), ReachEntry.legacyEntries(of: file)] where !entries.isEmpty {
            check(entries, variables, faulty, file.source, &undecided, &findings)
        }
        undecided.report(&findings)
    }

    private static func check(
        _ entries: [ReachEntry], _ variables: SubstitutionVariables, _ faulty: FaultyRules, _ source: SourceText,
        _ undecided: inout UndecidedRules, _ findings: inout Findings
    ) {
        let soundEntries = entries.filter(\.isSound)
        var finder = ReachFinder(soundEntries, variables: variables)
        let covered = finder.covered()
        for rule in finder.undecided { undecided.add(finder.rules[rule], in: soundEntries[finder.entries[rule]]) }
        let catchAlls = blamedCatchAlls(findings)
        var blamed = Set<String>()
        for finding in covered {
            let (rule, earlier) = (finder.rules[finding.rule], finder.rules[finding.by])
            blamed.insert(rule.pointer)
            if faulty.contain(rule) { continue }
            if earlier.excludes == rule.excludes, earlier.hasNoPattern, catchAlls.contains(earlier.pointer) { continue }
            let entry = soundEntries[finder.entries[finding.rule]]
            report(finding, &finder, ReachFixes(source: source, entry: entry), &findings)
        }
        for (entry, rule) in trailingExclusions(entries, &finder)
        where !blamed.contains(rule.pointer) && !faulty.contain(rule) {
            findings.report(
                "trailing-exclude", rule.range, entry.pointer(of: rule),
                "the exclusion of \(ReachWords.name(of: rule)) changes nothing: "
                    + "no later rule would open these URLs",
                fixIts: [ReachFixes(source: source, entry: entry).delete(rule)].compactMap { $0 })
        }
    }

    /// Components that may match every URL by mistake, and are blamed for it: what is behind them may be all right.
    private static func blamedCatchAlls(_ findings: Findings) -> Set<String> {
        let codes = ["empty-component", "accidental-catch-all", "misspelt-key"]
        let pointers = (findings.all + findings.hidden).lazy.filter { codes.contains($0.code.rawValue) }.compactMap(
            \.pointer)
        // What is blamed may be a key of the component: `/applinks/details/0/components/0/…`.
        return Set(
            pointers.map {
                $0.split(separator: "/", omittingEmptySubsequences: false).prefix(6).joined(separator: "/")
            })
    }

    private static func report(
        _ finding: ReachFinder.Covered, _ finder: inout ReachFinder, _ fixes: ReachFixes, _ findings: inout Findings
    ) {
        let rule = finder.rules[finding.rule]
        let earlier = finder.rules[finding.by]
        let value = ReachWords.name(of: rule)
        let (code, message) =
            switch (earlier.excludes, rule.excludes) {
            case (false, true): ("dead-exclude", "the exclusion of \(value) comes too late: its URLs open all the same")
            case (true, false): ("blocked-include", "\(value) never opens: its URLs are excluded before")
            case (false, false): ("unreachable-rule", "\(value) changes nothing: its URLs open already")
            case (true, true):
                ("unreachable-rule", "the exclusion of \(value) changes nothing: its URLs are excluded already")
            }
        guard findings.isWanted(code) else { return }
        let isRedundant = earlier.excludes == rule.excludes
        let fix =
            if isRedundant { fixes.delete(rule) } else {
                finder.isSame(finding) ? nil : fixes.move(rule, before: earlier)
            }
        findings.report(
            code, rule.range, fixes.entry.pointer(of: rule), message,
            notes: notes(finding, &finder, fixes.entry), fixIts: [fix].compactMap { $0 })
    }

    private static func notes(
        _ finding: ReachFinder.Covered, _ finder: inout ReachFinder, _ entry: ReachEntry
    ) -> [String] {
        let rule = finder.rules[finding.rule]
        let earlier = finder.rules[finding.by]
        let pattern = ReachWords.name(of: earlier)
        // Others look at the components beside them.
        let isOld = rule.isLegacyPath && !entry.detail.rulesBesideComponents.isEmpty
        var notes = isOld ? ["only iOS 12 and older read 'paths' beside 'components'"] : []
        notes.append("\(ReachWords.place(of: earlier, from: rule)) already decides these URLs: \(pattern)")
        if finding.isByParent {
            let path = earlier.path
            notes.append("only because \(quoted(path)) also matches the path without its tail '/*'")
        }
        if let witness = finder.witness(finding) {
            let app = entry.app.map { " for app \(quoted($0))" } ?? ""
            notes.append("for example '\(witness)'\(finder.hasOtherApps(finding) ? app : "")")
        }
        return notes
    }

    /// Exclusions with no inclusion behind them for any of their apps.
    ///
    /// An entry with rules of unsound types may include anything.
    private static func trailingExclusions(
        _ entries: [ReachEntry], _ finder: inout ReachFinder
    ) -> [(ReachEntry, Rule)] {
        var result: [(ReachEntry, Rule)] = []
        var included = Set<Int>()
        for entry in entries.reversed() {
            var isBehind = !entry.apps.isDisjoint(with: included)
            for rule in entry.rules.reversed() {
                if !rule.excludes { isBehind = true }
                if isBehind { break }
                if !entry.isSound { continue }
                let extent = finder.extent(of: rule)
                // What matches nothing is the fault of its variable.
                if extent.isEmpty { continue }
                if entry.rules.count > 1 || !extent.isEverything { result.append((entry, rule)) }
            }
            if !entry.isSound || entry.rules.contains(where: { !$0.excludes }) {
                included.formUnion(entry.apps)
            }
        }
        return result.reversed()
    }
}

extension Rule {
    fileprivate var hasNoPattern: Bool { path == "*" && query == .void && fragment == "*" }
}

/// The rules that do not say what they were meant to say: what would be wrong about their order is not known yet.
struct FaultyRules {
    /// Where the errors begin and end, in the order of the text.
    private let errors: [SourceRange]

    init(_ findings: Findings) {
        let listed = findings.all.lazy.filter { $0.severity == .error }.map(\.range)
        errors = (listed + findings.unlistedErrors).sorted { $0.start < $1.start }
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
