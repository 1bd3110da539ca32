internal import Diagnostics
internal import JSONSyntax

/// The other services are lists of apps.
enum MissingServiceAppsRule: FileRule {
    static let description = RuleDescription(
        "missing-service-apps", .warning, summary: "a service has no 'apps'",
        reason: """
            'webcredentials', 'activitycontinuation' and 'appclips' have one key, 'apps', the list of the app \
            IDs that use the service (Apple, "Supporting associated domains"). Without it no app uses the service. An \
            empty service, '{}', does no harm; with other keys it was meant to do something, and that is an error.
            """, basis: [.apple], fix: .displayOnly,
        bad: """
            {
              ⟦"webcredentials"⟧: {}
            }

            """,
        good: SyntaxRules.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for service in context.services {
            guard let key = service.keyRange, !service.isMeant("apps"), !service.isMisplaced("appID", "appIDs")
            else { continue }
            let isEmpty = service.members.allSatisfy { $0.meaning == .comment }
            diagnostics.report(
                description, severity: isEmpty ? nil : .error, key, service.pointer,
                "\(service.name) has no 'apps': no app uses the service",
                fix: FixIt(
                    "insert 'apps' with your app IDs", .displayOnly,
                    JSONEdits.insert(
                        first: "apps", #"["ABCDE12345.com.example.app"]"#, in: service.node, source: context.source)
                ))
        }
    }
}
