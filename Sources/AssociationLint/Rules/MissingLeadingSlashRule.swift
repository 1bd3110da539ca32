internal import Diagnostics
internal import URLPatterns

/// A path pattern that does not start like a path.
enum MissingLeadingSlashRule: PatternRule {
    static let description = RuleDescription(
        "missing-leading-slash", .warning, summary: "a path pattern does not start with '/'",
        reason: """
            Recorded output of Apple's swcutil shows that slashes at the start are ignored, so it still matches. All paths \
            in Apple's examples start with a slash.
            """,
        basis: [.recorded], fix: .automatic,
        bad: ExampleFile.components(#"{ "/": ⟦"buy/*"⟧ }"#),
        good: ExampleFile.components(#"{ "/": "/buy/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.isPath && lacksSlash(pattern.parsed) else { return }
        let start = pattern.parsed.body.lowerBound
        // Another rule reports that the host should go.
        let isHost = HostInPathRule.host(pattern.parsed) != nil
        diagnostics.report(
            description, pattern,
            "path pattern \(quoted(pattern.parsed.string(pattern.parsed.body))) does not start with '/'",
            notes: isHost ? [] : notes(pattern),
            fix: isHost
                ? nil
                : FixIt(
                    "insert '/'", mayBeURL(pattern.parsed) ? .suggested : .automatic,
                    pattern.edit(start..<start, "/")))
    }

    private static func notes(_ pattern: FilePattern) -> [String] {
        if pattern.isAndroid { return ["on Android it matches nothing: every path starts with '/'"] }
        return stillMatches(pattern) ? ["it still matches: the system adds the '/'"] : []
    }

    /// Whether nothing else keeps it from matching.
    private static func stillMatches(_ pattern: FilePattern) -> Bool {
        let parsed = pattern.parsed
        return parsed.fragment == nil && parsed.query == nil && parsed.unmatchablePlaceholders.isEmpty
            && DotSegmentInPatternRule.segment(parsed) == nil
            && !(pattern.percentEncoded && parsed.present.intersects(.unencoded))
    }

    /// Whether it may start with a host or scheme, rather than a segment.
    private static func mayBeURL(_ parsed: ParsedPattern) -> Bool {
        parsed.bytes[parsed.examined].prefix { $0 != UInt8(ascii: "/") }
            .contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
    }

    private static func lacksSlash(_ parsed: ParsedPattern) -> Bool {
        guard let first = parsed.bytes[parsed.examined].first else { return false }
        switch first {
        case UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "?"), .blank: return false
        default: break
        }
        // Something else may be wrong there.
        let start = parsed.examined.lowerBound
        return parsed.regex?.lowerBound != start && parsed.unclosedVariable?.lowerBound != start
            && DotSegmentInPatternRule.segment(parsed)?.lowerBound != start
    }
}
