internal import Diagnostics

/// A parameter as routers of other kinds write it.
enum RouterPlaceholderRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "router-placeholder", .warning, summary: "a pattern has a placeholder like ':name' or '{name}'",
            reason: """
                ':name', '{name}', '<name>' and '[name]' are parameters for routers of web frameworks. The system knows \
                only '*', '?' and '$(…)': anything else is plain text that a URL has to have.
                """,
            basis: [.lint], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/buy/⟦:item⟧" }"#),
            good: PatternExample.components(#"{ "/": "/buy/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns {
            guard let first = place.anatomy.placeholders.first else { continue }
            findings.report(
                "router-placeholder", place.part(first, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(first))) is plain text for the system, not a placeholder",
                fixIts: [
                    FixIt(
                        title: "write '*'", applicability: .suggested,
                        edits: place.edits(place.anatomy.stars(for: place.anatomy.placeholders), in: file.source))
                ])
        }
    }
}
