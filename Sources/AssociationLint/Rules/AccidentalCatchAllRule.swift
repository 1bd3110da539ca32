internal import Diagnostics
internal import JSONSyntax

/// A component of which the system reads nothing matches everything.
enum AccidentalCatchAllRule: FileRule {
    static let description = RuleDescription(
        "accidental-catch-all", .error, summary: "a component has no key that the system reads",
        reason: """
            Unknown keys are ignored, and a component without '/', '?' and '#' matches every URL (recorded with \
            swcutil): a typo in the key of the only pattern opens the whole site.
            """, basis: [.recorded], fix: .suggested,
        bad: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ ⟦"pattern"⟧: "/buy/*" }] }"#),
        good: ExampleFile.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for entry in context.entries {
            for component in entry.components where component.hasForeignKeys {
                catchAll(component, in: entry, context, &diagnostics)
            }
        }
    }

    private static func catchAll(
        _ component: SchemaObject, in entry: DetailsEntry, _ context: LintContext,
        _ diagnostics: inout DiagnosticCollector
    ) {
        let foreign = component.members.filter { $0.meaning != .known && $0.meaning != .comment }
        // A misspelt key, or one that belongs elsewhere, is reported itself, with a note; but 'paths' is the pattern.
        guard let first = foreign.first,
            foreign.allSatisfy({ $0.meaning == .unknown || $0.meaning == .misplaced && $0.key == "paths" }),
            context.isUnlimited(component, in: entry)
        else { return }
        diagnostics.report(
            description, first.member.keyRange, component.pointer.member(first.key),
            "\(quoted(first.key)) is ignored: without a pattern the component "
                + (context.isExclusion(component, in: entry) ? "excludes every URL" : "matches every URL"),
            fix: fix(first.member, in: component))
    }

    private static func fix(_ member: JSONMember, in component: SchemaObject) -> FixIt? {
        if let paths = member.value.array {
            let components = paths.compactMap { $0.string.map { DetailsEntry.component(ofPath: $0.text) } }
            guard component.members.count == 1, components.count == paths.count, !paths.isEmpty else { return nil }
            return FixIt(
                "write \(components.count == 1 ? quoted(components[0]) : "a component for each path")", .suggested,
                JSONEdits.replace(component.node, with: components.joined(separator: ", ")))
        }
        guard let key = meant(by: member.value) else { return nil }
        let edit = JSONEdits.rename(member, to: key)
        return FixIt("write \(quoted(key))", .suggested, edit)
    }

    /// The pattern that a value looks like.
    private static func meant(by value: JSONNode) -> String? {
        if value.object != nil { return "?" }
        guard let text = value.string?.text else { return nil }
        if text.utf8.first == UInt8(ascii: "#") { return "#" }
        let isQuery = text.utf8.first != UInt8(ascii: "/") && text.utf8.contains(UInt8(ascii: "="))
        return isQuery ? "?" : "/"
    }
}
