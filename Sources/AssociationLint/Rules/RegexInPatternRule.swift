internal import AppSiteAssociation
internal import Diagnostics

/// A regular expression where a pattern belongs.
enum RegexInPatternRule: PatternRule {
    static let description = RuleDescription(
        "regex-in-pattern", .warning, summary: "a pattern looks like a regular expression",
        reason: """
            In Apple's patterns '*' matches any run of characters and '?' any single one. Everything else of a regular \
            expression is plain text that a URL must contain. It is an error if no URL can, as with '^' and '|', \
            and a warning otherwise.
            """,
        basis: [.apple],
        bad: ExampleFile.components(#"{ "/": "/buy/⟦[0-9]⟧*" }"#),
        good: ExampleFile.components(#"{ "/": "/buy/$(digit)*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        let parsed = pattern.parsed
        guard let sign = parsed.regex else { return }
        let neverMatches = pattern.percentEncoded && parsed.isImpossibleExpression
        let text = quoted(parsed.string(sign))
        diagnostics.report(
            description, severity: neverMatches ? .error : nil, pattern, at: sign,
            neverMatches
                ? "\(text) is plain text, not a regular expression: the pattern never matches"
                : "\(text) is plain text: a pattern is not a regular expression",
            notes: nearest(pattern, sign) + [
                pattern.isAndroid
                    ? "'*' matches up to the first character that comes after it, '?' any single character"
                    : "'*' matches any run of characters, '?' any single character, '$(digit)' a digit"
            ])
    }

    /// The nearest pattern, if that is simple.
    private static func nearest(_ pattern: FilePattern, _ sign: Range<Int>) -> [String] {
        let parsed = pattern.parsed
        let text = parsed.string(sign)
        // A value of a variable cannot use variables, and Android has none.
        guard let glob = globs[text], !(pattern.isVariableValue || pattern.isAndroid) || !glob.hasPrefix("$") else {
            return []
        }
        guard glob.hasPrefix("$"), let repeated = repetition(after: sign.upperBound, in: parsed) else {
            return ["the nearest pattern for \(quoted(text)) is \(quoted(glob))"]
        }
        let whole = parsed.string(sign.lowerBound..<repeated.end)
        return ["the nearest pattern for \(quoted(whole)) is \(quoted(repeated.glob))"]
    }

    /// The repetition of a character class, read from what follows it: `+`, `*`, or a number in curly brackets.
    private static func repetition(after offset: Int, in parsed: ParsedPattern) -> (end: Int, glob: String)? {
        let rest = parsed.bytes[offset..<max(offset, parsed.examined.upperBound)]
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
