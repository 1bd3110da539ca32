internal import Diagnostics

/// A rule after an exclusion of all of its URLs.
enum BlockedIncludeRule: LintRule {
    static let description = RuleDescription(
        "blocked-include", .error,
        summary: "a rule comes after an exclusion of all of its URLs",
        reason: """
            The rules of an entry are tried from top to bottom, and the first match decides. After an exclusion \
            that matches the same URLs a rule is never reached, so its links never open the app. It is a warning where \
            '/*/*' covers '/x' only because its tail '/*' may be left out: that is recorded only for patterns like '/x/*'.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.order(#"{"/": "/help/*", "exclude": true}"#, #"⟦{"/": "/help/app/*"}⟧"#, #"{"/": "/buy/*"}"#),
        good: ExampleFile.order(#"{"/": "/help/app/*"}"#, #"{"/": "/help/*", "exclude": true}"#, #"{"/": "/buy/*"}"#))
}
