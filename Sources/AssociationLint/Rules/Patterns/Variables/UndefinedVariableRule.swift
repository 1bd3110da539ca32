internal import Diagnostics

/// A variable that nobody has defined.
enum UndefinedVariableRule: LintRule {
    static let descriptions = [
        RuleDescription(
            "undefined-variable", .error, summary: "a pattern uses a variable that is not defined",
            reason: """
                A variable is defined in 'substitutionVariables' of 'applinks' or is one of Apple's: alpha, upper, lower, \
                alnum, digit, xdigit, region, lang; names are case-sensitive. A pattern with another one matches nothing.
                """,
            basis: [.apple], fix: .suggested,
            bad: PatternExample.components(
                #"{ "/": "/⟦$(cuontry)⟧/buy/*" }"#, variables: #"{ "country": ["de", "fr"] }"#),
            good: PatternExample.components(
                #"{ "/": "/$(country)/buy/*" }"#, variables: #"{ "country": ["de", "fr"] }"#))
    ]

    static func check(_ file: FileOutline, _ findings: inout Findings) {
        let use = VariableUse(file)
        guard !use.undefined.isEmpty else { return }
        for place in file.patterns where !place.isVariableValue {
            var seen = Set<VariableUse.Name>()
            for (range, name) in zip(place.anatomy.variables, place.anatomy.variableNames) {
                guard let meant = use.undefined[name], seen.insert(name).inserted else { continue }
                // Who reads more of one pattern?
                if seen.count > 16 { break }
                report(place, range, String(decoding: name, as: UTF8.self), meant, file.source, &findings)
            }
        }
    }

    private static func report(
        _ place: PatternPlace, _ range: Range<Int>, _ name: String, _ meant: String?, _ source: SourceText,
        _ findings: inout Findings
    ) {
        findings.report(
            "undefined-variable", place.part(range, in: source), place.pointer,
            name.isEmpty
                ? "'$()' names no variable: the pattern never matches"
                : "variable \(quoted(name)) is not defined: the pattern never matches",
            fixIts: meant.map {
                [
                    FixIt(
                        title: "write \(quoted("$(\($0))"))", applicability: .suggested,
                        edits: [place.edit(range, "$(\($0))", in: source)])
                ]
            } ?? [])
    }
}
