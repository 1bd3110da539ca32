internal import Diagnostics
internal import JSONSyntax

/// Services belong at the top level of the file.
enum NestedServiceRule: FileRule {
    static let description = RuleDescription(
        "nested-service", .error, summary: "a service is not at the top level of the file",
        reason: """
            Services are keys at the top level of the file (Apple, "Supporting associated domains"). \
            Inside 'applinks', or anywhere else, the system does not look for them.
            """, basis: [.inferred], fix: .suggested,
        bad: """
            {
              "applinks": {
                "details": [
                  { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                ],
                ⟦"webcredentials"⟧: {
                  "apps": ["7K3QWZ9PLM.com.shop.app"]
                }
              }
            }

            """,
        good: """
            {
              "applinks": {
                "details": [
                  { "appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }
                ]
              },
              "webcredentials": {
                "apps": ["7K3QWZ9PLM.com.shop.app"]
              }
            }

            """)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for object in context.objects where object.hasForeignKeys {
            // Looking for patterns takes a while in a large object.
            lazy var notes = context.catchAllNotes(object)
            for member in object.members where member.meaning == .nestedService {
                let other = context.rootObject?.member(member.key)?.keyRange
                diagnostics.report(
                    description, member.member.keyRange, object.pointer.member(member.key),
                    "\(quoted(member.key)) is ignored in \(object.name): services belong at the top level of the file",
                    labels: other.map { [Diagnostic.Label($0, "the service that is read")] } ?? [], notes: notes,
                    fix: fix(member.member, in: object, context))
            }
        }
    }

    private static func fix(_ member: JSONMember, in object: SchemaObject, _ context: LintContext) -> FixIt? {
        guard let top = context.rootObject else { return nil }
        let name = member.key.text
        if top.member(name) == nil {
            let value = MovedText(member, to: top.json, context.source).text
            let edits = [
                JSONEdits.delete(member: member, in: object.json, source: context.source),
                JSONEdits.insert(last: name, value, in: context.root, source: context.source),
            ]
            return FixIt(
                "move it to the top level of the file", .suggested, edits,
                done: "moved \(quoted(name)) to the top level of the file")
        }
        if name == "applinks", object.schema == .appLinks, object.json.members.count == 1 {
            let inner = member.value.range
            let edits = [
                JSONEdits.replace(SourceRange(start: object.range.start, end: inner.start), with: ""),
                JSONEdits.replace(SourceRange(start: inner.end, end: object.range.end), with: ""),
            ]
            return FixIt("delete the outer 'applinks'", .suggested, edits)
        }
        let edit = JSONEdits.delete(member: member, in: object.json, source: context.source)
        let title = "delete it: there is another \(quoted(name)) at the top level"
        return FixIt(title, .suggested, edit, done: "deleted \(quoted(name)): there is another one at the top level")
    }
}
