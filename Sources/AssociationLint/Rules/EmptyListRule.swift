internal import Android
internal import Diagnostics
internal import JSONSyntax

/// An empty list is read as it is.
enum EmptyListRule: FileRule {
    static let description = RuleDescription(
        "empty-list", .warning, summary: "a list is empty",
        reason: """
            An empty list means no entry, no app or no rule (recorded with swcutil). Empty 'components' match \
            nothing, and the 'paths' of the same entry are not read.
            """, basis: [.recorded, .inferred],
        bad: """
            {
              "applinks": {
                "details": ⟦[]⟧
              }
            }

            """,
        good: ExampleFile.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        if let links = context.appLinks { check("details", in: links, "no link opens an app", &diagnostics) }
        for entry in context.entries {
            check("appIDs", in: entry.object, "no app uses this entry", &diagnostics)
            check("components", in: entry.object, "the entry opens nothing", &diagnostics)
            let isRead = entry.object["components"]?.array == nil
            check("paths", in: entry.object, isRead ? "the entry opens nothing" : "it has no effect", &diagnostics)
        }
        for service in context.services { check("apps", in: service, "no app uses the service", &diagnostics) }
        for variable in context.variables where variable.member.value.array?.isEmpty == true {
            diagnostics.report(
                description, variable.member.value.range, variable.pointer,
                "the variable \(quoted(variable.name)) has no values: a pattern with it matches nothing")
        }
    }

    static func check(_ file: AssetLinksFile, _ diagnostics: inout DiagnosticCollector) {
        for rules in file.statements.compactMap(\.rules) {
            check(DynamicRules.listKey, in: rules, "the app's manifest alone decides", &diagnostics)
        }
    }

    private static func check(
        _ key: String, in object: SchemaObject, _ effect: String, _ diagnostics: inout DiagnosticCollector
    ) {
        guard let node = object[key], node.array?.isEmpty == true else { return }
        diagnostics.report(
            description, node.range, object.pointer.member(key), "\(quoted(key)) is empty: \(effect)")
    }
}
