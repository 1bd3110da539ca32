internal import Diagnostics
internal import JSONSyntax

/// Keys are compared letter by letter.
enum MisspeltKeyRule: FileRule {
    static let description = RuleDescription(
        "misspelt-key", .error, summary: "a key is close to one that the system reads here",
        reason: """
            Keys are compared letter by letter, including their case (recorded with swcutil). A key that is spelled \
            differently is silently ignored.
            """, basis: [.recorded], fix: .automatic,
        bad: ExampleFile.details(#"{ ⟦"appIds"⟧: ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/buy/*" }] }"#),
        good: ExampleFile.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for object in context.objects where object.hasForeignKeys { check(object, context, &diagnostics) }
    }

    private static func check(_ object: SchemaObject, _ context: LintContext, _ diagnostics: inout DiagnosticCollector)
    {
        var spellings: [String: Int] = [:]
        for member in object.members {
            if case .misspelt(let meant, _) = member.meaning { spellings[meant, default: 0] += 1 }
        }
        guard !spellings.isEmpty else { return }
        let present = Dictionary(
            object.schema.rows.compactMap { row in object.member(row.name).map { (row.name, $0) } },
            uniquingKeysWith: { $1 })
        let catchAll = context.catchAllNotes(object)
        let hasEqualKeys = object.members.count != object.json.members.count
        for member in object.members {
            guard case .misspelt(let meant, let isCertain) = member.meaning else { continue }
            let other = present[meant]?.keyRange
            // Two keys that would become one, or one of two equal ones: which is meant is not known.
            let isSafe = isCertain && spellings[meant] == 1 && !hasEqualKeys
            diagnostics.report(
                description, member.member.keyRange, object.pointer.member(member.key),
                "\(quoted(member.key)) is ignored: the system reads \(quoted(meant))",
                labels: other.map { [Diagnostic.Label($0, "the key that is read")] } ?? [], notes: catchAll,
                fix: other == nil
                    ? FixIt(
                        "write \(quoted(meant))", isSafe ? .automatic : .suggested,
                        JSONEdits.rename(member.member, to: meant))
                    : FixIt(
                        "delete \(quoted(member.key))", .suggested,
                        JSONEdits.delete(member: member.member, in: object.json, source: context.source)))
        }
    }
}
