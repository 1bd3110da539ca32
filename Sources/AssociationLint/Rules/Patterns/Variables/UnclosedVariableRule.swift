internal import Diagnostics

/// A variable whose name does not end.
enum UnclosedVariableRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "unclosed-variable", .error, summary: "a pattern has '$(' without ')'",
            reason: """
                A variable is written '$(name)'; the name has no '$', '(' or ')' in it. Without its ')' it is plain text, \
                and no URL has that.
                """,
            basis: [.apple], fix: .displayOnly,
            bad: PatternExample.components(#"{ "/": "/⟦$(lang/buy/*⟧" }"#),
            good: PatternExample.components(#"{ "/": "/$(lang)/buy/*" }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns where !place.isVariableValue {
            guard let rest = place.anatomy.unclosedVariable else { continue }
            findings.report(
                "unclosed-variable", place.part(rest, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(rest))) is plain text: no ')' ends the variable's name",
                fixIts: fixIts(place, file.source))
        }
    }

    private static func fixIts(_ place: PatternPlace, _ source: SourceText) -> [FixIt] {
        guard let name = place.anatomy.unclosedName else { return [] }
        let variable = "$(\(String(decoding: name, as: UTF8.self)))"
        // A name with a bracket in it is another matter.
        let next = place.anatomy.text[name.endIndex...].first
        let isOpen = next != UInt8(ascii: "(") && next != UInt8(ascii: ")")
        let edits = isOpen ? [place.edit(name.endIndex..<name.endIndex, ")", in: source)] : []
        return [FixIt(title: "write \(quoted(variable))", applicability: .displayOnly, edits: edits)]
    }
}
