internal import Android
internal import Diagnostics
internal import JSONSyntax

/// Keys have a meaning in certain objects only.
enum MisplacedKeyRule: FileRule {
    static let description = RuleDescription(
        "misplaced-key", .error, summary: "a key is where the system does not look for it",
        reason: """
            The system ignores keys that it does not expect in an object, even if it knows them elsewhere \
            (recorded with swcutil): patterns belong in a component, components in an entry of 'details', \
            entries in 'applinks'.
            """, basis: [.recorded], fix: .displayOnly,
        bad: ExampleFile.details(
            #"{ "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }], ⟦"exclude"⟧: true }"#),
        good: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [{ "/": "/buy/old/*", "exclude": true }, { "/": "/buy/*" }]
            }
            """))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for object in context.objects where object.hasForeignKeys {
            // Looking for patterns takes a while in a large object.
            lazy var notes = context.catchAllNotes(object)
            for member in object.members where member.meaning == .misplaced {
                diagnostics.report(
                    description, member.member.keyRange, object.pointer.member(member.key),
                    "\(quoted(member.key)) is ignored \(object.location): it belongs in \(home(of: member.key))",
                    notes: notes, fix: fixIt(member.member, in: object, context))
            }
        }
    }

    private static func home(of key: String) -> String {
        switch key {
        case "details", "substitutionVariables": "'applinks'"
        case "apps": "a service"
        case "defaults": "'applinks' or an entry of 'details'"
        case "appID", "appIDs", "paths", "components": "an entry of 'details'"
        case DynamicRules.extensionsKey: "a statement"
        case DynamicRules.listKey: "'\(AssetLinksStatement.handleAllURLs)' in '\(DynamicRules.extensionsKey)'"
        default: "a component"
        }
    }

    private static func fixIt(_ member: JSONMember, in object: SchemaObject, _ context: LintContext) -> FixIt {
        let key = member.key.text
        if let meant = meant(key, on: object.schema), object.member(meant) == nil {
            let edit = JSONEdits.rename(member, to: meant)
            return FixIt("write \(quoted(meant))", .displayOnly, edit)
        }
        if let (opening, closing) = wrapper(key, in: object) {
            let edits = JSONEdits.wrap(member.range, in: opening, closing)
            return FixIt("put it into \(home(of: key))", .displayOnly, edits)
        }
        return FixIt("move it into \(home(of: key))", .displayOnly)
    }

    /// The key with the same use that the system reads here.
    private static func meant(_ key: String, on schema: Schema) -> String? {
        switch (schema, key) {
        case (.service, "appIDs"), (.service, "appID"): "apps"
        case (.entry, "apps"): "appIDs"
        case (.component, "paths"): "/"
        default: nil
        }
    }

    /// The brackets and keys to put around a member, if the file has none of them.
    private static func wrapper(_ key: String, in object: SchemaObject) -> (String, String)? {
        switch object.schema {
        case .root where Schema.appLinks.has(key) && object.member("applinks") == nil:
            return (#""applinks": { "#, " }")
        case .appLinks where Schema.entry.has(key) && object.member("details") == nil:
            let app = key.utf8.starts(with: "appID".utf8) ? "" : #""appIDs": ["ABCDE12345.com.example.app"], "#
            return (#""details": [{ "# + app, " }]")
        case .entry where Schema.component.has(key) && !object.isMeant("components"):
            return (#""components": [{ "#, " }]")
        default: return nil
        }
    }
}
