internal import Diagnostics
internal import URLPatterns

/// `?*` after a word, which looks like a query.
enum AmbiguousQuestionMarkRule: PatternRule {
    static let description = RuleDescription(
        "ambiguous-question-mark", .warning, summary: "a path pattern ends in '?*' after a letter or digit",
        reason: """
            In a path '?*' means one more character or several: '/buy?*' matches '/buyer' and not '/buy?item=7'. The \
            query is matched by the component key '?'; without it any query is accepted.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy⟦?*⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": "?*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.isPath else { return }
        let parsed = pattern.parsed
        let tail = max(parsed.examined.upperBound - 2, parsed.examined.lowerBound)..<parsed.examined.upperBound
        guard tail.lowerBound > parsed.examined.lowerBound, parsed.bytes[tail].elementsEqual("?*".utf8) else {
            return
        }
        let before = parsed.bytes[tail.lowerBound - 1]
        guard before.isLetter || before.isDigit else { return }
        diagnostics.report(
            description, pattern, at: tail, "'?*' matches one or more characters of the path here, not a query",
            fix: fix(pattern, tail))
    }

    private static func fix(_ pattern: FilePattern, _ tail: Range<Int>) -> FixIt? {
        guard let owner = pattern.owner, owner["?"] == nil else {
            let edits = [pattern.edit(tail, "")]
            return FixIt("delete '?*'", .suggested, edits)
        }
        return PathSplit.fix(pattern, tail, key: "?", #""?*""#)
    }
}
