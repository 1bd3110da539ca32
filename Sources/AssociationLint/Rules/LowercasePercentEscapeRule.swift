internal import Diagnostics

/// An escape that is not written as browsers do.
enum LowercasePercentEscapeRule: PatternRule {
    static let description = RuleDescription(
        "lowercase-percent-escape", .warning, summary: "a percent escape in a pattern has lowercase letters",
        reason: """
            Escapes are compared letter by letter: recorded output of Apple's swcutil shows that '%c3' does not match \
            '%C3', unless 'caseSensitive' is false. Browsers send uppercase letters.
            """,
        basis: [.recorded], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/caf⟦%c3⟧%a9/*" }"#),
        good: ExampleFile.components(#"{ "/": "/caf%C3%A9/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.percentEncoded && pattern.caseSensitive else { return }
        let ranges = PercentEscape.all(in: pattern).filter { $0.kind == .lowercase }.map(\.range)
        guard let first = ranges.first else { return }
        let text = pattern.parsed.string(first)
        diagnostics.report(
            description, pattern, at: first,
            "\(quoted(text)) does not match \(quoted(text.uppercased())), which browsers send",
            fix: FixIt(
                "write \(quoted(text.uppercased()))", .suggested,
                pattern.edits(ranges.map { ($0, pattern.parsed.string($0).uppercased()) })))
    }
}
