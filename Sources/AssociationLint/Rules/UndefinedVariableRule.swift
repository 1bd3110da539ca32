internal import BoundedText
internal import Diagnostics

/// A variable that is not defined.
enum UndefinedVariableRule: FileRule {
    static let description = RuleDescription(
        "undefined-variable", .error, summary: "a pattern uses a variable that is not defined",
        reason: """
            A variable is defined in 'substitutionVariables' of 'applinks' or built in: alpha, upper, lower, \
            alnum, digit, xdigit, region, lang; names are case-sensitive. A pattern with any other matches nothing.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.components(
            #"{ "/": "/⟦$(cuontry)⟧/buy/*" }"#, variables: #"{ "country": ["de", "fr"] }"#),
        good: ExampleFile.components(
            #"{ "/": "/$(country)/buy/*" }"#, variables: #"{ "country": ["de", "fr"] }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        let use = VariableUse(context)
        guard !use.undefined.isEmpty else { return }
        for pattern in context.patterns where !pattern.isVariableValue {
            var seen = Set<VariableUse.Name>()
            for (range, name) in zip(pattern.parsed.variables, pattern.parsed.variableNames) {
                guard let meant = use.undefined[name], seen.insert(name).inserted else { continue }
                // Who reads more of one pattern?
                if seen.count > 16 { break }
                diagnostics.report(
                    description, pattern, at: range,
                    name.isEmpty
                        ? "'$()' has no variable name: the pattern never matches"
                        : "variable \(quoted(String(text: name))) is not defined: the pattern never matches",
                    fix: meant.map {
                        FixIt("write \(quoted("$(\($0))"))", .suggested, pattern.edit(range, "$(\($0))"))
                    })
            }
        }
    }
}
