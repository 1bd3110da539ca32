internal import AppSiteAssociation
internal import Diagnostics

/// An exclusion with no later rule that would open its URLs.
enum TrailingExcludeRule: LintRule {
    static let description = RuleDescription(
        "trailing-exclude", .warning,
        summary: "no rule after an exclusion would open its URLs",
        reason: """
            A URL that no rule matches does not open the app. So an exclusion only matters before a rule that \
            would open its URLs; at the end of an app's rules it has no effect.
            """,
        basis: [.apple], fix: .suggested,
        bad: """
            {"applinks": {"details": [{
              "appIDs": ["A1B2C3D4E5.com.apple.example"],
              "components": [
                {"/": "/buy/*"},
                ⟦{"/": "/help/*", "exclude": true}⟧
              ]
            }]}}
            """,
        good: """
            {"applinks": {"details": [{
              "appIDs": ["A1B2C3D4E5.com.apple.example"],
              "components": [
                {"/": "/buy/*"}
              ]
            }]}}
            """)

    static func report(_ rule: Rule, in entry: ReachEntry, _ diagnostics: inout DiagnosticCollector) {
        let deletion = entry.deletion(of: rule, in: diagnostics.source)
        diagnostics.report(
            description.code, rule.range, entry.pointer(of: rule),
            "excluding \(rule.nameInMessages) has no effect: no later rule opens these URLs",
            fixIts: deletion.map { [$0] } ?? [])
    }
}
