internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// Several query items in one string.
enum QueryOrderMattersRule: PatternRule {
    static let description = RuleDescription(
        "query-order-matters", .warning, summary: "a query pattern has several items in one string",
        reason: """
            A string is compared with the whole query, so the items must be in this order, without any others. \
            A dictionary is compared item by item.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy", "?": ⟦"item=7&size=*"⟧ }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": { "item": "7", "size": "?*" } }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.kind == .query && pattern.parsed.present.contains(UInt8(ascii: "&")) else { return }
        let dictionary = QueryText(pattern.parsed.string(pattern.parsed.body)).dictionary
        diagnostics.report(
            description, pattern, "\(quoted(pattern.string.text)) matches these items in this order only",
            fix: dictionary.map { .writing($0, at: pattern.range, title: "write a dictionary") })
    }
}
