import AppSiteAssociation
import Fuzzing
import PatternAnalysis
import Testing
import URLPatterns

/// The covers found among two or three small patterns, compared with what the matcher decides about all short paths.
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

    @Test("of all pairs exactly those are covered of which no short path speaks against it")
    func pairs() {
        let pairs = Self.patterns.indices.flatMap { wide in Self.patterns.indices.map { [wide, $0] } }
        for (pair, covers) in zip(pairs, Self.earliestCovers(pairs)) {
            #expect(
                (covers[1] != nil) == Self.covers[pair[0]][pair[1]],
                "\(Self.patterns[pair[0]]) before \(Self.patterns[pair[1]])")
        }
    }

    @Test("of three rules each has its earliest cover")
    func triples() {
        let chosen = ["*", "/a", "/a/*", "*/*", "/*/a", "*a*", "/a/*/*"].compactMap { Self.patterns.firstIndex(of: $0) }
        let triples = chosen.flatMap { first in chosen.flatMap { second in chosen.map { [first, second, $0] } } }
        for (triple, covers) in zip(triples, Self.earliestCovers(triples)) {
            for later in 1...2 {
                let expected = (0..<later).first { Self.covers[triple[$0]][triple[later]] }
                #expect(covers[later] == expected, "rule \(later) of \(triple.map { Self.patterns[$0] })")
            }
        }
    }

    /// For each rule the earlier one that covers it, in entries of patterns, each of an app of its own.
    private static func earliestCovers(_ entries: [[Int]]) -> [[Int?]] {
        var finder = ReachFinder(
            entries.enumerated().map { app, patterns in
                let rules = patterns.enumerated().map { Rule(path: Self.patterns[$1], index: $0) }
                return ReachFinder.Entry(rules: rules, apps: [app])
            }, variables: SubstitutionVariables())
        var covers = entries.map { [Int?](repeating: nil, count: $0.count) }
        for found in finder.shadowed() {
            covers[finder.entries[found.rule]][finder.rules[found.rule].component] =
                finder.rules[found.shadowedBy].component
        }
        return covers
    }
}
