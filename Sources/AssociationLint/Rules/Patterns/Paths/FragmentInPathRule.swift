internal import Diagnostics

/// A fragment in a path pattern.
enum FragmentInPathRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "fragment-in-path", .error, summary: "a path pattern has a '#'",
            reason: """
                The path of a URL ends before its '#', so a pattern with one matches nothing. Apple's documentation has the \
                component key '#' for fragments; the legacy 'paths' cannot look at them.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.components(##"{ "/": "/help⟦#contact⟧" }"##),
            good: PatternExample.components(##"{ "/": "/help", "#": "contact" }"##))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns {
            guard let fragment = place.anatomy.fragment else { continue }
            let text = place.anatomy.string(fragment)
            let value = String(decoding: text.utf8.drop { $0 == UInt8(ascii: "#") }, as: UTF8.self)
            findings.report(
                "fragment-in-path", place.part(fragment, in: file.source), place.pointer,
                "a path pattern cannot contain a fragment: with \(quoted(text)) it never matches",
                fixIts: PathSplit.fixIts(place, fragment, key: "#", JSONEdits.literal(value), file.source))
        }
    }
}
