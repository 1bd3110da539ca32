internal import Diagnostics

/// A legacy path that is meant to exclude, but does not.
enum MalformedNotRule: PatternRule {
    static let description = RuleDescription(
        "malformed-not", .error, summary: "a legacy path seems to be an exclusion, but does not start with 'NOT '",
        reason: """
            Apple's documentation has one way to exclude in 'paths': 'NOT', in uppercase, and exactly one space before \
            the path. Everything else is part of the path that the system looks for, so nothing is excluded.
            """,
        basis: [.apple], fix: .suggested,
        bad: ExampleFile.paths(#"["⟦not ⟧/help/*", "*"]"#), good: ExampleFile.paths(#"["NOT /help/*", "*"]"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.kind == .legacyPath, !pattern.parsed.isExclusionValid, let word = pattern.parsed.exclusion
        else { return }
        let written = pattern.parsed.string(word)
        let path = pattern.parsed.string(word.lowerBound..<pattern.parsed.body.upperBound)
        diagnostics.report(
            description, pattern, at: word,
            (written == "NOT" ? "missing space after 'NOT'" : "\(quoted(written)) does not exclude")
                + ": this matches the literal path \(quoted(path))",
            fix: FixIt("write 'NOT '", .suggested, pattern.edit(word, "NOT ")))
    }
}
