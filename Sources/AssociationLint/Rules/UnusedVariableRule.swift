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
        guard !context.variables.isEmpty else { return }
        let use = VariableUse(context)
        let members = context.appLinks?["substitutionVariables"]?.object?.members ?? []
        let indices = Dictionary(
            members.enumerated().map { ($0.element.keyRange, $0.offset) }, uniquingKeysWith: { first, _ in first })
        for variable in context.variables where InvalidVariableNameRule.isValid(variable.name) {
            guard !use.used.contains(VariableUse.Name(variable.name.utf8)) else { continue }
            let range = variable.member.keyRange
            diagnostics.report(
                description, range, variable.pointer, "variable \(quoted(variable.name)) is never used",
                fix: fix(variable.member, members, indices[range], context.source))
        }
    }

    private static func fix(
        _ member: JSONMember, _ members: [JSONMember], _ index: Int?, _ source: SourceText
    ) -> FixIt? {
        guard let index else { return nil }
        // The neighbours tell how to delete it; a file may have thousands of members.
        let near = JSONObject(Array(members[max(index - 1, 0)...min(index + 1, members.count - 1)]))
        let edit = JSONEdits.delete(member: member, in: near, source: source)
        return FixIt("delete the variable", .suggested, edit, done: "deleted variable \(quoted(member.key.text))")
    }
}
