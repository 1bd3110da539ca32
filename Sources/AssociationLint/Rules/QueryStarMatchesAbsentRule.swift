internal import Diagnostics

/// `*` for a query item, which also accepts a missing item.
enum QueryStarMatchesAbsentRule: FileRule {
    static let description = RuleDescription(
        "query-star-matches-absent", .warning, summary: "a value of a query dictionary is '*'",
        reason: """
            A missing item counts as empty, and '*' accepts that: it requires nothing, as Apple's \
            documentation says and recorded output of its swcutil shows. '?*' requires an item with a value.
            """,
        basis: [.apple, .recorded], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy", "?": { "item": ⟦"*"⟧ } }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": { "item": "?*" } }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns {
            guard case .queryItem(let name) = pattern.kind, pattern.parsed.text == [UInt8(ascii: "*")] else { continue }
            diagnostics.report(
                description.code, pattern.range, pattern.pointer,
                "'*' also accepts a URL without the item \(quoted(name))",
                fixIts: [
                    FixIt(
                        title: "write '?*'", applicability: .suggested,
                        edits: [pattern.edit(0..<1, "?*", in: context.source)])
                ])
        }
    }
}
