internal import Diagnostics
internal import JSONSyntax

/// A component with nothing but `*` for the fragment, which also accepts a URL without one.
enum FragmentStarMatchesAbsentRule: FileRule {
    static let description = RuleDescription(
        "fragment-star-matches-absent", .warning, summary: "a component has nothing but '*' for the fragment",
        reason: """
            A missing fragment counts as empty, and '*' accepts that: it requires nothing, so the component matches every \
            URL (Apple, "Supporting associated domains"; recorded with swcutil). '?*' requires a fragment.
            """,
        basis: [.apple, .recorded], fix: .suggested,
        bad: ExampleFile.components(##"{ "#": ⟦"*"⟧ }"##),
        good: ExampleFile.components(##"{ "#": "?*" }"##, ##"{ "/": "/buy/*", "#": "*" }"##))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for entry in context.entries {
            for component in entry.components where context.isStarAlone("#", of: component, in: entry) {
                context.reportStar("#", "fragment", component, in: entry, description, &diagnostics)
            }
        }
    }
}

extension LintContext {
    /// Whether a component says `*` for its query or fragment, and nothing else limits it.
    ///
    /// - Parameter key: `?` or `#`. Of a component with both only `?` counts.
    func isStarAlone(_ key: String, of component: SchemaObject, in entry: DetailsEntry) -> Bool {
        func isStar(_ key: String) -> Bool { component[key]?.string?.text == "*" }
        guard isStar(key), component["/"] == nil else { return false }
        let others = key == "?" ? ["/", "#"] : ["/", "?"]
        return others.allSatisfy { other in
            if other == "#", isStar(other) { return true }
            return ![component, entry.defaults, defaults].contains { $0?.member(other) != nil }
        }
    }

    /// Reports that a component with nothing but `*` matches every URL.
    func reportStar(
        _ key: String, _ name: String, _ component: SchemaObject, in entry: DetailsEntry, _ rule: RuleDescription,
        _ diagnostics: inout DiagnosticCollector
    ) {
        guard let value = component[key] else { return }
        let effect = isExclusion(component, in: entry) ? "excludes" : "matches"
        diagnostics.report(
            rule, value.range, component.pointer.member(key),
            "'*' also accepts a URL without a \(name): the component \(effect) every URL",
            fix: FixIt("write '?*'", .suggested, JSONEdits.replace(value, with: #""?*""#)))
    }
}
