internal import Diagnostics

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
}
