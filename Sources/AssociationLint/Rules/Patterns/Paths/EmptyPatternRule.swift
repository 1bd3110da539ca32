internal import Diagnostics

/// A path pattern with nothing in it.
enum EmptyPatternRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "empty-pattern", .warning, summary: "a path pattern is empty",
            reason: """
                An empty path pattern means the root of the site at most, as slashes at the ends do not count. Whether the \
                system takes it so is not documented.
                """,
            basis: [.inferred], fix: .suggested,
            bad: PatternExample.components(#"{ "/": ⟦""⟧ }"#), good: PatternExample.components(#"{ "/": "/" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.isPath && place.anatomy.pattern.isEmpty {
            let gap = place.anatomy.pattern.lowerBound..<place.anatomy.pattern.lowerBound
            findings.report(
                "empty-pattern", place.range, place.pointer,
                "an empty path pattern means the root '/', if anything",
                fixIts: [
                    FixIt(
                        title: "write '/'", applicability: .suggested,
                        edits: [place.edit(gap, "/", in: file.source)])
                ])
        }
    }
}
