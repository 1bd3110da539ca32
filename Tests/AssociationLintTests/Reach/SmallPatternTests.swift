import AppSiteAssociation
import AssociationLint
import Diagnostics
import Fuzzing
import Testing

/// What validate says of two or three small patterns, compared with what the matcher decides about all short paths.
@Suite("Reach of small patterns")
struct SmallPatternTests {
    private static let patterns = [
        "*", "/", "/a", "/a/", "/a/*", "/a/*/", "/a*", "/a/*/*", "/a/b", "/a/?*", "/a/**", "/?", "/?*", "/*?", "*a",
        "*a*",
        "/*/a", "*/a", "/*/a/*", "*/a/*", "*/*", "/*/*", "/*/*/*", "/a*/*", "/?/*", "/**/*", "/*//*", "/a//b", "**", "",
        "/?/?", "*a*/*", "/*/?/*", "/a/b/*",
    ]
    /// Longer ones than two of these patterns can tell apart.
    private static let paths = Texts.all(over: "ab/", upTo: 6).filter { $0.first != 0x2F && $0.last != 0x2F }

    /// For each pattern the paths that it matches, by the reference matcher.
    private static let matched: [[Bool]] = patterns.map { pattern in
        let elements = PatternParser(
            variables: SubstitutionVariables(), comparison: Comparison(caseSensitive: true, percentEncoded: true)
        ).parse(pattern)
        var budget = WorkBudget.unlimited
        return paths.map { PatternMatcher.matchesPath(elements, $0, percentEncoded: true, &budget) == true }
    }

    private static let covers: [[Bool]] = matched.map { wide in
        matched.map { narrow in !zip(wide, narrow).contains { !$0 && $1 } }
    }

    @Test("of all pairs exactly those are reported of which no short path speaks against it")
    func pairs() {
        let pairs = Self.patterns.indices.flatMap { wide in Self.patterns.indices.map { [wide, $0] } }
        let findings = Self.findings(pairs.map { $0.map { (Self.patterns[$0], false) } })
        for (number, pair) in pairs.enumerated() {
            #expect(
                (findings[number][1] != nil) == Self.covers[pair[0]][pair[1]],
                "\(Self.patterns[pair[0]]) before \(Self.patterns[pair[1]])")
        }
    }

    @Test("of three rules each has the code that its earliest cover and the verdicts demand")
    func triples() {
        let chosen = ["*", "/a", "/a/*", "*/*", "/*/a", "*a*", "/a/*/*"].compactMap { Self.patterns.firstIndex(of: $0) }
        let triples = chosen.flatMap { first in chosen.flatMap { second in chosen.map { [first, second, $0] } } }
        let entries = triples.enumerated().map { number, triple in
            triple.enumerated().map { (Self.patterns[$1], number >> $0 & 1 == 1) }
        }
        let findings = Self.findings(entries)
        for (number, triple) in triples.enumerated() {
            for later in 1...2 {
                let cover = (0..<later).first { Self.covers[triple[$0]][triple[later]] }
                let expected = cover.map { earlier in
                    switch (entries[number][earlier].1, entries[number][later].1) {
                    case (false, true): "dead-exclude"
                    case (true, false): "blocked-include"
                    default: "unreachable-rule"
                    }
                }
                #expect(findings[number][later] == expected, "rule \(later) of \(entries[number])")
            }
        }
    }

    /// The codes of reach by rule, for entries of patterns that exclude or not, each entry of an app of its own.
    private static func findings(_ entries: [[(pattern: String, excludes: Bool)]]) -> [[String?]] {
        let details = entries.enumerated().map { number, rules in
            let paths = rules.map { "\"\($0.excludes ? "NOT " : "")\($0.pattern)\"" }
            return "{\"appID\": \"A1B2C3D4E5.com.shop.a\(number)\", \"paths\": [\(paths.joined(separator: ","))]}"
        }
        let text = "{\"applinks\": {\"apps\": [], \"details\": [\(details.joined(separator: ","))]}}"
        var codes = entries.map { [String?](repeating: nil, count: $0.count) }
        for finding in Linter().check(Array(text.utf8)).diagnostics {
            let places = finding.pointer?.split(separator: "/").compactMap { Int($0) } ?? []
            let reach = ["dead-exclude", "blocked-include", "unreachable-rule"]
            guard places.count == 2, reach.contains(finding.code.rawValue) else { continue }
            codes[places[0]][places[1]] = finding.code.rawValue
        }
        return codes
    }
}
