internal import Diagnostics

/// A query in a path pattern.
enum QueryInPathRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "query-in-path", .error, summary: "a path pattern has a query",
            reason: """
                The path of a URL ends before its '?', and in a pattern '?' stands for any one character. Apple's \
                documentation has the component key '?' for queries; the legacy 'paths' cannot look at them.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/buy⟦?item=7⟧" }"#),
            good: PatternExample.components(#"{ "/": "/buy", "?": { "item": "7" } }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns {
            guard let query = place.anatomy.query else { continue }
            let text = place.anatomy.string(query)
            findings.report(
                "query-in-path", place.part(query, in: file.source), place.pointer,
                "a path pattern cannot contain a query: in \(quoted(text)) the '?' matches any single character",
                fixIts: PathSplit.fixIts(place, query, key: "?", QueryText(text).json, file.source))
        }
    }
}
