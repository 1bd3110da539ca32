internal import Diagnostics
internal import JSONSyntax

/// `appIDs` wins over `appID`.
enum ConflictingAppIDRule: FileRule {
    static let description = RuleDescription(
        "conflicting-app-id", .warning, summary: "'appID' is not one of the 'appIDs' in the same entry",
        reason: """
            If an entry has both, the system uses 'appIDs' and ignores 'appID' (recorded with swcutil). Only \
            iOS 12 and older, which do not know 'appIDs', read it.
            """, basis: [.recorded], fix: .suggested,
        bad: ExampleFile.details(
            """
            {
              ⟦"appID"⟧: "7K3QWZ9PLM.com.shop.old",
              "appIDs": ["7K3QWZ9PLM.com.shop.app"],
              "components": [{ "/": "/buy/*" }]
            }
            """),
        good: ExampleFile.details(
            """
            {
              "appIDs": ["7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.old"],
              "components": [{ "/": "/buy/*" }]
            }
            """))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for entry in context.entries where entry.key == nil {
            let object = entry.object
            guard let member = object.member("appID"), let app = member.value.string?.text,
                let apps = object["appIDs"]?.array,
                !apps.contains(where: { $0.string.map { $0.text.utf8.elementsEqual(app.utf8) } ?? false })
            else { continue }
            diagnostics.report(
                description, member.keyRange, object.pointer.member("appID"),
                "\(quoted(app)) is ignored: the system reads 'appIDs', which does not list it",
                labels: (object.member("appIDs")?.keyRange).map { [Diagnostic.Label($0, "read instead")] } ?? [],
                fix: FixIt(
                    "delete 'appID'", .suggested,
                    JSONEdits.delete(member: member, in: object.json, source: context.source)))
        }
    }
}
