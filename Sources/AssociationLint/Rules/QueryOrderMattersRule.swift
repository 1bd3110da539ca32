internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// Several query items in one string.
enum QueryOrderMattersRule: FileRule {
    static let description = RuleDescription(
        "query-order-matters", .warning, summary: "a query pattern has several items in one string",
        reason: """
            A string is compared with the whole query, so the items must be in this order, without any others. \
            A dictionary is compared item by item.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy", "?": ⟦"item=7&size=*"⟧ }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": { "item": "7", "size": "?*" } }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns
        where pattern.kind == .query && pattern.parsed.present.contains(UInt8(ascii: "&")) {
            let dictionary = QueryText(pattern.parsed.string(pattern.parsed.body)).dictionary
            diagnostics.report(
                description.code, pattern.range, pattern.pointer,
                "\(quoted(pattern.string.text)) matches these items in this order only",
                fixIts: dictionary.map { text in
                    [FixIt("write a dictionary", .suggested, TextEdit(range: pattern.range, replacement: text))]
                } ?? [])
        }
    }
}
