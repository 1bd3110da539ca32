internal import Diagnostics

/// Escapes that are none, or not written as browsers do.
enum PercentEscapeRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "invalid-percent-escape", .warning, summary: "a '%' in a pattern has no two hexadecimal digits behind it",
            reason: """
                In a URL '%' begins an escape, and a percent sign itself is '%25'. A pattern with a '%' alone matches only \
                URLs that are not sound.
                """,
            basis: [.inferred], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/save-50⟦%⟧-now" }"#),
            good: PatternExample.components(#"{ "/": "/save-50%25-now" }"#)),
        RuleDescription(
            "lowercase-percent-escape", .warning, summary: "an escape in a pattern has small letters",
            reason: """
                Escapes are compared letter by letter: recorded output of Apple's swcutil shows that '%c3' does not match \
                '%C3', unless 'caseSensitive' is false. Browsers send capitals.
                """,
            basis: [.recorded], fix: .suggested,
            bad: PatternExample.components(#"{ "/": "/caf⟦%c3⟧%a9/*" }"#),
            good: PatternExample.components(#"{ "/": "/caf%C3%A9/*" }"#)),
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.percentEncoded {
            let escapes = PercentEscape.all(in: place)
            guard !escapes.isEmpty else { continue }
            reportInvalid(escapes.filter { $0.kind == .invalid }.map(\.range), place, file.source, &findings)
            if place.caseSensitive {
                reportLowercase(escapes.filter { $0.kind == .lowercase }.map(\.range), place, file.source, &findings)
            }
        }
    }

    private static func reportInvalid(
        _ ranges: [Range<Int>], _ place: PatternPlace, _ source: SourceText, _ findings: inout Findings
    ) {
        guard let first = ranges.first else { return }
        findings.report(
            "invalid-percent-escape", place.part(first, in: source), place.pointer,
            "'%' is not followed by two hexadecimal digits, as it is in every sound URL",
            fixIts: [
                FixIt(
                    title: "write '%25'", applicability: .suggested,
                    edits: place.edits(ranges.map { ($0, "%25") }, in: source))
            ])
    }

    private static func reportLowercase(
        _ ranges: [Range<Int>], _ place: PatternPlace, _ source: SourceText, _ findings: inout Findings
    ) {
        guard let first = ranges.first else { return }
        let text = place.anatomy.string(first)
        findings.report(
            "lowercase-percent-escape", place.part(first, in: source), place.pointer,
            "\(quoted(text)) does not match \(quoted(text.uppercased())), which browsers send",
            fixIts: [
                FixIt(
                    title: "write \(quoted(text.uppercased()))", applicability: .suggested,
                    edits: place.edits(ranges.map { ($0, place.anatomy.string($0).uppercased()) }, in: source))
            ])
    }
}
