internal import Diagnostics

/// A parameter as routers of other kinds write it.
enum RouterPlaceholderRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "router-placeholder", .warning, summary: "a pattern has a placeholder like ':name' or '{name}'",
            reason: """
                ':name', '{name}', '<name>' and '[name]' are parameters for routers of web frameworks. The system knows \
                only '*', '?' and '$(…)': anything else is plain text that a URL must have. Where no URL can have it, as \
                with '{name}' in a path, it is an 'unencoded-character'. In a list of the routes of an app captures are \
                written '{name}', and ':name' is plain text there too.
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
                "\(quoted(place.anatomy.string(first))) is plain text to the system, not a placeholder",
                fixIts: [
                    FixIt(
                        title: "write '*'", applicability: .suggested,
                        edits: place.edits(place.anatomy.stars(for: place.anatomy.placeholders), in: file.source))
                ])
        }
    }
}
