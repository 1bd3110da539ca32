internal import Diagnostics
internal import JSONSyntax

/// A file needs a service.
enum NoKnownServiceRule: FileRule {
    static let description = RuleDescription(
        "no-known-service", .error, summary: "the file has no service that Apple's systems know",
        reason: """
            The system looks for services at the top level of the file: 'applinks', 'webcredentials', 'appclips', \
            'activitycontinuation' and a few of Apple's own. A file without any of them has no effect. Such a \
            file is often an error message of another program; the server never replaces a good file with it.
            """, basis: [.inferred],
        bad: """
            ⟦{
              "universalLinks": { "enabled": true }
            }⟧

            """,
        good: """
            {
              "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] }
            }

            """)

    private static let exampleNote =
        #"a file for links is written '{ "applinks": { "details": [{ "appIDs": […], "components": […] }] } }'"#

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard let root = context.rootObject else { return }
        // A misspelt service, or what belongs in one, is reported itself.
        let isReportedElsewhere = root.members.contains { member in
            switch member.meaning {
            case .misspelt, .misplaced: true
            default: false
            }
        }
        guard !isReportedElsewhere, !root.members.contains(where: { $0.meaning == .known }) else { return }
        diagnostics.report(
            description.code, root.range, root.pointer,
            "nothing in this file applies to Apple devices: it has no 'applinks' and no other known service",
            notes: [exampleNote])
    }
}
