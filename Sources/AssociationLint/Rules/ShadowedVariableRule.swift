internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// A variable that takes the place of a built-in one.
enum ShadowedVariableRule: FileRule {
    static let description = RuleDescription(
        "shadowed-variable", .warning, summary: "a variable has the name of a built-in variable",
        reason: """
            alpha, upper, lower, alnum, digit, xdigit, region and lang are built in. A file's variable of that name \
            probably replaces it, but that is not documented. Use another name to be sure.
            """,
        basis: [.inferred],
        bad: ExampleFile.components(#"{ "/": "/$(lang)/*" }"#, variables: #"{ ⟦"lang"⟧: ["de", "fr"] }"#),
        good: ExampleFile.components(#"{ "/": "/$(language)/*" }"#, variables: #"{ "language": ["de", "fr"] }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for variable in context.variables where BuiltInVariable(rawValue: variable.name) != nil {
            diagnostics.report(
                description, variable.member.keyRange, variable.pointer,
                "variable \(quoted(variable.name)) has the name of a built-in variable")
        }
    }
}
