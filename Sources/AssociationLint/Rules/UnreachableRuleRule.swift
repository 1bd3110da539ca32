internal import Diagnostics

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
}
