internal import AppSiteAssociation
internal import Diagnostics

/// A segment that browsers take out of a link.
enum DotSegmentRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "dot-segment-in-pattern", .warning, summary: "a path pattern has a segment '.' or '..'",
            reason: """
                Browsers and apps resolve '.' and '..' before they open a link, so no URL has them left. The pattern is \
                compared as it stands and matches nothing.
                """,
            basis: [.inferred],
            bad: PatternExample.components(#"{ "/": "/shop/⟦..⟧/buy/*" }"#),
            good: PatternExample.components(#"{ "/": "/buy/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.isPath {
            guard let segment = segment(place.anatomy) else { continue }
            findings.report(
                "dot-segment-in-pattern", place.part(segment, in: file.source), place.pointer,
                "segment \(quoted(place.anatomy.string(segment))) is resolved before a link is opened: no URL has it")
        }
    }

    /// The first segment that is a dot or two.
    static func segment(_ anatomy: PatternAnatomy) -> Range<Int>? {
        let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
        guard anatomy.present.contains(dot) else { return nil }
        var start = anatomy.examined.lowerBound
        while start < anatomy.examined.upperBound {
            let rest = anatomy.bytes[start..<anatomy.examined.upperBound]
            let end = rest.firstIndex(of: slash) ?? rest.endIndex
            if end > start, end - start <= 2, rest[..<end].allSatisfy({ $0 == dot }) { return start..<end }
            start = end + 1
        }
        return nil
    }
}
