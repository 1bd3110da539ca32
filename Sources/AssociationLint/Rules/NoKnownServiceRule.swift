internal import Diagnostics
internal import JSONSyntax

/// A file needs a service.
enum NoKnownServiceRule: FileRule {
    static let description = RuleDescription(
        "no-known-service", .error, summary: "the file has no service of Apple's systems that this version knows",
        reason: """
            The system looks for services at the top level of the file: 'applinks', 'webcredentials', 'appclips', \
            'activitycontinuation' (Apple, "Supporting associated domains"), 'authsrv', 'messagefilter' and \
            'classificationreport' (IdentityLookup), and a few of Apple's own. A file without any of them has no effect, \
            unless it has a service that is newer than this version. Such a file is often an error message of another \
            program; the server never replaces a good file with it.
            """, basis: [.apple, .inferred],
        bad: """
            ⟦{
              "universalLinks": { "enabled": true }
            }⟧

            """,
        good: SyntaxRules.good)

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
        // As every service but 'applinks' is written.
        let unknown = root.members.first { $0.value.object?["apps"] != nil }
        diagnostics.report(
            description, root.range, root.pointer,
            unknown.map { "\(quoted($0.key)) is a service that is unknown to this version, and there is no other" }
                ?? "nothing in this file applies to Apple devices: it has no 'applinks' and no other known service",
            notes: [exampleNote])
    }
}
