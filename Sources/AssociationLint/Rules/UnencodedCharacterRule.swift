internal import AppSiteAssociation
internal import BoundedText
internal import Diagnostics
internal import URLPatterns

/// A character that is always percent-encoded in a URL.
enum UnencodedCharacterRule: PatternRule {
    static let description = RuleDescription(
        "unencoded-character", .error, summary: "a pattern has a character that is always percent-encoded in URLs",
        reason: #"""
            The system compares the URL as it is written: spaces, control characters, characters beyond ASCII, \#
            '" < > \ ^ { } |' and the backquote are percent-encoded in it. Recorded output of Apple's swcutil shows that \#
            '/café' does not match '/caf%C3%A9'; only with '"percentEncoded": false' is the URL decoded first.
            """#,
        basis: [.apple, .recorded], fix: .automatic,
        bad: ExampleFile.components(#"{ "/": "/caf⟦é⟧/*" }"#),
        good: ExampleFile.components(#"{ "/": "/caf%C3%A9/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.percentEncoded else { return }
        let parsed = pattern.parsed
        let placeholder = parsed.unmatchablePlaceholders.first
        guard placeholder != nil || parsed.present.intersects(.unencoded) else { return }
        let runs = runs(parsed)
        let opening = placeholder.map { brackets(of: $0, in: parsed) }
        guard let first = [runs.first, opening].compactMap({ $0 }).min(by: { $0.lowerBound < $1.lowerBound })
        else { return }
        diagnostics.report(
            description, pattern, at: first,
            "\(quoted(parsed.string(first))) is percent-encoded in URLs: the pattern never matches",
            notes: placeholder.map {
                ["\(quoted(parsed.string($0))) is plain text to the system, not a placeholder"]
            } ?? [],
            fix: fix(pattern, runs))
    }

    private static func fix(_ pattern: FilePattern, _ runs: [Range<Int>]) -> FixIt? {
        let parsed = pattern.parsed
        if parsed.unmatchablePlaceholders.contains(where: { isProse(parsed.text[$0]) }) {
            return FixIt("replace it with the path that is meant", .displayOnly)
        }
        let encoded = runs.map { (range: $0, text: percentEncoded(parsed.text[$0])) }
        let stars = parsed.stars(for: parsed.unmatchablePlaceholders)
        // With other characters inside, it may be no expression any more.
        let isInExpression = parsed.regex.map { sign in runs.contains { $0.overlaps(sign) } } ?? false
        let parts = (encoded + stars).sorted { $0.range.lowerBound < $1.range.lowerBound }
        return FixIt(
            title(pattern, parts, placeholders: stars.map { parsed.string($0.range) }, encoded.isEmpty),
            stars.isEmpty && !isInExpression ? .automatic : .suggested, pattern.edits(parts))
    }

    /// Whether a placeholder is words for a person, as in `<path to be added here>`: a star would match anything.
    private static func isProse(_ placeholder: ArraySlice<UInt8>) -> Bool {
        placeholder.indices.dropFirst().dropLast().contains { offset in
            placeholder[offset] == 0x20 && placeholder[offset - 1].isWord && placeholder[offset + 1].isWord
        }
    }

    private static func title(
        _ pattern: FilePattern, _ parts: [(range: Range<Int>, text: String)], placeholders: [String],
        _ hasOnlyStars: Bool
    ) -> String {
        if hasOnlyStars, let placeholder = placeholders.first {
            return "write '*' for \(placeholders.count == 1 ? quoted(placeholder) : "each placeholder")"
        }
        return "write \(quoted(pattern.text(with: parts)))"
    }

    /// The first characters of a placeholder that no URL has.
    private static func brackets(of placeholder: Range<Int>, in parsed: ParsedPattern) -> Range<Int> {
        // It may begin with a `$`, which URLs do have.
        let text = parsed.text[placeholder].drop { !$0.isUnencoded }
        let rest = text.drop { $0 == text.first }
        return text.startIndex..<rest.startIndex
    }

    private static func runs(_ parsed: ParsedPattern) -> [Range<Int>] {
        // What is reported as a regular expression is not reported again.
        let isExpression = parsed.regex != nil
        func isBad(_ offset: Int) -> Bool {
            let byte = parsed.bytes[offset]
            return byte.isUnencoded && !(isExpression && ParsedPattern.ofExpressions.contains(byte))
        }
        var found: [Range<Int>] = []
        var offset = parsed.examined.lowerBound
        while offset < parsed.examined.upperBound {
            let start = offset
            while offset < parsed.examined.upperBound, isBad(offset) { offset += 1 }
            if offset > start { found.append(start..<offset) } else { offset += 1 }
        }
        return found
    }

    private static func percentEncoded(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = bytes.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(text: encoded)
    }
}
