internal import AppSiteAssociation
internal import JSONSyntax

/// What `/x/**` does not match and `/x/*` does: `/x`. Whether that makes a difference to other rules.
struct ParentPaths {
    private let rules: [Rule]
    private let variables: SubstitutionVariables
    private var parser: PatternParser?
    private var verdicts: [String: Bool]?
    /// How many bytes may still be compared; then everything is taken for a difference.
    private var budget = 1_000_000

    init(_ file: FileOutline) {
        rules = file.document.appLinks?.details.flatMap(\.rules) ?? []
        variables = file.document.appLinks?.substitutionVariables ?? SubstitutionVariables()
    }

    /// Whether a rule of the other verdict matches the parent path of a pattern that ends in several stars.
    ///
    /// - Parameter tail: The last stars in the pattern.
    mutating func mattersToOthers(_ place: PatternPlace, tail: Range<Int>) -> Bool {
        let slash = UInt8(ascii: "/")
        let anatomy = place.anatomy
        guard place.isPath, anatomy.bytes[tail.upperBound..<anatomy.examined.upperBound].allSatisfy({ $0 == slash }),
            tail.lowerBound > anatomy.examined.lowerBound, anatomy.bytes[tail.lowerBound - 1] == slash
        else { return false }
        let parent = anatomy.bytes[anatomy.examined.lowerBound..<tail.lowerBound - 1]
        // A parent with a wildcard is never taken to cover another rule.
        guard !parent.isEmpty, !parent.contains(where: { [UInt8(ascii: "*"), UInt8(ascii: "?"), .blank].contains($0) })
        else { return false }
        let verdict = verdict(place)
        for rule in rules where rule.excludes != verdict {
            budget -= max(rule.path.utf8.count, 16) * max(parent.count, 16)
            if budget < 0 || accepts(rule, Array(parent)) { return true }
        }
        return false
    }

    /// Whether the rule of a pattern excludes; nil for defaults, which have no verdict.
    private mutating func verdict(_ place: PatternPlace) -> Bool? {
        guard let owner = place.owner else { return place.prefixLength > 0 }
        let verdicts =
            self.verdicts
            ?? Dictionary(rules.map { ($0.pointer, $0.excludes) }, uniquingKeysWith: { first, _ in first })
        self.verdicts = verdicts
        return verdicts[owner.pointer.description]
    }

    private mutating func accepts(_ rule: Rule, _ path: [UInt8]) -> Bool {
        // Without regard to case, to be careful.
        let comparison = Comparison(caseSensitive: false, percentEncoded: true)
        let parser = self.parser ?? PatternParser(variables: variables, comparison: comparison)
        self.parser = parser
        return PatternMatcher.matchesPath(parser.parse(rule.path), comparison.prepare(path), percentEncoded: true)
    }
}
