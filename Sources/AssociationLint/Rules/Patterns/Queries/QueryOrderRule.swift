internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// Several items in a string.
enum QueryOrderRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "query-order-matters", .warning, summary: "a query pattern has several items in one string",
            reason: """
                A string is compared with the whole query, so the items have to stand in this order, and no others beside \
                them. A dictionary is compared item by item.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/buy", "?": ⟦"item=7&size=*"⟧ }"#),
            good: PatternExample.components(#"{ "/": "/buy", "?": { "item": "7", "size": "?*" } }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.kind == .query && place.anatomy.present.contains(UInt8(ascii: "&")) {
            let dictionary = QueryText(place.anatomy.string(place.anatomy.pattern)).dictionary
            findings.report(
                "query-order-matters", place.range, place.pointer,
                "\(quoted(place.string.text)) matches these items in this order only",
                fixIts: dictionary.map { text in
                    [
                        FixIt(
                            title: "write a dictionary", applicability: .suggested,
                            edits: [TextEdit(range: place.range, replacement: text)])
                    ]
                } ?? [])
        }
    }
}
