internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// Rules that change nothing, because of the order in which rules are asked.
enum UnreachableRules: LintRule {
    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard descriptions.contains(where: { findings.isWanted($0.code.rawValue) }) else { return }
        let entries = ReachEntry.entries(of: file)
        let soundEntries = entries.filter(\.isSound)
        let variables = file.document.appLinks?.substitutionVariables ?? SubstitutionVariables()
        var finder = ReachFinder(soundEntries, variables: variables)
        let covered = finder.covered()
        let catchAlls = blamedCatchAlls(findings)
        let faulty = FaultyRules(findings)
        var blamed = Set<String>()
        for finding in covered {
            let (rule, earlier) = (finder.rules[finding.rule], finder.rules[finding.by])
            blamed.insert(rule.pointer)
            if faulty.contain(rule) { continue }
            if earlier.excludes == rule.excludes, earlier.hasNoPattern, catchAlls.contains(earlier.pointer) { continue }
            let entry = soundEntries[finder.entries[finding.rule]]
            report(finding, &finder, ReachFixes(source: file.source, entry: entry), &findings)
        }
        for (entry, rule) in trailingExclusions(entries, variables)
        where !blamed.contains(rule.pointer) && !faulty.contain(rule) {
            findings.report(
                "trailing-exclude", rule.range, pointer(of: rule, in: entry),
                "the exclusion of \(ReachWords.name(of: rule)) changes nothing: "
                    + "no later rule would open these URLs",
                fixIts: [ReachFixes(source: file.source, entry: entry).delete(rule)].compactMap { $0 })
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
            code, rule.range, pointer(of: rule, in: fixes.entry), message,
            notes: notes(finding, &finder, fixes.entry), fixIts: [fix].compactMap { $0 })
    }

    private static func notes(
        _ finding: ReachFinder.Covered, _ finder: inout ReachFinder, _ entry: ReachEntry
    ) -> [String] {
        let rule = finder.rules[finding.rule]
        let earlier = finder.rules[finding.by]
        let pattern = ReachWords.name(of: earlier)
        var notes = ["\(ReachWords.place(of: earlier, from: rule)) already decides these URLs: \(pattern)"]
        if finding.isByParent {
            let path = earlier.path
            notes.append("only because \(quoted(path)) also matches the path without its tail '/*'")
        }
        if let witness = finder.witness(finding) {
            let app = entry.detail.appIDs.first.map { " for app \(quoted($0.value))" } ?? ""
            notes.append("for example '\(witness)'\(finder.hasOtherApps(finding) ? app : "")")
        }
        return notes
    }

    private static func pointer(of rule: Rule, in entry: ReachEntry) -> JSONPointer {
        entry.outline.level.pointer.member(rule.isLegacyPath ? "paths" : "components").element(rule.component)
    }

    /// Exclusions with no inclusion behind them for any of their apps.
    ///
    /// An entry with rules of unsound types may include anything.
    private static func trailingExclusions(
        _ entries: [ReachEntry], _ variables: SubstitutionVariables
    ) -> [(ReachEntry, Rule)] {
        let parsers = PatternParsers(variables)
        var result: [(ReachEntry, Rule)] = []
        var included = Set<Int>()
        for entry in entries.reversed() {
            var isBehind = !entry.apps.isDisjoint(with: included)
            for rule in entry.detail.rules.reversed() {
                if !rule.excludes { isBehind = true }
                if isBehind { break }
                let shape = shape(of: rule, parsers)
                // What matches nothing is the fault of its variable.
                if !entry.isSound || shape.isEmpty { continue }
                if entry.detail.rules.count > 1 || !shape.isEverything { result.append((entry, rule)) }
            }
            if !entry.isSound || entry.detail.rules.contains(where: { !$0.excludes }) {
                included.formUnion(entry.apps)
            }
        }
        return result.reversed()
    }

    private static func shape(of rule: Rule, _ parsers: PatternParsers) -> RuleShape {
        var comparer = PatternComparer()
        let comparison = Comparison(caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded)
        return RuleShape(rule, comparison, parsers, &comparer)
    }
}

extension Rule {
    fileprivate var hasNoPattern: Bool { path == "*" && query == .void && fragment == "*" }
}
