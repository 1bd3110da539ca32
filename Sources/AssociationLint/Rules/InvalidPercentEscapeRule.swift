internal import Diagnostics

/// A `%` that does not begin an escape.
enum InvalidPercentEscapeRule: PatternRule {
    static let description = RuleDescription(
        "invalid-percent-escape", .warning, summary: "a '%' in a pattern is not followed by two hexadecimal digits",
        reason: """
            In a URL '%' begins an escape, and a percent sign itself is '%25'. A pattern with a lone '%' only \
            matches invalid URLs.
            """,
        basis: [.inferred], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/save-50⟦%⟧-now" }"#),
        good: ExampleFile.components(#"{ "/": "/save-50%25-now" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.percentEncoded else { return }
        let ranges = PercentEscape.all(in: pattern).filter { $0.kind == .invalid }.map(\.range)
        guard let first = ranges.first else { return }
        diagnostics.report(
            description, pattern, at: first,
            "'%' is not followed by two hexadecimal digits, as it is in every valid URL",
            fix: FixIt("write '%25'", .suggested, pattern.edits(ranges.map { ($0, "%25") })))
    }
}
