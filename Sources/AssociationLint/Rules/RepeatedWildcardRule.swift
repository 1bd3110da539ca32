internal import Diagnostics
internal import URLPatterns

/// Several stars in a row.
enum RepeatedWildcardRule: PatternRule {
    static let description = RuleDescription(
        "repeated-wildcard", .warning, summary: "a pattern has '**'",
        reason: """
            '*' already matches any run of characters, including slashes, so a second one adds nothing. At the end of a \
            path it even matches less: '/buy/*' also matches '/buy', '/buy/**' does not, so there '?*' is the same.
            """,
        basis: [.apple], fix: .automatic,
        bad: ExampleFile.components(#"{ "/": "/buy/⟦**⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/buy/?*" }"#))

    static func check(_ pattern: FilePattern, _ diagnostics: inout DiagnosticCollector) {
        guard pattern.parsed.present.contains(star) else { return }
        let parsed = pattern.parsed
        let runs = parsed.bytes[parsed.examined].runs(of: star)
        guard let first = runs.first else { return }
        let tail = runs.last.flatMap { Tail($0, pattern) }
        let parts = runs.map { (range: $0, text: $0 == tail?.range ? tail?.text ?? "*" : "*") }
        // With one star, another part of it may be what looks like an expression.
        let isExact = parsed.regex == nil && tail?.isExact ?? parsed.hasNoMisreadExclusion
        let isTail = first == tail?.range
        let title =
            runs.count == 1 || parts.allSatisfy { $0.text == "*" }
            ? "write \(quoted(parts[0].text))" + (runs.count == 1 ? "" : " for each of them")
            : "write \(quoted(pattern.text(with: parts)))"
        diagnostics.report(
            description, pattern, at: first,
            "\(quoted(parsed.string(first))) "
                + (isTail ? tail?.meaning ?? "" : "means the same as '*', any run of characters"),
            notes: (tail?.note).map { [$0] } ?? [],
            fix: FixIt(title, isExact ? .automatic : .suggested, pattern.edits(parts)))
    }

    private static let star = UInt8(ascii: "*")

    /// Stars after the last slash of a path: as a single one they would also match the path before that slash.
    private struct Tail {
        let range: Range<Int>
        /// The text to write in their place.
        let text: String
        let meaning: String
        let note: String
        /// Whether that is the same for every path.
        let isExact: Bool

        /// Nil if a single star is the same.
        init?(_ stars: Range<Int>, _ pattern: FilePattern) {
            let (parsed, slash) = (pattern.parsed, UInt8(ascii: "/"))
            let start = parsed.body.lowerBound
            guard pattern.isPath || pattern.isVariableValue,
                parsed.bytes[stars.upperBound..<parsed.body.upperBound].allSatisfy({ $0 == slash }),
                stars.lowerBound > start ? parsed.bytes[stars.lowerBound - 1] == slash : pattern.isVariableValue
            else { return nil }
            range = stars
            guard pattern.isPath else {
                text = "*"
                meaning = "matches any run of characters, as '*' does"
                note = "at the end of a path '/*' also matches the path before it, '/**' does not"
                isExact = false
                return
            }
            let parent = start..<stars.lowerBound - 1
            // Of slashes alone nothing is left when a path is compared.
            guard parsed.bytes[parent].contains(where: { $0 != slash }) else { return nil }
            text = "?*"
            meaning = "at the end of a path matches one or more characters, as '?*' does"
            note = "\(quoted(parsed.string(parent) + "/*")) would also match \(quoted(parsed.string(parent)))"
            // A variable may have an empty value.
            let isNeverEmpty = parent.contains { offset in
                parsed.bytes[offset] != slash && !parsed.variables.contains { $0.contains(offset) }
            }
            isExact = isNeverEmpty && parsed.hasNoMisreadExclusion
        }
    }
}

extension ParsedPattern {
    /// Whether what looks like a word that excludes is one: else it is a part of the path until it is fixed.
    fileprivate var hasNoMisreadExclusion: Bool { exclusion == nil || isExclusionValid }
}
