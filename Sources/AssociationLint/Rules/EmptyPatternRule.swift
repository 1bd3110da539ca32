internal import Diagnostics

/// An empty path pattern.
enum EmptyPatternRule: PatternRule {
    static let description = RuleDescription(
        "empty-pattern", .warning, summary: "a path pattern is empty",
        reason: """
            An empty path pattern can only match the root of the site, as slashes at the ends are ignored. Whether it does \
            is not documented.
            """,
        basis: [.inferred], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": ⟦""⟧ }"#), good: ExampleFile.components(#"{ "/": "/" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.isPath && pattern.parsed.body.isEmpty else { return }
        let gap = pattern.parsed.body.lowerBound..<pattern.parsed.body.lowerBound
        diagnostics.report(
            description, pattern, "an empty path pattern can only match the root, '/'",
            fix: FixIt("write '/'", .suggested, pattern.edit(gap, "/")))
    }
}
