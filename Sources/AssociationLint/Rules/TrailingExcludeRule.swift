internal import AppSiteAssociation
internal import Diagnostics

/// An exclusion with no later rule that would open its URLs.
enum TrailingExcludeRule: LintRule {
    static let description = RuleDescription(
        "trailing-exclude", .warning,
        summary: "no rule after an exclusion would open its URLs",
        reason: """
            A URL that no rule matches does not open the app. So an exclusion only matters before a rule that \
            would open its URLs; at the end of an app's rules it has no effect. An entry that only excludes opens no \
            link at all: to open all others, it needs '*' as its last rule.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.order(#"{"/": "/buy/*"}"#, #"⟦{"/": "/help/*", "exclude": true}⟧"#),
        good: ExampleFile.order(#"{"/": "/buy/*"}"#))

    static func report(_ rule: Rule, in entry: ReachEntry, _ diagnostics: inout DiagnosticCollector) {
        let deletion = entry.deletion(of: rule, in: diagnostics.source)
        diagnostics.report(
            description, rule.range, entry.pointer(of: rule),
            "excluding \(entry.name(of: rule).text) has no effect: no later rule opens these URLs",
            fix: deletion)
    }

    /// Reports that an entry opens nothing, as all its rules exclude.
    static func report(_ entry: ReachEntry, endingWith rule: Rule, _ diagnostics: inout DiagnosticCollector) {
        let isOld = rule.isLegacyPath && !entry.detail.rulesBesideComponents.isEmpty
        let text = rule.isLegacyPath ? #""*""# : #"{ "/": "*" }"#
        // What 'paths' beside the components would open is not every link: 'ignored-paths' moves them.
        let isAmbiguous = !rule.isLegacyPath && entry.lintEntry.object["paths"] != nil
        let edit = JSONEdits.insert(element: text, after: rule.component, in: entry.list, source: diagnostics.source)
        diagnostics.report(
            description, rule.range, entry.pointer(of: rule),
            entry.rules.count == 1
                ? "this entry opens no link: its only rule excludes"
                : "this entry opens no link: all its rules exclude",
            notes: isOld ? ["only iOS 12 and older read 'paths' beside 'components'"] : [],
            fix: FixIt(
                "add \(quoted(text)) after it, to open all other links", isAmbiguous ? .displayOnly : .suggested,
                edit))
    }
}
