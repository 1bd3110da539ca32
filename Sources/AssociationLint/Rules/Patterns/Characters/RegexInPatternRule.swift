internal import Diagnostics

/// A regular expression where a pattern belongs.
enum RegexInPatternRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "regex-in-pattern", .warning, summary: "a pattern looks like a regular expression",
            reason: """
                Apple's patterns know '*' for any run of characters and '?' for any one. Everything else of a regular \
                expression is plain text that a URL has to have.
                """,
            basis: [.apple],
            bad: PatternExample.components(#"{ "/": "/buy/⟦[0-9]⟧*" }"#),
            good: PatternExample.components(#"{ "/": "/buy/$(digit)*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns {
            guard let sign = place.anatomy.regex else { continue }
            findings.report(
                "regex-in-pattern", place.part(sign, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(sign))) is plain text: a pattern is no regular expression",
                notes: ["'*' stands for any run of characters, '?' for any one, '$(digit)' for a digit"])
        }
    }
}
