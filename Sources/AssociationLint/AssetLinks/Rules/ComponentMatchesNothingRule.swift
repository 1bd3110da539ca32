internal import Diagnostics

/// A component without any pattern.
enum ComponentMatchesNothingRule: AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "component-matches-nothing", .warning, "a component has none of '/', '#' and '?'",
        """
        On Android such a component matches no URL. In Apple's association files it matches every one.
        """, basis: [.inferred], fix: .suggested,
        bad: AssetLinksRules.rules(#"{ "/": "/help/*", "exclude": true }"#, "⟦{ \"exclude\": false }⟧"),
        good: AssetLinksRules.rules(#"{ "/": "/help/*", "exclude": true }"#, #"{ "/": "*", "exclude": false }"#))

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        for component in file.statements.flatMap(\.components) {
            guard !["/", "?", "#"].contains(where: { component.isMeant($0) }) else { continue }
            diagnostics.report(
                description, component.range, component.pointer,
                "this component has no pattern: on Android it matches no URL",
                fix: FixIt(
                    #"add '"/": "*"' to match every URL"#, .suggested,
                    JSONEdits.insert(first: "/", #""*""#, in: component.node, source: file.source)))
        }
    }
}
