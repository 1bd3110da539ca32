internal import Diagnostics

/// Something in front of a legacy path that is meant to exclude, but does not.
enum MalformedNotRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "malformed-not", .error, summary: "a legacy path excludes with something else than 'NOT '",
            reason: """
                Apple's documentation knows one way to exclude in 'paths': 'NOT', in capitals, and exactly one blank before \
                the path. Everything else is part of the path that the system looks for, so nothing is excluded.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.paths(#"["⟦not ⟧/help/*", "*"]"#), good: PatternExample.paths(#"["NOT /help/*", "*"]"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.kind == .legacyPath && !place.anatomy.isExclusionSound {
            guard let word = place.anatomy.exclusion else { continue }
            findings.report(
                "malformed-not", place.part(word, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(word))) excludes nothing: it is part of the path that the system looks for",
                fixIts: [
                    FixIt(
                        title: "write 'NOT '", applicability: .suggested,
                        edits: [place.edit(word, "NOT ", in: file.source)])
                ])
        }
    }
}
