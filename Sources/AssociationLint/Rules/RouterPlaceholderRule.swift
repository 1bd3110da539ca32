internal import Diagnostics

/// A parameter as web frameworks write it.
enum RouterPlaceholderRule: FileRule {
    static let description = RuleDescription(
        "router-placeholder", .warning, summary: "a pattern has a placeholder like ':name' or '{name}'",
        reason: """
            ':name', '{name}', '<name>' and '[name]' are parameters in the routers of web frameworks. The system knows \
            only '*', '?' and '$(…)': anything else is plain text that a URL must contain. Where no URL can, as \
            with '{name}' in a path, that is reported as 'unencoded-character'. In a list of an app's routes captures are \
            written '{name}', and ':name' is plain text there too.
            """,
        basis: [.lint], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy/⟦:item⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/buy/*" }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns {
            guard let first = pattern.parsed.placeholders.first else { continue }
            diagnostics.report(
                description.code, pattern.part(first, in: context.source), pattern.pointer,
                "\(quoted(pattern.parsed.string(first))) is plain text to the system, not a placeholder",
                fixIts: [
                    FixIt(
                        title: "write '*'", applicability: .suggested,
                        edits: pattern.edits(pattern.parsed.stars(for: pattern.parsed.placeholders), in: context.source)
                    )
                ])
        }
    }
}
