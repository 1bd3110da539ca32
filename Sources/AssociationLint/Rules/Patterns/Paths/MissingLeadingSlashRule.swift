internal import Diagnostics

/// A path pattern that does not begin like a path.
enum MissingLeadingSlashRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "missing-leading-slash", .warning, summary: "a path pattern does not start with '/'",
            reason: """
                Recorded output of Apple's swcutil shows that slashes at the start do not count, so it still matches. Every \
                path begins with one, and Apple's examples do.
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
                "path pattern \(quoted(place.anatomy.string(place.anatomy.pattern))) does not start with '/'",
                notes: stillMatches(place) ? ["it still matches: the system adds the '/'"] : [],
                fixIts: [
                    FixIt(
                        title: "insert '/'", applicability: mayBeURL(place.anatomy) ? .suggested : .automatic,
                        edits: [place.edit(start..<start, "/", in: file.source)])
                ])
        }
    }

    /// Whether nothing else keeps it from matching.
    private static func stillMatches(_ place: PatternPlace) -> Bool {
        let anatomy = place.anatomy
        return anatomy.fragment == nil && anatomy.query == nil && anatomy.unmatchablePlaceholders.isEmpty
            && DotSegmentRule.segment(anatomy) == nil
            && !(place.percentEncoded && anatomy.present.intersects(.unencoded))
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
