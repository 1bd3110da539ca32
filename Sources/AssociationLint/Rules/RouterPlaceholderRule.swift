internal import AppSiteAssociation
internal import Diagnostics

/// A parameter as web frameworks write it.
enum RouterPlaceholderRule: PatternRule {
    static let description = RuleDescription.routerPlaceholder

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard let first = pattern.parsed.placeholders.first else { return }
        diagnostics.report(
            description, pattern, at: first,
            "\(quoted(pattern.parsed.string(first))) is plain text to the system, not a placeholder",
            fix: FixIt(
                "write '*'", .suggested,
                pattern.edits(pattern.parsed.stars(for: pattern.parsed.placeholders))))
    }
}
