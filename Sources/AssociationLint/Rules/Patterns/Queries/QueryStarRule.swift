internal import Diagnostics

/// `*` for a query item, which accepts that there is none.
enum QueryStarRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "query-star-matches-absent", .warning, summary: "a value of a query dictionary is '*'",
            reason: """
                An item that is missing counts as empty, and '*' accepts that: it asks for nothing, as Apple's \
                documentation says and recorded output of its swcutil shows. '?*' asks for an item with a value.
                """,
            basis: [.apple, .recorded], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/buy", "?": { "item": ⟦"*"⟧ } }"#),
            good: PatternExample.components(#"{ "/": "/buy", "?": { "item": "?*" } }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns {
            guard case .queryItem(let name) = place.kind, place.anatomy.text == [UInt8(ascii: "*")] else { continue }
            findings.report(
                "query-star-matches-absent", place.range, place.pointer,
                "'*' also accepts a URL without the item \(quoted(name))",
                fixIts: [
                    FixIt(
                        title: "write '?*'", applicability: .suggested,
                        edits: [place.edit(0..<1, "?*", in: file.source)])
                ])
        }
    }
}
