internal import Diagnostics
internal import JSONSyntax

/// A name that no pattern can use.
enum InvalidVariableNameRule: FileRule {
    static let description = RuleDescription(
        "invalid-variable-name", .error, summary: "the name of a variable is empty or contains '$', '(' or ')'",
        reason: """
            Apple's documentation allows any characters except '$', '(' and ')' in the name of a variable. No pattern can \
            use this one.
            """,
        basis: [.apple],
        bad: ExampleFile.components(#"{ "/": "/$(lang)/*" }"#, variables: #"{ ⟦"$(shelf)"⟧: ["books"] }"#),
        good: ExampleFile.components(#"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books"] }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for variable in context.variables where !isValid(variable.name) {
            diagnostics.report(
                description, variable.member.keyRange, variable.pointer,
                variable.name.isEmpty
                    ? "a variable without a name cannot be used"
                    : "name \(quoted(variable.name)) contains '$', '(' or ')': no pattern can use the variable")
        }
    }

    static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && !name.utf8.contains { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }
    }
}
