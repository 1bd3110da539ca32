internal import Diagnostics

/// An empty value of a variable.
enum EmptyVariableValueRule: PatternRule {
    static let description = RuleDescription(
        "empty-variable-value", .warning, summary: "a value of a variable is empty",
        reason: """
            An empty value probably matches the empty text, so that '/$(shelf)/*' also matches '//*'. Apple's \
            documentation does not say so.
            """,
        basis: [.inferred],
        bad: ExampleFile.components(
            #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books", ⟦""⟧] }"#),
        good: ExampleFile.components(
            #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books", "music"] }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.parsed.text.isEmpty, case .variableValue(let name) = pattern.kind else { return }
        diagnostics.report(
            description, pattern,
            "variable \(quoted(name)) has an empty value: it matches the empty text")
    }
}
