import AppSiteAssociation

/// Small random patterns, texts and variables, of few letters so that they meet often.
struct RandomPatterns {
    private var state: UInt64
    var letters = ["a", "b", "a", "/", "*", "?", "$(v)", "$(w)", "/*", "$(slash)", "$(tail)"]

    /// What only routes can say.
    static let segments = ["$(one)", "$(run)", "$(segment)", "/$(segment)"]

    init(seed: UInt64) {
        state = seed
    }

    mutating func number(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(count, 1)))
    }

    mutating func text(_ letters: [String], upTo count: Int) -> String {
        let length = number(count + 1)
        return (0..<length).map { _ in letters[number(letters.count)] }.joined()
    }

    mutating func pattern(upTo count: Int) -> String { text(letters, upTo: count) }

    static let variables = SubstitutionVariables([
        SubstitutionVariable(name: "v", values: ["a", "b", "ab", "abb"]),
        SubstitutionVariable(name: "w", values: ["", "a*", "?b", "é", "b"]),
        SubstitutionVariable(name: "slash", values: ["/", "", "a/", "/b"]),
        SubstitutionVariable(name: "tail", values: ["/*", "*", "/", "//*/", "a/b"]),
        SubstitutionVariable(name: "none", values: []),
        SubstitutionVariable(name: "one", elements: [.segmentCharacter]),
        SubstitutionVariable(name: "run", elements: [.segmentRun]),
        SubstitutionVariable(name: "segment", elements: [.segmentCharacter, .segmentRun]),
    ])

    static let parsers = PatternParsers(variables)

    static func parse(_ pattern: String, caseSensitive: Bool = true, percentEncoded: Bool = true) -> [PatternElement] {
        let comparison = Comparison(caseSensitive: caseSensitive, percentEncoded: percentEncoded)
        return parsers.parser(comparison).parse(pattern)
    }

    /// A path as its comparison begins: without the slashes at its ends.
    static func trimmed(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        return path.drop { $0 == slash }.reversed().drop { $0 == slash }.reversed()
    }
}
