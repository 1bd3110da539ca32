internal import Android
internal import Diagnostics

/// A substitution variable where there are none.
enum VariableOnAndroidRule: PatternRule, AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "variable-on-android", .error, "a pattern of a dynamic rule has a variable",
        """
        Only Apple's systems have '$(name)'. On Android it is plain text that a URL would have to contain, so the component \
        matches nothing.
        """,
        bad: AssetLinksRules.rules(#"{ "/": "/⟦$(lang)⟧/buy/*" }"#),
        good: AssetLinksRules.rules(#"{ "/": "/en/buy/*" }"#, #"{ "/": "/de/buy/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        for variable in pattern.parsed.variables {
            diagnostics.report(
                description, pattern, at: variable,
                "\(quoted(pattern.parsed.string(variable))) is plain text on Android: the pattern matches no link that was meant",
                advice: "write a component for each value")
        }
    }
}
