internal import AppSiteAssociation
import FuzzingSupport
package import URLPatterns

/// Small random patterns, texts and variables, of few letters so that they meet often.
package struct RandomPatterns {
    private var random: SplitMix64
    package var letters = ["a", "b", "a", "/", "*", "?", "$(v)", "$(w)", "/*", "$(slash)", "$(tail)"]

    /// The segments that only routes can have.
    package static let segments = ["$(one)", "$(run)", "$(segment)", "/$(segment)"]

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    package mutating func number(below count: Int) -> Int { random.number(below: count) }

    package mutating func text(_ letters: [String], upTo count: Int) -> String {
        random.list(of: letters, upTo: count).joined()
    }

    package mutating func pattern(upTo count: Int) -> String { text(letters, upTo: count) }

    package static let variables = SubstitutionVariables([
        SubstitutionVariable(name: "v", values: ["a", "b", "ab", "abb"]),
        SubstitutionVariable(name: "w", values: ["", "a*", "?b", "é", "b"]),
        SubstitutionVariable(name: "slash", values: ["/", "", "a/", "/b"]),
        SubstitutionVariable(name: "tail", values: ["/*", "*", "/", "//*/", "a/b"]),
        SubstitutionVariable(name: "none", values: []),
        SubstitutionVariable(name: "one", elements: [.segmentCharacter]),
        SubstitutionVariable(name: "run", elements: [.segmentRun]),
        SubstitutionVariable(name: "segment", elements: [.segmentCharacter, .segmentRun]),
    ])

    package static let parsers = PatternParsers(variables)

    package static func parse(_ pattern: String, caseSensitive: Bool = true, percentEncoded: Bool = true)
        -> [PatternElement]
    {
        let comparison = Comparison(caseSensitive: caseSensitive, percentEncoded: percentEncoded)
        return parsers.parser(comparison).parse(pattern)
    }

    /// A path as its comparison begins: without the slashes at its ends.
    package static func trimmed(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        return path.drop { $0 == slash }.reversed().drop { $0 == slash }.reversed()
    }
}

/// All short texts over a few letters.
package enum Texts {
    package static func all(over letters: String, upTo length: Int) -> [[UInt8]] {
        var result: [[UInt8]] = [[]]
        var last: [[UInt8]] = [[]]
        for _ in 0..<length {
            last = last.flatMap { text in letters.utf8.map { text + [$0] } }
            result += last
        }
        return result
    }
}
