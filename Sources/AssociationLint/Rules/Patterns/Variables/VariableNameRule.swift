internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// Names of variables that cannot, are not or should not be used.
enum VariableNameRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "invalid-variable-name", .error, summary: "the name of a variable is empty or has '$', '(' or ')'",
            reason: """
                Apple's documentation allows any characters but '$', '(' and ')' in the name of a variable. No pattern can \
                name this one.
                """,
            basis: [.apple],
            bad: PatternExample.components(#"{ "/": "/$(lang)/*" }"#, variables: #"{ ⟦"$(shelf)"⟧: ["books"] }"#),
            good: PatternExample.components(#"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books"] }"#)),
        RuleDescription(
            "unused-variable", .warning, summary: "a variable is defined and never used",
            reason: """
                No pattern of the file names the variable, so it makes no difference. It may be left over, or a pattern may \
                have its values written out.
                """,
            basis: [.lint], fix: .suggested,
            bad: PatternExample.components(
                #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books"], ⟦"sizes"⟧: ["s", "m"] }"#),
            good: PatternExample.components(#"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books"] }"#)),
        RuleDescription(
            "shadowed-variable", .warning, summary: "a variable has the name of one that every file has",
            reason: """
                alpha, upper, lower, alnum, digit, xdigit, region and lang are Apple's. A file's variable of that name \
                probably takes its place, but that is not documented; another name leaves no doubt.
                """,
            basis: [.inferred],
            bad: PatternExample.components(#"{ "/": "/$(lang)/*" }"#, variables: #"{ ⟦"lang"⟧: ["de", "fr"] }"#),
            good: PatternExample.components(#"{ "/": "/$(language)/*" }"#, variables: #"{ "language": ["de", "fr"] }"#)),
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        guard !file.variables.isEmpty else { return }
        let use = VariableUse(file)
        let members = file.appLinks?["substitutionVariables"]?.object?.members ?? []
        let places = Dictionary(
            members.enumerated().map { ($0.element.keyRange, $0.offset) }, uniquingKeysWith: { first, _ in first })
        for variable in file.variables {
            let (name, range) = (variable.name, variable.member.keyRange)
            if name.isEmpty || name.utf8.contains(where: isSpecial) {
                findings.report(
                    "invalid-variable-name", range, variable.pointer,
                    name.isEmpty
                        ? "a variable without a name cannot be used"
                        : "name \(quoted(name)) has '$', '(' or ')': no pattern can use the variable")
                continue
            }
            if !use.used.contains(VariableUse.Name(name.utf8)) {
                findings.report(
                    "unused-variable", range, variable.pointer, "variable \(quoted(name)) is never used",
                    fixIts: fixIts(variable.member, members, places[range], file.source))
            }
            if BuiltInVariable(rawValue: name) != nil {
                findings.report(
                    "shadowed-variable", range, variable.pointer,
                    "variable \(quoted(name)) takes the name of one that every file has")
            }
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "$") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
    }

    private static func fixIts(
        _ member: JSONMember, _ members: [JSONMember], _ index: Int?, _ source: SourceText
    ) -> [FixIt] {
        guard let index else { return [] }
        // The neighbours tell how to delete it; a file may have thousands of members.
        let near = JSONObject(Array(members[max(index - 1, 0)...min(index + 1, members.count - 1)]))
        let edit = JSONEdits.delete(member: member, in: near, source: source)
        return [FixIt(title: "delete the variable", applicability: .suggested, edits: [edit])]
    }
}
