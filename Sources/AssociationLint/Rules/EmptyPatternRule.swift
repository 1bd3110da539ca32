internal import Diagnostics

/// An empty path pattern.
enum EmptyPatternRule: FileRule {
    static let description = RuleDescription(
        "empty-pattern", .warning, summary: "a path pattern is empty",
        reason: """
            An empty path pattern can only match the root of the site, as slashes at the ends are ignored. Whether it does \
            is not documented.
            """,
        basis: [.inferred], fix: .suggested,
        bad: ExampleFile.components(#"{ "/": ⟦""⟧ }"#), good: ExampleFile.components(#"{ "/": "/" }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        for pattern in context.patterns where pattern.isPath && pattern.parsed.body.isEmpty {
            let gap = pattern.parsed.body.lowerBound..<pattern.parsed.body.lowerBound
            diagnostics.report(
                description.code, pattern.range, pattern.pointer,
                "an empty path pattern can only match the root, '/'",
                fixIts: [FixIt("write '/'", .suggested, pattern.edit(gap, "/", in: context.source))])
        }
    }
}
