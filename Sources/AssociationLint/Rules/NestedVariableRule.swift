internal import Diagnostics

/// A variable in the value of another.
enum NestedVariableRule: PatternRule {
    static let description = RuleDescription(
        "nested-variable", .error, summary: "a value of a variable uses a variable",
        reason: """
            Apple's documentation allows '*' and '?' in the values of variables, but no variables. '$(…)' is plain text \
            there, which no URL contains.
            """,
        basis: [.apple],
        bad: ExampleFile.components(
            #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books-⟦$(lang)⟧", "music"] }"#),
        good: ExampleFile.components(
            #"{ "/": "/$(shelf)/*" }"#, variables: #"{ "shelf": ["books-??", "music"] }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard case .variableValue(let name) = pattern.kind, let part = pattern.parsed.firstVariable else {
            return
        }
        diagnostics.report(
            description, pattern, at: part,
            "\(quoted(pattern.parsed.string(part))) is plain text in a value of \(quoted(name))")
    }
}

extension ParsedPattern {
    /// The first `$(`, closed or not.
    fileprivate var firstVariable: Range<Int>? {
        guard let first = variables.first else { return unclosedVariable }
        guard let unclosedVariable, unclosedVariable.lowerBound < first.lowerBound else { return first }
        return unclosedVariable
    }
}
