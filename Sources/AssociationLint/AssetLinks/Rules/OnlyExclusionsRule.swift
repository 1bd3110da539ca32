internal import Android
internal import Diagnostics

/// Dynamic rules that open nothing.
enum OnlyExclusionsRule: StatementRule {
    static let description = RuleDescription.assetLinks(
        "only-exclusions", .error, "all components of a list exclude",
        """
        With dynamic rules a link opens the app only if a component matches it that does not exclude. Where all of them \
        exclude, no link opens the app on Android 15 and later. A last component { "/": "*" } opens all that the others do not \
        exclude.
        """, fix: .suggested,
        bad: AssetLinksRules.rules(#"{ "/": "/help/*", "exclude": true }"#).replacing(
            #""dynamic_app_link_components""#, with: #"⟦"dynamic_app_link_components"⟧"#),
        good: AssetLinksRules.rules(#"{ "/": "/help/*", "exclude": true }"#, #"{ "/": "*" }"#))

    static func check(_ statement: AssetLinksFile.Statement, _ diagnostics: inout DiagnosticCollector) {
        guard let components = statement.statement.dynamicRules.components, components.allSatisfy(\.excludes),
            let key = statement.rulesKey
        else { return }
        let edit = JSONEdits.insert(
            element: #"{ "/": "*" }"#, after: statement.elements.count - 1, in: statement.elements,
            source: diagnostics.source)
        diagnostics.report(
            description, key.range, key.pointer,
            components.count == 1
                ? "no link opens the app on Android 15 and later: the only component excludes"
                : "no link opens the app on Android 15 and later: all components exclude",
            fix: FixIt(#"add '{ "/": "*" }' at the end, to open all other links"#, .suggested, edit))
    }
}
