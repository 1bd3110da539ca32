internal import Diagnostics
internal import JSONSyntax

/// `apps` of `applinks` has no meaning.
enum AppsNotEmptyRule: FileRule {
    static let description = RuleDescription(
        "apps-not-empty", .warning, summary: "'apps' of 'applinks' is not empty",
        reason: """
            In 'applinks' the list 'apps' has no meaning; it must be empty for iOS 12 and older, and newer systems \
            do not read it (Apple, "Support Universal Links"). Apps are named in the entries of 'details'.
            """, basis: [.apple], fix: .suggested,
        bad: """
            {
              "applinks": {
                "apps": ⟦["7K3QWZ9PLM.com.shop.app"]⟧,
                "details": [
                  { "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }
                ]
              }
            }

            """,
        good: """
            {
              "applinks": {
                "apps": [],
                "details": [
                  { "appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"] }
                ]
              }
            }

            """)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let links = context.appLinks, let member = links.member("apps"), let apps = member.value.array,
            !apps.isEmpty
        else { return }
        diagnostics.report(
            description.code, member.value.range, links.pointer.member("apps"),
            "'apps' of 'applinks' must be empty: no system reads apps there, and iOS 12 expects '[]'",
            fixIts: [fixIt(member, apps, in: links)])
    }

    private static func fixIt(_ member: JSONMember, _ apps: [JSONNode], in links: SchemaObject) -> FixIt {
        guard isDetails(apps, in: links) else {
            let edit = JSONEdits.replace(member.value, with: "[]")
            return FixIt(title: "write '[]'", applicability: .suggested, edits: [edit])
        }
        return FixIt(
            title: "rename it to 'details', which is the list of entries", applicability: .suggested,
            edits: [JSONEdits.rename(member, to: "details")])
    }

    /// Whether the list has the entries that belong in `details`.
    static func isDetails(_ apps: [JSONNode]?, in links: SchemaObject) -> Bool {
        guard let apps, !apps.isEmpty, !links.isMeant("details") else { return false }
        return apps.allSatisfy { $0.object.map(DetailsEntry.isEntry) ?? false }
    }
}
