internal import Diagnostics
internal import JSONSyntax

/// White space at the beginning or the end of a pattern.
enum WhitespaceAroundPatternRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "whitespace-around-pattern", .error, summary: "a pattern begins or ends with white space",
            reason: """
                The system takes a pattern as it stands, white space too. A URL has none, it would be '%20' there, so the \
                pattern matches nothing.
                """,
            basis: [.inferred], fix: .automatic,
            bad: PatternExample.components(#"{ "/": ⟦"/buy/* "⟧ }"#),
            good: PatternExample.components(#"{ "/": "/buy/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where !place.isVariableValue || place.percentEncoded {
            let gaps = place.anatomy.whiteSpace
            guard !gaps.isEmpty else { continue }
            // Decoded, it could be meant.
            let isCertain = place.percentEncoded
            findings.report(
                "whitespace-around-pattern", place.range, place.pointer,
                isCertain
                    ? "pattern \(quoted(place.string.text)) has white space at an end: it matches no URL"
                    : "pattern \(quoted(place.string.text)) has white space at an end: it matches only URLs with it",
                fixIts: [
                    FixIt(
                        title: "delete the white space", applicability: isCertain ? .automatic : .suggested,
                        edits: place.edits(gaps.map { ($0, "") }, in: file.source))
                ])
        }
    }
}

extension PatternAnatomy {
    /// The white space at the ends.
    var whiteSpace: [Range<Int>] {
        let start = exclusion?.lowerBound ?? pattern.lowerBound
        guard start > 0 || pattern.upperBound < text.count else { return [] }
        return [0..<start, pattern.upperBound..<text.count].filter { !$0.isEmpty }
    }
}
