internal import Android
internal import Diagnostics
internal import JSONSyntax

/// Something in dynamic rules for which Android drops all of them.
enum DynamicRulesDiscardedRule: LintRule {
    static let description = RuleDescription.assetLinks(
        "dynamic-rules-discarded", .error, "something in dynamic rules is malformed or empty",
        """
        Android then drops all dynamic rules of the statement, and the app's manifest alone decides which links open: usually \
        all of them. A component is an object with the optional keys '/' and '#' (strings), '?' (an object from names to \
        strings) and 'exclude' (true or false); none of these may be empty.
        """, fix: .suggested,
        bad: AssetLinksRules.rules(#"{ "/": "/help/*", "exclude": ⟦"true"⟧ }"#, #"{ "/": "*" }"#),
        good: AssetLinksRules.rules(#"{ "/": "/help/*", "exclude": true }"#, #"{ "/": "*" }"#))

    /// Reports the faults of a statement, before a number in it is reported.
    static func report(_ faults: [DynamicRuleFault], _ diagnostics: inout DiagnosticCollector) {
        let source = diagnostics.source
        for fault in faults {
            diagnostics.report(
                description, fault.node.range, fault.pointer,
                "\(subject(fault)) is \(found(fault)): Android drops all dynamic rules of the statement",
                advice: "write \(expected(fault))", notes: notes(fault), fix: fix(fault, source))
        }
    }

    private static func subject(_ fault: DynamicRuleFault) -> String { fault.key.map { quoted($0) } ?? "a component" }

    private static func found(_ fault: DynamicRuleFault) -> String {
        switch fault.node.value {
        case .string(let string) where string.text.isEmpty: "empty"
        case .object(let object) where object.members.isEmpty && fault.expected == .queryItems: "empty"
        default: "\(fault.node.kind), not \(kind(fault.expected))"
        }
    }

    private static func kind(_ expected: DynamicRuleFault.Expected) -> String {
        switch expected {
        case .object, .component, .queryItems: "an object"
        case .array: "an array"
        case .pattern: "a string"
        case .boolean: "a boolean"
        }
    }

    private static func expected(_ fault: DynamicRuleFault) -> String {
        switch fault.expected {
        case .object: "an object with 'dynamic_app_link_components'"
        case .array: #"an array of components like [{ "/": "/buy/*" }]"#
        case .component: #"an object like { "/": "/buy/*" }"#
        case .pattern: "a pattern that is not empty, or delete the key"
        case .queryItems: #"an object like { "id": "*" }, or delete the key"#
        case .boolean: "true or false"
        }
    }

    /// The form in circulation is no list at all.
    private static func isListOfLists(_ node: JSONNode) -> Bool {
        ["include", "exclude", "paths"].contains { node.object?[$0]?.array != nil }
    }

    private static func notes(_ fault: DynamicRuleFault) -> [String] {
        guard fault.expected != .pattern, isListOfLists(fault.node) else { return [] }
        return [
            #"Android reads components, from top to bottom: [{ "/": "/help/*", "exclude": true }, { "/": "/*" }]"#
        ]
    }

    private static func fix(_ fault: DynamicRuleFault, _ source: SourceText) -> FixIt? {
        let node = fault.node
        switch (fault.expected, node.value) {
        case (.boolean, .string(let string)):
            let text = string.text.lowercased()
            return ["true", "false"].contains(text) ? .writing(text, at: node.range) : nil
        case (.array, .string(let string)) where !string.text.isEmpty,
            (.component, .string(let string)) where !string.text.isEmpty:
            let component = "{ \"/\": \(JSONEdits.literal(string.text)) }"
            return .writing(fault.expected == .array ? "[\(component)]" : component, at: node.range)
        case (.array, .object(let object)):
            guard !isListOfLists(node), ["/", "?", "#"].contains(where: { object[$0] != nil }) else { return nil }
            return FixIt("wrap it in [ ]", .suggested, JSONEdits.wrap(node.range, in: "[", "]"))
        default: return nil
        }
    }
}
