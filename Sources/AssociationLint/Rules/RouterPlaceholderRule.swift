internal import AppSiteAssociation
internal import Diagnostics

/// A parameter as web frameworks write it.
enum RouterPlaceholderRule: FileRule {
    static let description = RuleDescription.routerPlaceholder

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns {
            guard let first = pattern.parsed.placeholders.first else { continue }
            diagnostics.report(
                description.code, pattern.part(first, in: context.source), pattern.pointer,
                "\(quoted(pattern.parsed.string(first))) is plain text to the system, not a placeholder",
                fixIts: [
                    FixIt(
                        "write '*'", .suggested,
                        pattern.edits(pattern.parsed.stars(for: pattern.parsed.placeholders), in: context.source))
                ])
        }
    }
}
