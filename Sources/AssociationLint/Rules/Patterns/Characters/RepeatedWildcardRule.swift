internal import AppSiteAssociation
internal import Diagnostics

/// Stars in a row.
enum RepeatedWildcardRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "repeated-wildcard", .warning, summary: "a pattern has '**'",
            reason: """
                '*' stands for any run of characters already, slashes too, so a second one adds nothing. At the end of a \
                path it takes something away: '/buy/*' also matches '/buy', '/buy/**' does not.
                """,
            basis: [.apple], fix: .automatic,
            bad: PatternExample.components(#"{ "/": "/buy/⟦**⟧" }"#),
            good: PatternExample.components(#"{ "/": "/buy/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        var parents = ParentPaths(file)
        let star = UInt8(ascii: "*")
        for place in file.patterns where place.anatomy.present.contains(star) {
            let runs = place.anatomy.bytes[place.anatomy.examined].runs(of: star)
            guard let first = runs.first else { continue }
            // With one star, another part of it may be what looks like an expression.
            let isSafe =
                place.anatomy.regex == nil && runs.last.map { !parents.mattersToOthers(place, tail: $0) } ?? true
            findings.report(
                "repeated-wildcard", place.part(first, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(first))) means the same as '*', any run of characters",
                fixIts: [
                    FixIt(
                        title: runs.count == 1 ? "write '*'" : "write each of them as '*'",
                        applicability: isSafe ? .automatic : .suggested,
                        edits: place.edits(runs.map { ($0, "*") }, in: file.source))
                ])
        }
    }
}
