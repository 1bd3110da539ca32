internal import Diagnostics
internal import JSONSyntax

/// The other services are lists of apps.
enum MissingServiceAppsRule: FileRule {
    static let description = RuleDescription(
        "missing-service-apps", .error, summary: "a service has no 'apps'",
        reason: """
            'webcredentials', 'activitycontinuation' and 'appclips' consist of one key, 'apps', the list of the app \
            IDs that use the service (Apple, "Supporting associated domains"). Without it no app does.
            """, basis: [.apple], fix: .displayOnly,
        bad: """
            {
              ⟦"webcredentials"⟧: {}
            }

            """,
        good: """
            {
              "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] }
            }

            """)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for service in context.services {
            guard let key = service.keyRange, !service.isMeant("apps"), !service.isMisplaced("appID", "appIDs")
            else { continue }
            let name = service.pointer.description.dropFirst()
            diagnostics.report(
                description.code, key, service.pointer, "\(quoted(name)) has no 'apps': no app uses the service",
                fixIts: [
                    FixIt(
                        title: "insert 'apps' with your app IDs", applicability: .displayOnly,
                        edits: [
                            JSONEdits.insert(
                                first: "apps", #"["ABCDE12345.com.example.app"]"#, in: service.node,
                                source: context.source)
                        ])
                ])
        }
    }
}
