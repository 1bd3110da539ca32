internal import BoundedText
internal import Diagnostics

/// A variable without its closing bracket.
enum UnclosedVariableRule: FileRule {
    static let description = RuleDescription(
        "unclosed-variable", .error, summary: "a pattern has '$(' without ')'",
        reason: """
            A variable is written '$(name)', without '$', '(' or ')' in the name. Without its ')' it is plain text, \
            which no URL contains.
            """,
        basis: [.apple], fix: .displayOnly,
        bad: ExampleFile.components(#"{ "/": "/⟦$(lang/buy/*⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/$(lang)/buy/*" }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns where !pattern.isVariableValue {
            guard let rest = pattern.parsed.unclosedVariable else { continue }
            diagnostics.report(
                description.code, pattern.part(rest, in: context.source), pattern.pointer,
                "\(quoted(pattern.parsed.string(rest))) is plain text: the ')' after the name of the variable is missing",
                fixIts: fixIts(pattern, context.source))
        }
    }

    private static func fixIts(_ pattern: FilePattern, _ source: SourceText) -> [FixIt] {
        guard let name = pattern.parsed.unclosedName else { return [] }
        let variable = "$(\(String(text: name)))"
        // A name with a bracket in it needs a person.
        let next = pattern.parsed.text[name.endIndex...].first
        let isOpen = next != UInt8(ascii: "(") && next != UInt8(ascii: ")")
        let edits = isOpen ? [pattern.edit(name.endIndex..<name.endIndex, ")", in: source)] : []
        return [FixIt("write \(quoted(variable))", .displayOnly, edits)]
    }
}
