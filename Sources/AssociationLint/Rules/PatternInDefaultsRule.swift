internal import Diagnostics
internal import JSONSyntax

/// Defaults are meant for flags, but take patterns too.
enum PatternInDefaultsRule: FileRule {
    static let description = RuleDescription(
        "pattern-in-defaults", .warning, summary: "'defaults' has a pattern or 'exclude'",
        reason: """
            'defaults' may have any key of a component (Apple, "applinks.Details.Components"; recorded with \
            swcutil), and each applies to all components without it: a pattern there narrows all of them, which is \
            rarely intended. 'defaults' have no effect on 'paths'.
            """, basis: [.apple, .recorded],
        bad: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }"#,
            with: #""defaults": { ⟦"?"⟧: "ref=*" }"#),
        good: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*", "?": "ref=*" }] }"#,
            with: #""defaults": { "caseSensitive": false }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        if let defaults = context.defaults {
            check(
                defaults, isForPaths: !context.entries.isEmpty && context.entries.allSatisfy(hasOnlyPaths), &diagnostics
            )
        }
        for entry in context.entries {
            if let defaults = entry.defaults { check(defaults, isForPaths: hasOnlyPaths(entry), &diagnostics) }
        }
    }

    private static func check(_ object: SchemaObject, isForPaths: Bool, _ diagnostics: inout DiagnosticCollector) {
        for key in ["/", "?", "#", "exclude"] {
            guard let member = object.member(key) else { continue }
            let effect =
                isForPaths
                ? "has no effect on 'paths', only on 'components'"
                : key == "exclude"
                    ? "applies to every component without its own" : "constrains every component without its own"
            diagnostics.report(
                description, member.keyRange, object.pointer.member(key), "\(quoted(key)) in 'defaults' \(effect)",
                notes: isForPaths ? [] : ["write it in the components that need it"])
        }
    }

    /// Whether defaults have nothing to reach in an entry.
    private static func hasOnlyPaths(_ entry: DetailsEntry) -> Bool {
        entry.object["components"]?.array == nil && entry.object.member("paths") != nil
    }
}
