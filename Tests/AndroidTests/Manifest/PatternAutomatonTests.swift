import Android
import FuzzingSupport
import Testing
import URLPatterns

/// The automata of patterns take the texts that the patterns match.
@Suite("Automata of patterns in manifests")
struct PatternAutomatonTests {
    @Test("a pathPattern of every kind", arguments: PatternFormTests.globs)
    func glob(pattern: String, text: String, matches: Bool) {
        guard let automaton = TextPattern.glob(AndroidGlob(pattern)).automaton() else { return }
        #expect(automaton.accepts(Array(text.utf8)) == matches)
    }

    @Test("a pathAdvancedPattern of every kind", arguments: PatternFormTests.advanced)
    func advanced(pattern: String, text: String, matches: Bool) throws {
        let automaton = try #require(TextPattern.advanced(AdvancedGlob(pattern)).automaton())
        #expect(automaton.accepts(Array(text.utf8)) == matches)
    }

    @Test(
        "texts, beginnings and ends",
        arguments: [
            (TextPattern.exact(Array("/aü".utf16)), ["/aü"], ["/a", "/aüb", ""]),
            (.prefix(Array("/a".utf16)), ["/a", "/abc", "/aü"], ["/", "/b", ""]),
            (.suffix(Array("aa".utf16)), ["aa", "/aa", "/aaa"], ["a", "/a", "/aab", ""]),
            (.advanced(nil), [], ["", "/a"]),
        ])
    func plain(pattern: TextPattern, matching: [String], others: [String]) throws {
        let automaton = try #require(pattern.automaton())
        for text in matching { #expect(automaton.accepts(Array(text.utf8)), "\(text)") }
        for text in others { #expect(!automaton.accepts(Array(text.utf8)), "\(text)") }
    }

    @Test("there is none for a value that only a build tells, or for a set beyond ASCII")
    func missing() {
        #expect(TextPattern.unresolved.automaton() == nil)
        #expect(TextPattern.advanced(AdvancedGlob("/[à-ü]+")).automaton() == nil)
        #expect(TextPattern.advanced(AdvancedGlob("/.{30000}a")).automaton() == nil)
    }

    /// All texts of up to six characters.
    private static let texts: [String] = {
        var (texts, level) = ([""], [""])
        for _ in 0..<6 {
            level = level.flatMap { text in ["a", "b", "/"].map { text + $0 } }
            texts += level
        }
        return texts
    }()

    @Test("random patterns against every short text", arguments: TestSeeds.of(1...2))
    func agreement(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (made, matching) = (0, 0)
        for _ in 0..<120 {
            let glob = (0..<random.number(1...6)).map { _ in random.pick(["a", "b", "/", ".", "a*", "b*", ".*"]) }
                .joined()
            let advanced = (0..<random.number(1...5)).map { _ in
                random.pick(["a", "b", "/", ".", "[ab]", "[^a]", "[^b/]"])
                    + random.pick(["", "", "*", "+", "{2}", "{0}", "{1,2}", "{0,1}", "{2,}"])
            }.joined()
            let forms: [(TextPattern, (String) -> Bool)] = [
                (.glob(AndroidGlob(glob)), { AndroidGlob(glob).matches($0) }),
                (.advanced(AdvancedGlob(advanced)), { AdvancedGlob(advanced)?.matches($0) ?? false }),
            ]
            for (pattern, matches) in forms {
                guard let automaton = pattern.automaton() else { continue }
                made += 1
                for text in Self.texts {
                    let isMatch = matches(text)
                    if isMatch { matching += 1 }
                    if automaton.accepts(Array(text.utf8)) != isMatch {
                        Issue.record("\(glob) \(advanced) \(text): the matcher says \(isMatch)")
                    }
                }
            }
        }
        #expect(made == 240 && matching > 0)
    }
}
