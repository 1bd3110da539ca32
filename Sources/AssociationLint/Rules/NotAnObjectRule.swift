internal import Diagnostics
internal import JSONSyntax

/// A file has to be an object.
enum NotAnObjectRule: FileRule {
    static let description = RuleDescription(
        "not-an-object", .error, summary: "the file is not a JSON object",
        reason: """
            The file has to be an object whose keys are services, like 'applinks' (Apple, "Supporting associated \
            domains"). The system reads nothing else.
            """, basis: [.apple],
        bad: """
            ⟦[
              { "webcredentials": { "apps": ["7K3QWZ9PLM.com.shop.app"] } }
            ]⟧

            """,
        good: SyntaxRules.good)

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        guard context.rootObject == nil else { return }
        diagnostics.report(
            description, context.root.range, JSONPointer(),
            "the file is \(context.root.kind), not an object: the system reads nothing in it")
    }
}
