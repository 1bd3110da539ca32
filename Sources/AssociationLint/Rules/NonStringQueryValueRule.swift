internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax

/// A value in a query dictionary that is not a pattern.
enum NonStringQueryValueRule: FileRule {
    static let description = RuleDescription(
        "non-string-query-value", .error, summary: "a value of a query dictionary is not a string",
        reason: """
            Recorded output of Apple's swcutil shows that a single value that is not a string voids the whole '?'. Then the \
            rule accepts every query and opens more than intended.
            """,
        basis: [.recorded], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": "/buy", "?": { "item": ⟦7⟧ } }"#),
        good: ExampleFile.components(#"{ "/": "/buy", "?": { "item": "7" } }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        if let defaults = context.defaults { check(defaults, &diagnostics) }
        for entry in context.entries {
            if let defaults = entry.defaults { check(defaults, &diagnostics) }
            for component in entry.components { check(component, &diagnostics) }
        }
    }

    private static func check(_ object: SchemaObject, _ diagnostics: inout DiagnosticCollector) {
        guard let items = object["?"]?.object, items.members.contains(where: { $0.value.string == nil }) else { return }
        for item in items.distinctMembers where item.value.string == nil {
            let pointer = object.pointer.member("?").member(item.key.text)
            diagnostics.report(
                description, item.value.range, pointer,
                "the value of \(quoted(item.key.text)) is not a string: the whole '?' is ignored and every query is accepted",
                fix: fix(item.value))
        }
    }

    private static func fix(_ value: JSONNode) -> FixIt? {
        let text: String
        switch value.value {
        case .number(let number): text = number
        case .boolean(let boolean): text = boolean ? "true" : "false"
        default: return nil
        }
        let literal = JSONEdits.literal(text)
        return FixIt("write '\(literal)'", .suggested, JSONEdits.replace(value, with: literal))
    }
}
