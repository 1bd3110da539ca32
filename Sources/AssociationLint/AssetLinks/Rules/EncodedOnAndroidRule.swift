internal import Android
internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// A percent-escape in a pattern that is compared with decoded text.
enum EncodedOnAndroidRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "encoded-on-android", .warning, "a pattern of a dynamic rule has a percent-escape",
        """
        Android decodes the parts of a URL before it compares them, and patterns are not decoded. So an escape in a pattern \
        matches nothing; Apple's association files need it.
        """, basis: [.inferred], fix: .suggested,
        bad: AssetLinksRules.rules(#"{ "/": "/sale⟦%20⟧now/*" }"#),
        good: AssetLinksRules.rules(#"{ "/": "/sale now/*" }"#))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        for pattern in file.context.patterns {
            let text = pattern.parsed.text
            let escapes = text.indices.filter { isEscape(text, at: $0) }.map { $0..<$0 + 3 }
            guard let first = escapes.first else { continue }
            diagnostics.report(
                description.code, pattern, at: first,
                "\(quoted(pattern.parsed.string(first))) matches nothing: Android compares decoded text",
                fix: fix(pattern, escapes, file.source))
        }
    }

    private static func isEscape(_ text: [UInt8], at index: Int) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool {
            byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
        }
        return text[index] == UInt8(ascii: "%") && index + 2 < text.count && isDigit(text[index + 1])
            && isDigit(text[index + 2])
    }

    /// Writes the characters that the escapes stand for, unless these are no text, or would be wildcards.
    private static func fix(_ pattern: FilePattern, _ escapes: [Range<Int>], _ source: SourceText) -> FixIt? {
        var parts: [(range: Range<Int>, bytes: [UInt8])] = []
        for escape in escapes {
            guard let byte = UInt8(pattern.parsed.string(escape).dropFirst(), radix: 16) else { return nil }
            if let last = parts.last, last.range.upperBound == escape.lowerBound {
                parts[parts.count - 1] = (last.range.lowerBound..<escape.upperBound, last.bytes + [byte])
            } else {
                parts.append((escape, [byte]))
            }
        }
        var texts: [(range: Range<Int>, text: String)] = []
        for part in parts {
            let text = String(text: part.bytes)
            guard text.utf8.elementsEqual(part.bytes),
                !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || "*?%".utf8.contains($0) })
            else { return nil }
            texts.append((part.range, text))
        }
        return FixIt("write \(quoted(texts.map(\.text).joined()))", .suggested, pattern.edits(texts))
    }
}
