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
        bad: ExampleFile.order(#"{"/": "/buy/*"}"#, #"⟦{"/": "/buy/shoes"}⟧"#),
        good: ExampleFile.order(#"{"/": "/buy/*"}"#, #"{"/": "/sell/shoes"}"#))

    static func report(
        _ shadowed: ShadowedRule, _ finder: inout ReachFinder, _ diagnostics: inout DiagnosticCollector
    ) {
        let effect = shadowed.earlier.excludes ? "already excludes these URLs" : "already opens these URLs"
        diagnostics.report(
            description.code, shadowed.rule.range, shadowed.pointer,
            "\(shadowed.name.subject) has no effect: \(shadowed.earlierName) \(effect)",
            label: shadowed.example(nil, &finder), labels: [Diagnostic.Label(shadowed.earlier.range, effect)],
            notes: shadowed.notes, fixIts: shadowed.deletions)
    }
}
