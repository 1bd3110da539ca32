internal import Diagnostics

/// A value of a variable that is nothing.
enum EmptyVariableValueRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "empty-variable-value", .warning, summary: "a value of a variable is empty",
            reason: """
                An empty value most probably stands for nothing at all, so that '/$(shelf)/*' also means '//*'. Apple's \
                documentation does not say whether the system takes it so.
                """,
            basis: [.inferred],
            bad: PatternExample.components(
                #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books", ⟦""⟧] }"#),
            good: PatternExample.components(
                #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books", "music"] }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where place.anatomy.text.isEmpty {
            guard case .variableValue(let name) = place.kind else { continue }
            findings.report(
                "empty-variable-value", place.range, place.pointer,
                "an empty value of \(quoted(name)) stands for nothing at all")
        }
    }
}
