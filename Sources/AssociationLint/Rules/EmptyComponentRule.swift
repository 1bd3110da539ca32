internal import Diagnostics
internal import JSONSyntax

/// A component without a pattern matches everything, and the ones below it are never reached.
enum EmptyComponentRule: FileRule {
    static let description = RuleDescription(
        "empty-component", .warning, summary: "a component without a pattern is not the last one",
        reason: """
            A missing pattern counts as '*', so a component without any matches every URL (Apple, \
            "Supporting associated domains"; recorded with swcutil). As the last one it is a usual way to write \
            "all the rest"; further up it hides everything below it.
            """, basis: [.apple, .recorded], fix: .suggested,
        bad: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [⟦{ "comment": "everything" }⟧, { "/": "/buy/*" }]
            }
            """),
        good: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [{ "/": "/help/*", "exclude": true }, { "comment": "everything else" }]
            }
            """))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for entry in context.entries {
            let last = (entry.object["components"]?.array?.count ?? 0) - 1
            for component in entry.components where component.index != last {
                guard !component.hasForeignKeys, context.isUnlimited(component, in: entry) else { continue }
                diagnostics.report(
                    description, component.range, component.pointer,
                    "the component has no pattern: it "
                        + (context.isExclusion(component, in: entry) ? "excludes every URL" : "matches every URL"),
                    fix: FixIt(
                        #"write '"/": "*"' if that is intended"#, .suggested,
                        JSONEdits.insert(first: "/", #""*""#, in: component.node, source: context.source),
                        done: #"wrote '"/": "*"'"#))
            }
        }
    }
}
