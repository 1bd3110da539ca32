internal import AppSiteAssociation
internal import Diagnostics
internal import PatternAnalysis

/// An exclusion after a rule that opens all of its URLs.
enum DeadExcludeRule: LintRule {
    static let description = RuleDescription(
        "dead-exclude", .error,
        summary: "an exclusion comes after a rule that opens all of its URLs",
        reason: """
            The rules of an entry are tried from top to bottom, and the first match decides. After a rule that \
            matches the same URLs an exclusion is never reached, so its links still open the app. Put exceptions \
            before the rule that they restrict. If an app is in several entries, this applies to the rules of all of \
            them. The finding is a warning if '/*/*' covers '/x' only because its tail '/*' may be left out: that is \
            recorded only for patterns like '/x/*'.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.order(
            #"{"/": "/help/*"}"#, #"⟦{"/": "/help/forum/*", "exclude": true}⟧"#, #"{"/": "/buy/*"}"#),
        good: ExampleFile.order(#"{"/": "/help/forum/*", "exclude": true}"#, #"{"/": "/help/*"}"#, #"{"/": "/buy/*"}"#))

    static func report(
        _ shadowed: ShadowedRule, _ finder: inout ReachFinder, _ diagnostics: inout DiagnosticCollector
    ) {
        diagnostics.report(
            description.code, severity: shadowed.severity, shadowed.rule.range, shadowed.pointer,
            "\(shadowed.name.text) is never excluded\(shadowed.forApps): \(shadowed.earlierName) matches first",
            label: shadowed.example("still opens", &finder),
            labels: shadowed.labels("opens these URLs first"), advice: shadowed.advice,
            notes: shadowed.notes, fixIts: shadowed.moves(&finder))
    }
}
