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
                notes: nearest(place, sign) + [
                    "'*' stands for any run of characters, '?' for any one, '$(digit)' for a digit"
                ])
        }
    }

    /// What says the same in a pattern, if that is simple.
    private static func nearest(_ place: PatternPlace, _ sign: Range<Int>) -> [String] {
        let text = place.anatomy.string(sign)
        // There are no variables in the value of one.
        guard let glob = globs[text], !place.isVariableValue || !glob.hasPrefix("$") else { return [] }
        return ["the nearest pattern for \(quoted(text)) is \(quoted(glob))"]
    }

    private static let globs = [
        ".*": "*", "/.*": "/*", ".+": "?*", #"\d"#: "$(digit)", "[0-9]": "$(digit)", "[a-z]": "$(lower)",
        "[A-Z]": "$(upper)", "[a-zA-Z]": "$(alpha)", "[A-Za-z]": "$(alpha)", "[a-zA-Z0-9]": "$(alnum)",
        "[A-Za-z0-9]": "$(alnum)",
    ]
}
