internal import AppSiteAssociation
internal import Diagnostics

/// A regular expression where a pattern belongs.
enum RegexInPatternRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "regex-in-pattern", .warning, summary: "a pattern looks like a regular expression",
            reason: """
                Apple's patterns know '*' for any run of characters and '?' for any single one. Everything else of a regular \
                expression is plain text that a URL must have. It is an error if no URL can have it, as with '^' and '|', \
                and a warning otherwise.
                """,
            basis: [.apple],
            bad: PatternExample.components(#"{ "/": "/buy/⟦[0-9]⟧*" }"#),
            good: PatternExample.components(#"{ "/": "/buy/$(digit)*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns {
            let anatomy = place.anatomy
            guard let sign = anatomy.regex else { continue }
            let neverMatches = place.percentEncoded && anatomy.isImpossibleExpression
            let text = quoted(anatomy.string(sign))
            findings.report(
                "regex-in-pattern", severity: neverMatches ? .error : nil, place.part(sign, in: file.source),
                place.pointer,
                neverMatches
                    ? "\(text) is plain text, not a regular expression: the pattern never matches"
                    : "\(text) is plain text: a pattern is not a regular expression",
                notes: nearest(place, sign) + [
                    "'*' matches any run of characters, '?' any single one, '$(digit)' a digit"
                ])
        }
    }

    /// What says the same in a pattern, if that is simple.
    private static func nearest(_ place: PatternPlace, _ sign: Range<Int>) -> [String] {
        let anatomy = place.anatomy
        let text = anatomy.string(sign)
        // There are no variables in the value of one.
        guard let glob = globs[text], !place.isVariableValue || !glob.hasPrefix("$") else { return [] }
        guard glob.hasPrefix("$"), let repeated = repetition(after: sign.upperBound, in: anatomy) else {
            return ["the nearest pattern for \(quoted(text)) is \(quoted(glob))"]
        }
        let whole = anatomy.string(sign.lowerBound..<repeated.end)
        return ["the nearest pattern for \(quoted(whole)) is \(quoted(repeated.glob))"]
    }

    /// How often a character class is meant, by what follows it: `+`, `*`, or a number in curly brackets.
    private static func repetition(after offset: Int, in anatomy: PatternAnatomy) -> (end: Int, glob: String)? {
        let rest = anatomy.bytes[offset..<max(offset, anatomy.examined.upperBound)]
        switch rest.first {
        case UInt8(ascii: "+"): return (offset + 1, "?*")
        case UInt8(ascii: "*"): return (offset + 1, "*")
        case UInt8(ascii: "{"): return rest.firstIndex(of: UInt8(ascii: "}")).map { ($0 + 1, "?*") }
        default: return nil
        }
    }

    private static let globs = [
        ".*": "*", "/.*": "/*", ".+": "?*", #"\d"#: "$(digit)", "[0-9]": "$(digit)", "[a-z]": "$(lower)",
        "[A-Z]": "$(upper)", "[a-zA-Z]": "$(alpha)", "[A-Za-z]": "$(alpha)", "[a-zA-Z0-9]": "$(alnum)",
        "[A-Za-z0-9]": "$(alnum)",
    ]
}
