internal import Diagnostics
internal import JSONSyntax

/// White space at the beginning or the end of a pattern.
enum WhitespaceAroundPatternRule: PatternRule {
    static let description = RuleDescription(
        "whitespace-around-pattern", .error, summary: "a pattern starts or ends with white space",
        reason: """
            White space is part of the pattern for the system. A URL has '%20' instead, so the pattern \
            matches nothing.
            """,
        basis: [.inferred], fix: .automatic,
        bad: ExampleFile.components(#"{ "/": ⟦"/buy/* "⟧ }"#),
        good: ExampleFile.components(#"{ "/": "/buy/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard !pattern.isVariableValue || pattern.percentEncoded else { return }
        let gaps = pattern.parsed.whiteSpace
        guard !gaps.isEmpty else { return }
        // Decoded, it could be meant.
        let isCertain = pattern.percentEncoded
        diagnostics.report(
            description, pattern,
            isCertain
                ? "pattern \(quoted(pattern.string.text)) starts or ends with white space: it matches no URL"
                : "pattern \(quoted(pattern.string.text)) starts or ends with white space: it only matches URLs with it",
            fix: FixIt(
                "delete the white space", isCertain ? .automatic : .suggested,
                pattern.edits(gaps.map { ($0, "") })))
    }
}

extension ParsedPattern {
    /// The white space at the ends.
    var whiteSpace: [Range<Int>] {
        let start = exclusion?.lowerBound ?? body.lowerBound
        guard start > 0 || body.upperBound < text.count else { return [] }
        return [0..<start, body.upperBound..<text.count].filter { !$0.isEmpty }
    }
}
