internal import Diagnostics
internal import JSONSyntax

/// `components` win over `paths`.
enum IgnoredPathsRule: FileRule {
    static let description = RuleDescription(
        "ignored-paths", .warning, summary: "no system reads these 'paths'",
        reason: """
            Where an entry has 'components', iOS 13 and newer ignore its 'paths' (Apple, "Supporting associated \
            domains"). Older systems read them, but only in an entry with 'appID'.
            """, basis: [.apple], fix: .suggested,
        bad: """
            {
              "applinks": {
                "details": [
                  {
                    "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                    ⟦"paths"⟧: ["/buy/*"],
                    "components": [{ "/": "/buy/*" }]
                  }
                ]
              }
            }

            """,
        good: """
            {
              "applinks": {
                "apps": [],
                "details": [
                  {
                    "appID": "7K3QWZ9PLM.com.shop.app",
                    "paths": ["/buy/*"],
                    "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                    "components": [{ "/": "/buy/*" }]
                  }
                ]
              }
            }

            """)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        let isNew = context.isOnly(for: SystemVersion(13))
        for entry in context.entries where isNew || !entry.hasSingleApp {
            let object = entry.object
            guard let member = object.member("paths"), object["components"]?.array != nil else { continue }
            diagnostics.report(
                description.code, member.keyRange, object.pointer.member("paths"),
                isNew
                    ? "'paths' is ignored: iOS 13 and newer read the 'components' beside it"
                    : "'paths' is ignored: iOS 13 and newer read 'components', older systems need 'appID'",
                labels: (object.member("components")?.keyRange).map { [Diagnostic.Label($0, "read instead")] } ?? [],
                fixIts: [
                    FixIt(
                        title: "delete 'paths'", applicability: .suggested,
                        edits: [JSONEdits.delete(member: member, in: object.json, source: context.source)])
                ])
        }
    }
}
