internal import Diagnostics

/// `?*` behind a word, which looks like a query.
enum AmbiguousQuestionMarkRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "ambiguous-question-mark", .warning, summary: "a path pattern ends in '?*' behind a letter or digit",
            reason: """
                In a path '?*' means one more character or several: '/buy?*' matches '/buyer' and not '/buy?item=7'. The \
                query is compared with the component key '?', and without one every query is accepted.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/buy⟦?*⟧" }"#),
            good: PatternExample.components(#"{ "/": "/buy", "?": "?*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.isPath {
            let anatomy = place.anatomy
            let tail = max(anatomy.examined.upperBound - 2, anatomy.examined.lowerBound)..<anatomy.examined.upperBound
            guard tail.lowerBound > anatomy.examined.lowerBound, anatomy.bytes[tail].elementsEqual("?*".utf8) else {
                continue
            }
            let before = anatomy.bytes[tail.lowerBound - 1]
            guard before.isLetter || before.isDigit else { continue }
            findings.report(
                "ambiguous-question-mark", place.part(tail, in: file.source), place.pointer,
                "'?*' matches one or more characters of the path here, not a query",
                fixIts: fixIts(place, tail, file.source))
        }
    }

    private static func fixIts(_ place: PatternPlace, _ tail: Range<Int>, _ source: SourceText) -> [FixIt] {
        guard let owner = place.owner, owner["?"] == nil else {
            let edits = [place.edit(tail, "", in: source)]
            return [FixIt(title: "delete '?*'", applicability: .suggested, edits: edits)]
        }
        return PathSplit.fixIts(place, tail, key: "?", #""?*""#, source)
    }
}
