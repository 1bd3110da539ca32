internal import Diagnostics

/// `?` in front of a query pattern.
enum LeadingQuestionMarkRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "leading-question-mark-in-query", .error, summary: "a query pattern begins with '?' and a name",
            reason: """
                The query of a URL begins behind its '?', and in a pattern '?' stands for any one character. So '?item=7' asks \
                for one more character in front of 'item' and never matches the query 'item=7'.
                """,
            basis: [.apple], fix: .automatic,
            bad: PatternExample.components(#"{ "/": "/buy", "?": "⟦?⟧item=7" }"#),
            good: PatternExample.components(#"{ "/": "/buy", "?": "item=7" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.kind == .query {
            let start = place.anatomy.pattern.lowerBound
            guard place.anatomy.bytes[place.anatomy.pattern].first == UInt8(ascii: "?"),
                PathCut.queryStart(place.anatomy.bytes, place.anatomy.pattern) == start
            else { continue }
            let mark = start..<start + 1
            findings.report(
                "leading-question-mark-in-query", place.part(mark, in: file.source), place.pointer,
                "'?' is any one character here: a query begins behind its '?'",
                fixIts: [
                    FixIt(
                        title: "delete '?'", applicability: .automatic,
                        edits: [place.edit(mark, "", in: file.source)])
                ])
        }
    }
}
