internal import AppSiteAssociation
internal import Diagnostics

/// A character that a URL has only percent-encoded.
enum UnencodedCharacterRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "unencoded-character", .error, summary: "a pattern has a character that URLs have only percent-encoded",
            reason: #"""
                The system compares the text of the URL as it is, where spaces, control characters, characters beyond ASCII, \#
                '" < > \ ^ { } |' and the backquote are percent-encoded. Recorded output of Apple's swcutil shows that \#
                '/café' does not match '/caf%C3%A9'; only with '"percentEncoded": false' is the URL decoded first.
                """#,
            basis: [.apple, .recorded], fix: .automatic,
            bad: PatternExample.components(#"{ "/": "/caf⟦é⟧/*" }"#),
            good: PatternExample.components(#"{ "/": "/caf%C3%A9/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.percentEncoded {
            let anatomy = place.anatomy
            let placeholder = anatomy.unmatchablePlaceholders.first
            guard placeholder != nil || anatomy.present.intersects(.unencoded) else { continue }
            let runs = runs(anatomy)
            let opening = placeholder.map { brackets(of: $0, in: anatomy) }
            guard let first = [runs.first, opening].compactMap({ $0 }).min(by: { $0.lowerBound < $1.lowerBound })
            else { continue }
            findings.report(
                "unencoded-character", place.part(first, in: file.source), place.pointer,
                "\(quoted(anatomy.string(first))) is percent-encoded in URLs: the pattern never matches",
                notes: placeholder.map {
                    ["\(quoted(anatomy.string($0))) is plain text to the system, not a placeholder"]
                } ?? [],
                fixIts: fixIts(place, runs, file.source))
        }
    }

    private static func fixIts(_ place: PatternPlace, _ runs: [Range<Int>], _ source: SourceText) -> [FixIt] {
        let anatomy = place.anatomy
        if anatomy.unmatchablePlaceholders.contains(where: { isProse(anatomy.text[$0]) }) {
            return [FixIt(title: "replace it with what is meant", applicability: .displayOnly, edits: [])]
        }
        let encoded = runs.map { (range: $0, text: percentEncoded(anatomy.text[$0])) }
        let stars = anatomy.stars(for: anatomy.unmatchablePlaceholders)
        // With other characters inside, it may be no expression any more.
        let isInExpression = anatomy.regex.map { sign in runs.contains { $0.overlaps(sign) } } ?? false
        let parts = (encoded + stars).sorted { $0.range.lowerBound < $1.range.lowerBound }
        return [
            FixIt(
                title: title(encoded.map(\.text), stars.map { anatomy.string($0.range) }),
                applicability: stars.isEmpty && !isInExpression ? .automatic : .suggested,
                edits: place.edits(parts, in: source))
        ]
    }

    /// Whether a placeholder is words for a person, as in `<path to be added here>`: a star would match anything.
    private static func isProse(_ placeholder: ArraySlice<UInt8>) -> Bool {
        placeholder.indices.dropFirst().dropLast().contains { offset in
            placeholder[offset] == 0x20 && placeholder[offset - 1].isWord && placeholder[offset + 1].isWord
        }
    }

    private static func title(_ encoded: [String], _ placeholders: [String]) -> String {
        guard let placeholder = placeholders.first else {
            return encoded.count == 1 ? "write \(quoted(encoded[0]))" : "percent-encode all such characters"
        }
        let stars = "write '*' for \(placeholders.count == 1 ? quoted(placeholder) : "each placeholder")"
        return encoded.isEmpty ? stars : stars + " and percent-encode all other such characters"
    }

    /// The first characters of a placeholder that no URL has.
    private static func brackets(of placeholder: Range<Int>, in anatomy: PatternAnatomy) -> Range<Int> {
        // It may begin with a `$`, which URLs do have.
        let text = anatomy.text[placeholder].drop { !$0.isUnencoded }
        let rest = text.drop { $0 == text.first }
        return text.startIndex..<rest.startIndex
    }

    private static func runs(_ anatomy: PatternAnatomy) -> [Range<Int>] {
        // What is reported as a regular expression is not reported again.
        let isExpression = anatomy.regex != nil
        func isBad(_ offset: Int) -> Bool {
            let byte = anatomy.bytes[offset]
            return byte.isUnencoded && !(isExpression && PatternAnatomy.ofExpressions.contains(byte))
        }
        var found: [Range<Int>] = []
        var offset = anatomy.examined.lowerBound
        while offset < anatomy.examined.upperBound {
            let start = offset
            while offset < anatomy.examined.upperBound, isBad(offset) { offset += 1 }
            if offset > start { found.append(start..<offset) } else { offset += 1 }
        }
        return found
    }

    private static func percentEncoded(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = bytes.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: encoded, as: UTF8.self)
    }
}
