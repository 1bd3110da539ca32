internal import Diagnostics

/// `?` at the start of a query pattern.
enum LeadingQuestionMarkInQueryRule: PatternRule {
    static let description = RuleDescription(
        "leading-question-mark-in-query", .error, summary: "a query pattern starts with '?' and a name",
        reason: """
            The query of a URL begins after the '?', and in a pattern '?' matches any single character. So '?item=7' asks \
            for one more character before 'item' and never matches the query 'item=7'.
            """,
        basis: [.apple], fix: .automatic,
        bad: ExampleFile.components(#"{ "/": "/buy", "?": "⟦?⟧item=7" }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": "item=7" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.kind == .query else { return }
        let start = pattern.parsed.body.lowerBound
        guard pattern.parsed.bytes[pattern.parsed.body].first == UInt8(ascii: "?"),
            PathParts.queryStart(pattern.parsed.bytes, pattern.parsed.body) == start
        else { return }
        let mark = start..<start + 1
        diagnostics.report(
            description, pattern, at: mark,
            "the '?' of a URL is not part of its query: here '?' matches any single character",
            fix: FixIt("delete '?'", .automatic, pattern.edit(mark, "")))
    }
}
