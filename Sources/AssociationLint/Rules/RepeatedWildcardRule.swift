internal import AppSiteAssociation
internal import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// Several stars in a row.
enum RepeatedWildcardRule: FileRule {
    static let description = RuleDescription(
        "repeated-wildcard", .warning, summary: "a pattern has '**'",
        reason: """
            '*' already matches any run of characters, including slashes, so a second one adds nothing. At the end of a \
            path it even matches less: '/buy/*' also matches '/buy', '/buy/**' does not.
            """,
        basis: [.apple], fix: .automatic,
        bad: ExampleFile.components(#"{ "/": "/buy/⟦**⟧" }"#),
        good: ExampleFile.components(#"{ "/": "/buy/*" }"#))

    static func check(_ context: LintContext, _ diagnostics: inout DiagnosticCollector) {
        var parents = ParentPaths(context)
        let star = UInt8(ascii: "*")
        for pattern in context.patterns where pattern.parsed.present.contains(star) {
            let runs = pattern.parsed.bytes[pattern.parsed.examined].runs(of: star)
            guard let first = runs.first else { continue }
            // With one star, another part of it may be what looks like an expression.
            let isSafe =
                pattern.parsed.regex == nil && runs.last.map { !parents.mattersToOthers(pattern, tail: $0) } ?? true
            diagnostics.report(
                description.code, pattern.part(first, in: context.source), pattern.pointer,
                "\(quoted(pattern.parsed.string(first))) means the same as '*', any run of characters",
                fixIts: [
                    FixIt(
                        title: runs.count == 1 ? "write '*'" : "write '*' for each of them",
                        applicability: isSafe ? .automatic : .suggested,
                        edits: pattern.edits(runs.map { ($0, "*") }, in: context.source))
                ])
        }
    }
}

/// Tells whether it makes a difference to other rules that `/x/*` also matches `/x`, which `/x/**` does not.
struct ParentPaths {
    private let rules: [Rule]
    private let variables: SubstitutionVariables
    private var parser: PatternParser?
    private var verdicts: [String: Bool]?
    /// The bytes that may still be compared; after that everything counts as a difference.
    private var budget = WorkBudget()

    init(_ context: LintContext) {
        rules = context.document.appLinks?.details.flatMap(\.rules) ?? []
        variables = context.document.appLinks?.substitutionVariables ?? SubstitutionVariables()
    }

    /// Whether a rule of the other verdict matches the parent path of a pattern that ends in several stars.
    ///
    /// - Parameter tail: The last stars in the pattern.
    mutating func mattersToOthers(_ pattern: FilePattern, tail: Range<Int>) -> Bool {
        let slash = UInt8(ascii: "/")
        let parsed = pattern.parsed
        guard pattern.isPath, parsed.bytes[tail.upperBound..<parsed.examined.upperBound].allSatisfy({ $0 == slash }),
            tail.lowerBound > parsed.examined.lowerBound, parsed.bytes[tail.lowerBound - 1] == slash
        else { return false }
        let parent = parsed.bytes[parsed.examined.lowerBound..<tail.lowerBound - 1]
        // A parent with a wildcard is never taken to cover another rule.
        guard !parent.isEmpty, !parent.contains(where: { [UInt8(ascii: "*"), UInt8(ascii: "?"), .blank].contains($0) })
        else { return false }
        let verdict = verdict(pattern)
        for rule in rules where rule.excludes != verdict {
            if accepts(rule, Array(parent)) ?? true { return true }
        }
        return false
    }

    /// Whether the rule of a pattern excludes; nil for defaults, which have no verdict.
    private mutating func verdict(_ pattern: FilePattern) -> Bool? {
        guard let owner = pattern.owner else { return pattern.isLegacyExclusion }
        let verdicts =
            self.verdicts
            ?? Dictionary(rules.map { ($0.pointer, $0.excludes) }, uniquingKeysWith: { first, _ in first })
        self.verdicts = verdicts
        return verdicts[owner.pointer.description]
    }

    /// Whether a rule matches a path; nil if to find out takes more than is left.
    private mutating func accepts(_ rule: Rule, _ path: [UInt8]) -> Bool? {
        // Without regard to case, to be careful.
        let comparison = Comparison(caseSensitive: false, percentEncoded: true)
        let parser = self.parser ?? PatternParser(variables: variables, comparison: comparison)
        self.parser = parser
        budget.spend(RuleMatcher.parsingCost(rule) + 8 * path.count)
        if budget.isSpent { return nil }
        return PatternMatcher.matchesPath(
            parser.parse(rule.path), comparison.prepare(path), percentEncoded: true, &budget)
    }
}
