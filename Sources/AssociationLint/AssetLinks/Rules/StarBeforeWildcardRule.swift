internal import Android
internal import Diagnostics

/// `**` or `*?`, which Android does not read as they look.
enum StarBeforeWildcardRule: PatternRule, AssetLinksRule {
    static let description = RuleDescription.assetLinks(
        "star-before-wildcard", .warning, "a '*' is directly before another wildcard",
        """
        On Android a '*' looks for the character behind it. Before another wildcard that is a literal '.', and the second '*' \
        of '**' is compared as a star. So the pattern hardly ever matches what was meant.
        """, basis: [.inferred], fix: .suggested,
        bad: AssetLinksRules.rules(#"{ "/": "/buy/⟦**⟧" }"#), good: AssetLinksRules.rules(#"{ "/": "/buy/*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        let text = pattern.parsed.bytes
        var index = 0
        while index < text.count {
            let run = text[index...].prefix { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
            if let star = run.dropLast().firstIndex(of: UInt8(ascii: "*")) {
                report(pattern, star, run.indices, diagnostics.source, &diagnostics)
            }
            index += max(run.count, 1)
        }
    }

    private static func report(
        _ pattern: FilePattern, _ star: Int, _ run: Range<Int>, _ source: SourceText,
        _ diagnostics: inout DiagnosticCollector
    ) {
        let questions = pattern.parsed.bytes[run].count { $0 == UInt8(ascii: "?") }
        let meant = String(repeating: "?", count: questions) + "*"
        diagnostics.report(
            description, pattern, at: star..<star + 2,
            "\(quoted(pattern.parsed.string(star..<star + 2))) looks for a '.' on Android",
            fix: FixIt("write \(quoted(meant))", .suggested, pattern.edit(run, meant)))
    }
}
