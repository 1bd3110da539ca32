internal import Diagnostics
internal import JSONSyntax

/// `applinks` without `details` opens no links.
enum MissingDetailsRule: FileRule {
    static let description = RuleDescription(
        "missing-details", .warning, summary: "'applinks' has no 'details'",
        reason: """
            The entries of 'details' define which app opens which links (Apple, "Supporting associated \
            domains"). Without them no link opens an app.
            """, basis: [.inferred],
        bad: """
            {
              ⟦"applinks"⟧: {
                "apps": []
              }
            }

            """,
        good: ExampleFile.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let links = context.appLinks, let key = links.keyRange, !links.isMeant("details"),
            // These are reported for it themselves.
            !AppsNotEmptyRule.isDetails(links["apps"]?.array, in: links),
            !links.isMisplaced("appID", "appIDs", "paths", "components"),
            context.rootObject?.isMisplaced("details") != true,
            !links.members.contains(where: { $0.meaning == .nestedService && $0.key == "applinks" })
        else { return }
        diagnostics.report(
            description, key, links.pointer, "'applinks' has no 'details': no link opens an app",
            notes: [
                #"an entry is written '{ "appIDs": ["ABCDE12345.com.example.app"], "components": [{ "/": "/path/*" }] }'"#
            ])
    }
}
