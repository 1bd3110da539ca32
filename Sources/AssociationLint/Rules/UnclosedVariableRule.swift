internal import BoundedText
internal import Diagnostics

/// A variable without its closing bracket.
enum UnclosedVariableRule: PatternRule {
    static let description = RuleDescription(
        "unclosed-variable", .error, summary: "a pattern has '$(' without ')'",
        reason: """
            A variable is written '$(name)', without '$', '(' or ')' in the name. Without its ')' it is plain text, \
            which no URL contains.
            """,
        basis: [.apple], fix: .displayOnly,
        bad: ExampleFile.components(#"{ "/": "/⟦$(lang/buy/*⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/$(lang)/buy/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard !pattern.isVariableValue, let rest = pattern.parsed.unclosedVariable else { return }
        diagnostics.report(
            description, pattern, at: rest,
            "\(quoted(pattern.parsed.string(rest))) is plain text: the ')' after the name of the variable is missing",
            fix: fix(pattern))
    }

    private static func fix(_ pattern: FilePattern) -> FixIt? {
        guard let name = pattern.parsed.unclosedName else { return nil }
        let variable = "$(\(String(text: name)))"
        // A name with a bracket in it needs a person.
        let next = pattern.parsed.text[name.endIndex...].first
        let isOpen = next != UInt8(ascii: "(") && next != UInt8(ascii: ")")
        let edits = isOpen ? [pattern.edit(name.endIndex..<name.endIndex, ")")] : []
        return FixIt("write \(quoted(variable))", .displayOnly, edits)
    }
}
