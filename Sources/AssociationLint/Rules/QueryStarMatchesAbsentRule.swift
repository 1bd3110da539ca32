internal import Diagnostics

/// `*` for a query item, which also accepts a missing item.
enum QueryStarMatchesAbsentRule: FileRule {
    static let description = RuleDescription(
        "query-star-matches-absent", .warning, summary: "'*' for a query or one of its items requires nothing",
        reason: """
            A missing item counts as empty, and '*' matches the empty text, so '*' requires nothing. Apple's \
            documentation says so, and recorded output of its swcutil shows it. '?*' requires an item with a value. In \
            the same way '*' for the whole query accepts a URL without one, so a component with nothing else matches \
            every URL.
            """,
        basis: [.apple, .recorded], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy", "?": { "item": ⟦"*"⟧ } }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": { "item": "?*" } }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for entry in context.entries {
            for component in entry.components where context.isStarAlone("?", of: component, in: entry) {
                context.reportStar("?", "query", component, in: entry, description, &diagnostics)
            }
        }
        for pattern in context.patterns {
            guard case .queryItem(let name) = pattern.kind, pattern.parsed.text == [UInt8(ascii: "*")] else { continue }
            diagnostics.report(
                description, pattern, "'*' also accepts a URL without the item \(quoted(name))",
                fix: FixIt("write '?*'", .suggested, pattern.edit(0..<1, "?*")))
        }
    }
}
