internal import Diagnostics

/// A query in a path pattern.
enum QueryInPathRule: PatternRule {
    static let description = RuleDescription(
        "query-in-path", .error, summary: "a path pattern has a query",
        reason: """
            The path of a URL ends before its '?', and in a pattern '?' matches any single character. Apple's \
            documentation has the component key '?' for queries; the legacy 'paths' cannot match them.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy⟦?item=7⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": { "item": "7" } }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard let query = pattern.parsed.query else { return }
        let text = pattern.parsed.string(query)
        diagnostics.report(
            description, pattern, at: query,
            "a path pattern cannot contain a query: in \(quoted(text)) the '?' matches any single character",
            fix: QueryText(text, isAndroid: pattern.isAndroid).json.flatMap {
                PathSplit.fix(pattern, query, key: "?", $0)
            })
    }
}
