internal import Diagnostics

/// An escape that is not written as browsers do.
enum LowercasePercentEscapeRule: FileRule {
    static let description = RuleDescription(
        "lowercase-percent-escape", .warning, summary: "a percent escape in a pattern has lowercase letters",
        reason: """
            Escapes are compared letter by letter: recorded output of Apple's swcutil shows that '%c3' does not match \
            '%C3', unless 'caseSensitive' is false. Browsers send uppercase letters.
            """,
        basis: [.recorded], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/caf⟦%c3⟧%a9/*" }"#),
        good: ExampleFile.components(#"{ "/": "/caf%C3%A9/*" }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns where pattern.percentEncoded && pattern.caseSensitive {
            let ranges = PercentEscape.all(in: pattern).filter { $0.kind == .lowercase }.map(\.range)
            guard let first = ranges.first else { continue }
            let text = pattern.parsed.string(first)
            diagnostics.report(
                description.code, pattern.part(first, in: context.source), pattern.pointer,
                "\(quoted(text)) does not match \(quoted(text.uppercased())), which browsers send",
                fixIts: [
                    FixIt(
                        "write \(quoted(text.uppercased()))", .suggested,
                        pattern.edits(ranges.map { ($0, pattern.parsed.string($0).uppercased()) }, in: context.source))
                ])
        }
    }
}
