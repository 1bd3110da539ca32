internal import Android
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// A percent-escape in a pattern that is compared with decoded text.
enum EncodedOnAndroidRule: PatternRule, AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "encoded-on-android", .warning, "a pattern of a dynamic rule has a percent-escape",
        """
        Android decodes the parts of a URL before it compares them, and patterns are not decoded. So an escape in a pattern \
        matches nothing; Apple's association files need it.
        """, basis: [.inferred], fix: .suggested,
        bad: AssetLinksRules.rules(#"{ "/": "/sale⟦%20⟧now/*" }"#),
        good: AssetLinksRules.rules(#"{ "/": "/sale now/*" }"#))

    /// Bytes that would be wildcards or begin another escape, and control characters.
    private static let special = ByteSet(Array(0..<0x20) + [0x7F] + "*?%".utf8)

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        let text = pattern.parsed.text
        let escapes = text.indices.dropLast(2).filter { index in
            text[index] == UInt8(ascii: "%") && OpenDecisions.decodedEscape(text[index + 1], text[index + 2]) != nil
        }.map { $0..<$0 + 3 }
        guard let first = escapes.first else { return }
        diagnostics.report(
            description, pattern, at: first,
            "\(quoted(pattern.parsed.string(first))) matches nothing: Android compares decoded text",
            fix: PercentEscape.decoded(escapes, in: pattern.parsed, except: special).map { parts in
                FixIt("write \(quoted(parts.map(\.text).joined()))", .suggested, pattern.edits(parts))
            })
    }
}
