internal import Diagnostics

/// A path pattern that does not begin like a path.
enum MissingLeadingSlashRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "missing-leading-slash", .warning, summary: "a path pattern begins without '/'",
            reason: """
                Recorded output of Apple's swcutil shows that slashes in front do not count, so it works. Every path \
                begins with one, and Apple's examples do.
                """,
            basis: [.recorded], fix: .automatic,
            bad: PatternExample.components(#"{ "/": ⟦"buy/*"⟧ }"#),
            good: PatternExample.components(#"{ "/": "/buy/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.isPath && lacksSlash(place.anatomy) {
            let start = place.anatomy.pattern.lowerBound
            findings.report(
                "missing-leading-slash", place.range, place.pointer,
                "pattern \(quoted(place.anatomy.string(place.anatomy.pattern))) begins without the '/' of every path",
                fixIts: [
                    FixIt(
                        title: "insert '/'", applicability: mayBeURL(place.anatomy) ? .suggested : .automatic,
                        edits: [place.edit(start..<start, "/", in: file.source)])
                ])
        }
    }

    /// Whether it may be a host or scheme what it begins with, rather than a segment.
    private static func mayBeURL(_ anatomy: PatternAnatomy) -> Bool {
        anatomy.bytes[anatomy.examined].prefix { $0 != UInt8(ascii: "/") }
            .contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
    }

    private static func lacksSlash(_ anatomy: PatternAnatomy) -> Bool {
        guard let first = anatomy.bytes[anatomy.examined].first else { return false }
        switch first {
        case UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "?"), .blank: return false
        default: break
        }
        // Something else may be wrong there.
        let start = anatomy.examined.lowerBound
        return anatomy.regex?.lowerBound != start && anatomy.unclosedVariable?.lowerBound != start
            && DotSegmentRule.segment(anatomy)?.lowerBound != start
    }
}
