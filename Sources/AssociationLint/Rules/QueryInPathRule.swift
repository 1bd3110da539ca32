internal import Diagnostics

/// A query in a path pattern.
enum QueryInPathRule: FileRule {
    static let description = RuleDescription(
        "query-in-path", .error, summary: "a path pattern has a query",
        reason: """
            The path of a URL ends before its '?', and in a pattern '?' matches any single character. Apple's \
            documentation has the component key '?' for queries; the legacy 'paths' cannot match them.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy⟦?item=7⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": { "item": "7" } }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns {
            guard let query = pattern.parsed.query else { continue }
            let text = pattern.parsed.string(query)
            diagnostics.report(
                description.code, pattern.part(query, in: context.source), pattern.pointer,
                "a path pattern cannot contain a query: in \(quoted(text)) the '?' matches any single character",
                fixIts: QueryText(text, isAndroid: pattern.isAndroid).json.map {
                    PathSplit.fixIts(pattern, query, key: "?", $0, context.source)
                } ?? [])
        }
    }
}
