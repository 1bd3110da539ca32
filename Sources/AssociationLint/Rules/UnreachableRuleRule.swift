internal import AppSiteAssociation
internal import Diagnostics
internal import PatternAnalysis

/// A rule after one that decides the same for all of its URLs.
enum UnreachableRuleRule: LintRule {
    static let description = RuleDescription(
        "unreachable-rule", .warning,
        summary: "an earlier rule decides the same for all URLs of a rule",
        reason: """
            The rules of an entry are tried from top to bottom, and the first match decides. A rule is never \
            reached if an earlier one matches all of its URLs; if both do the same, it can be deleted.
            """,
        basis: [.apple], fix: .suggested,
        bad: """
            {"applinks": {"details": [{
              "appIDs": ["A1B2C3D4E5.com.apple.example"],
              "components": [
                {"/": "/buy/*"},
                ⟦{"/": "/buy/shoes"}⟧
              ]
            }]}}
            """,
        good: """
            {"applinks": {"details": [{
              "appIDs": ["A1B2C3D4E5.com.apple.example"],
              "components": [
                {"/": "/buy/*"},
                {"/": "/sell/shoes"}
              ]
            }]}}
            """)

    static func report(
        _ covered: CoveredRule, _ finder: inout ReachFinder, _ diagnostics: inout DiagnosticCollector
    ) {
        let effect = covered.earlier.excludes ? "already excludes these URLs" : "already opens these URLs"
        diagnostics.report(
            description.code, covered.rule.range, covered.pointer,
            "\(covered.name.subject) has no effect: \(covered.earlierName) \(effect)",
            label: covered.example(nil, &finder), labels: [Diagnostic.Label(covered.earlier.range, effect)],
            notes: covered.notes, fixIts: covered.deletions)
    }
}
