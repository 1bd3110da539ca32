internal import Diagnostics

/// An escape where URLs are decoded before they are compared.
enum EscapeWithDecodingRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "escape-with-decoding", .error, summary: "a pattern has an escape though 'percentEncoded' is false",
            reason: """
                With '"percentEncoded": false' the system decodes the URL and leaves the pattern alone, as recorded output of \
                Apple's swcutil shows. No escape is left in the URL, so the pattern never matches.
                """,
            basis: [.recorded], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/my⟦%20⟧shop/*", "percentEncoded": false }"#),
            good: PatternExample.components(#"{ "/": "/my shop/*", "percentEncoded": false }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.percentDecoded {
            let escapes = PercentEscape.all(in: place).filter { $0.kind == .lowercase || $0.kind == .uppercase }
            guard let first = escapes.first?.range else { continue }
            findings.report(
                "escape-with-decoding", place.part(first, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(first))) is decoded in the URL but not in the pattern: it never matches",
                fixIts: fixIts(place, escapes.map(\.range), file.source))
        }
    }

    /// What the escapes stand for, if a pattern can say it.
    private static func fixIts(_ place: PatternPlace, _ escapes: [Range<Int>], _ source: SourceText) -> [FixIt] {
        var parts: [(range: Range<Int>, text: String)] = []
        var run = 0..<0
        var bytes: [UInt8] = []
        for escape in escapes {
            if escape.lowerBound == run.upperBound, !bytes.isEmpty {
                run = run.lowerBound..<escape.upperBound
            } else {
                guard append(run, bytes, to: &parts) else { return [] }
                (run, bytes) = (escape, [])
            }
            guard let byte = UInt8(place.anatomy.string(escape).dropFirst(), radix: 16), !isSpecial(byte) else {
                return []
            }
            bytes.append(byte)
        }
        guard append(run, bytes, to: &parts), let first = parts.first, let last = parts.last else { return [] }
        // White space at an end would be taken for a slip.
        let pattern = place.anatomy.pattern
        let (head, tail) = (Array(first.text.utf8), Array(last.text.utf8))
        guard first.range.lowerBound > pattern.lowerBound || WhiteSpace.end(from: 0, in: head) == 0,
            last.range.upperBound < pattern.upperBound
                || WhiteSpace.start(of: tail.count, in: tail, notBefore: 0) == tail.count
        else { return [] }
        return [
            FixIt(
                title: "write \(quoted(first.text))", applicability: .suggested, edits: place.edits(parts, in: source))
        ]
    }

    /// Whether it would mean something else in a pattern, or be the beginning of another escape.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "%"):
            true
        default: false
        }
    }

    private static func append(
        _ range: Range<Int>, _ bytes: [UInt8], to parts: inout [(range: Range<Int>, text: String)]
    ) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        parts.append((range, text))
        return true
    }
}
