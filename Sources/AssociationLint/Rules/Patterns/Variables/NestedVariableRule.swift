internal import Diagnostics

/// A variable in the value of another.
enum NestedVariableRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "nested-variable", .error, summary: "a value of a variable names a variable",
            reason: """
                Apple's documentation allows '*' and '?' in the values of variables, but no variables. '$(…)' is plain text \
                there, and no URL has that.
                """,
            basis: [.apple],
            bad: PatternExample.components(
                #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books-⟦$(lang)⟧", "music"] }"#),
            good: PatternExample.components(
                #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books-??", "music"] }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        for place in file.patterns {
            guard case .variableValue(let name) = place.kind, let part = place.anatomy.firstVariable else { continue }
            findings.report(
                "nested-variable", place.part(part, in: file.source), place.pointer,
                "\(quoted(place.anatomy.string(part))) is plain text in a value of \(quoted(name))")
        }
    }
}

extension PatternAnatomy {
    /// The first `$(`, closed or not.
    fileprivate var firstVariable: Range<Int>? {
        guard let first = variables.first else { return unclosedVariable }
        guard let unclosedVariable, unclosedVariable.lowerBound < first.lowerBound else { return first }
        return unclosedVariable
    }
}
