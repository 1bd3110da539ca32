internal import Diagnostics
internal import JSONSyntax

/// A variable that no pattern uses.
enum UnusedVariableRule: FileRule {
    static let description = RuleDescription(
        "unused-variable", .warning, summary: "a variable is defined and never used",
        reason: """
            No pattern of the file uses the variable, so it has no effect. It may be a leftover, or a pattern may \
            spell out its values.
            """,
        basis: [.lint], fix: .suggested,
        bad: ExampleFile.components(
            #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books"], ⟦"sizes"⟧: ["s", "m"] }"#),
        good: ExampleFile.components(#"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books"] }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let variables = context.appLinks?["substitutionVariables"]?.object, !context.variables.isEmpty else {
            return
        }
        let use = VariableUse(context)
        for variable in context.variables where InvalidVariableNameRule.isValid(variable.name) {
            guard !use.used.contains(VariableUse.Name(variable.name.utf8)) else { continue }
            let name = quoted(variable.name)
            diagnostics.report(
                description, variable.member.keyRange, variable.pointer, "variable \(name) is never used",
                fix: FixIt(
                    "delete the variable", .suggested,
                    JSONEdits.delete(member: variable.member, in: variables, source: context.source),
                    done: "deleted variable \(name)"))
        }
    }
}
