internal import Diagnostics

/// Something in front of a legacy path that is meant to exclude, but does not.
enum MalformedNotRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "malformed-not", .error, summary: "a legacy path is meant to exclude, but does not start with 'NOT '",
            reason: """
                Apple's documentation knows one way to exclude in 'paths': 'NOT', in capitals, and exactly one space before \
                the path. Everything else is part of the path that the system looks for, so nothing is excluded.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.paths(#"["⟦not ⟧/help/*", "*"]"#), good: PatternExample.paths(#"["NOT /help/*", "*"]"#))
    ]

    private static func message(_ place: PatternPlace, _ word: Range<Int>) -> String {
        let isUnspaced = place.anatomy.string(word) == "NOT"
        let path = place.anatomy.string(word.lowerBound..<place.anatomy.pattern.upperBound)
        return isUnspaced
            ? "missing space after NOT: this matches the literal path \(quoted(path))"
            : "\(quoted(place.anatomy.string(word))) does not exclude: this matches the literal path \(quoted(path))"
    }

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.kind == .legacyPath && !place.anatomy.isExclusionSound {
            guard let word = place.anatomy.exclusion else { continue }
            findings.report(
                "malformed-not", place.part(word, in: file.source), place.pointer,
                message(place, word),
                fixIts: [
                    FixIt(
                        title: "write 'NOT '", applicability: .suggested,
                        edits: [place.edit(word, "NOT ", in: file.source)])
                ])
        }
    }
}
