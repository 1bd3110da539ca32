internal import Diagnostics
internal import URLPatterns

/// A segment that browsers remove from a link.
enum DotSegmentInPatternRule: PatternRule {
    static let description = RuleDescription(
        "dot-segment-in-pattern", .warning, summary: "a path pattern has a segment '.' or '..'",
        reason: """
            Browsers and apps resolve '.' and '..' before they open a link, so no URL contains them. They are not \
            resolved in the pattern, so it matches nothing.
            """,
        basis: [.inferred],
        bad: ExampleFile.components(#"{ "/": "/shop/⟦..⟧/buy/*" }"#),
        good: ExampleFile.components(#"{ "/": "/buy/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.isPath, let segment = segment(pattern.parsed) else { return }
        diagnostics.report(
            description, pattern, at: segment,
            "segment \(quoted(pattern.parsed.string(segment))) is resolved before a link is opened: no URL contains it"
        )
    }

    /// The first segment that is a dot or two.
    static func segment(_ parsed: ParsedPattern) -> Range<Int>? {
        let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
        guard parsed.present.contains(dot) else { return nil }
        var start = parsed.examined.lowerBound
        while start < parsed.examined.upperBound {
            let rest = parsed.bytes[start..<parsed.examined.upperBound]
            let end = rest.firstIndex(of: slash) ?? rest.endIndex
            if end > start, end - start <= 2, rest[..<end].allSatisfy({ $0 == dot }) { return start..<end }
            start = end + 1
        }
        return nil
    }
}
