internal import Diagnostics

/// `?` or an empty string for a query item, where any value is meant.
enum OddQueryValueRule: PatternRule {
    static let description = RuleDescription(
        "odd-query-value", .warning, summary: "a value of a query dictionary is '?' or empty",
        reason: """
            '?' matches exactly one character, so '"id": "?"' accepts 'id=7' and not 'id=42'. An empty value accepts only \
            an item that is empty or missing. For any value write '?*' (Apple, "Supporting associated domains").
            """,
        basis: [.apple, .lint], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy", "?": { "item": ⟦"?"⟧ } }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": { "item": "?*", "size": "??" } }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard case .queryItem(let name) = pattern.kind, pattern.parsed.text.count <= 1 else { return }
        let text = pattern.parsed.text
        guard text.isEmpty || text == [UInt8(ascii: "?")] else { return }
        diagnostics.report(
            description, pattern,
            text.isEmpty
                ? "an empty value accepts \(quoted(name)) only if it is empty or missing"
                : "'?' accepts exactly one character as the value of \(quoted(name))",
            fix: FixIt(
                "write '?*' for any value", .suggested, pattern.edit(0..<text.count, "?*")))
    }
}
