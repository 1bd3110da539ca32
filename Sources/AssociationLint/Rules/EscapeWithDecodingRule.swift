internal import Diagnostics
internal import URLPatterns

/// An escape where URLs are decoded before they are compared.
enum EscapeWithDecodingRule: PatternRule {
    static let description = RuleDescription(
        "escape-with-decoding", .error, summary: "a pattern has a percent escape, but 'percentEncoded' is false",
        reason: """
            With '"percentEncoded": false' the system decodes the URL and leaves the pattern alone, as recorded output of \
            Apple's swcutil shows. No escape is left in the URL, so the pattern never matches.
            """,
        basis: [.recorded], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/my⟦%20⟧shop/*", "percentEncoded": false }"#),
        good: ExampleFile.components(#"{ "/": "/my shop/*", "percentEncoded": false }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.percentDecoded else { return }
        let escapes = PercentEscape.all(in: pattern).filter { $0.kind == .lowercase || $0.kind == .uppercase }
        guard let first = escapes.first?.range else { return }
        diagnostics.report(
            description, pattern, at: first,
            "\(quoted(pattern.parsed.string(first))) is decoded in the URL but not in the pattern: it never matches",
            fix: fix(pattern, escapes.map(\.range)))
    }

    /// Bytes that would mean something else in a pattern, or be the beginning of another escape.
    private static let special = ByteSet("*?$()%".utf8)

    /// The decoded text, if a pattern can have it.
    private static func fix(_ pattern: FilePattern, _ escapes: [Range<Int>]) -> FixIt? {
        guard let parts = PercentEscape.decoded(escapes, in: pattern.parsed, except: special),
            let first = parts.first, let last = parts.last
        else { return nil }
        // White space at an end would look like a mistake.
        let body = pattern.parsed.body
        let (head, tail) = (Array(first.text.utf8), Array(last.text.utf8))
        guard first.range.lowerBound > body.lowerBound || WhiteSpace.end(from: 0, in: head) == 0,
            last.range.upperBound < body.upperBound
                || WhiteSpace.start(of: tail.count, in: tail, notBefore: 0) == tail.count
        else { return nil }
        return FixIt("write \(quoted(first.text))", .suggested, pattern.edits(parts))
    }
}
