import Fuzzing
import FuzzingSupport
import Testing
import URLPatterns

@Suite("The automaton of a pattern")
struct PatternAutomatonTests {
    @Test("agrees with the matcher about whole texts", arguments: [true, false], TestSeeds.of(1...1))
    func texts(percentEncoded: Bool, seed: UInt64) throws {
        var random = RandomPatterns(seed: seed)
        random.letters += ["é", "€", "$(digit)", "$(none)", "😀"] + RandomPatterns.segments
        for _ in 0..<600 {
            let pattern = random.pattern(upTo: 6)
            let elements = RandomPatterns.parse(pattern, percentEncoded: percentEncoded)
            let automaton = try #require(PatternAutomaton(elements, percentEncoded: percentEncoded))
            for _ in 0..<12 {
                let text = Self.text(&random)
                let expected = PatternMatcher.matches(elements, text, percentEncoded: percentEncoded)
                #expect(automaton.accepts(text) == expected, "\(pattern) \(text)")
            }
        }
    }

    @Test("agrees with the matcher about paths", arguments: [true, false], TestSeeds.of(3...3))
    func paths(percentEncoded: Bool, seed: UInt64) throws {
        var random = RandomPatterns(seed: seed)
        random.letters += ["é", "//", "/*/", "$(none)"] + RandomPatterns.segments
        for _ in 0..<1000 {
            let pattern = random.pattern(upTo: 6)
            let elements = RandomPatterns.parse(pattern, percentEncoded: percentEncoded)
            let automaton = try #require(PatternAutomaton(path: elements, percentEncoded: percentEncoded))
            for _ in 0..<12 {
                let text = RandomPatterns.trimmed(Self.text(&random))
                let expected = PatternMatcher.matchesPath(elements, text, percentEncoded: percentEncoded)
                #expect(automaton.accepts(text) == expected, "\(pattern) \(text)")
                #expect(!automaton.accepts(text + [0x2F]) && !automaton.accepts([0x2F] + text), "\(pattern) \(text)")
            }
        }
    }

    @Test("agrees with the matcher about all short paths", arguments: TestSeeds.of(5...5))
    func shortPaths(seed: UInt64) throws {
        let texts = Texts.all(over: "ab/", upTo: 5)
        var random = RandomPatterns(seed: seed)
        random.letters += RandomPatterns.segments
        for _ in 0..<90 {
            let pattern = random.pattern(upTo: 5)
            let elements = RandomPatterns.parse(pattern)
            let automaton = try #require(PatternAutomaton(path: elements, percentEncoded: true))
            for text in texts where text.first != 0x2F && text.last != 0x2F {
                let expected = PatternMatcher.matchesPath(elements, text, percentEncoded: true)
                #expect(automaton.accepts(text) == expected, "\(pattern) \(text)")
            }
        }
    }

    @Test(
        "may leave out the parent of a path",
        arguments: [
            ("/x/*", "x", false), ("/x/*", "x/a", true), ("*/*", "x", false), ("*/*", "x/a", true), ("/*", "x", true),
            ("/x/", "x", true), ("/x//*", "x", false), ("x$(tail)", "x", true), ("/*", "", true),
        ])
    func withoutParent(pattern: String, path: String, expected: Bool) throws {
        let elements = RandomPatterns.parse(pattern)
        let automaton = try #require(PatternAutomaton(path: elements, percentEncoded: true, acceptsParent: false))
        #expect(automaton.accepts(Array(path.utf8)) == expected)
    }

    @Test("takes one character of a decoded text at a time, and a stray byte as one")
    func characters() throws {
        let one = try #require(PatternAutomaton([.anyCharacter], percentEncoded: false))
        #expect(one.accepts(Array("é".utf8)) && one.accepts(Array("😀".utf8)) && one.accepts([0xFF]))
        #expect(!one.accepts([0xC3, 0xC3]) && !one.accepts([]))
        let latin = try #require(PatternAutomaton(RandomPatterns.parse("ÿ"), percentEncoded: false))
        #expect(!latin.accepts([0xFF]) && latin.accepts(Array("ÿ".utf8)))
    }

    @Test("folds what its pattern was folded to")
    func folded() throws {
        let elements = RandomPatterns.parse("ÉA$(upper)", caseSensitive: false, percentEncoded: false)
        let automaton = try #require(PatternAutomaton(elements, percentEncoded: false))
        #expect(automaton.accepts(Array("éaq".utf8)) && !automaton.accepts(Array("ÉAQ".utf8)))
    }

    @Test("knows the built-in lists")
    func builtIn() throws {
        let elements = RandomPatterns.parse("/$(lang)-$(region)/*")
        let automaton = try #require(PatternAutomaton(path: elements, percentEncoded: true))
        #expect(automaton.accepts(Array("en-US".utf8)) && automaton.accepts(Array("deu-CH/x".utf8)))
        #expect(!automaton.accepts(Array("en-us".utf8)))
    }

    @Test("is given up when it becomes too large")
    func tooLarge() {
        let values = (0..<1000).map { "x\($0)*" }
        let parsers = PatternParsers(SubstitutionVariables([SubstitutionVariable(name: "many", values: values)]))
        let parser = parsers.parser(Comparison(caseSensitive: true, percentEncoded: true))
        #expect(PatternAutomaton(parser.parse("$(many)$(many)$(many)"), percentEncoded: true) == nil)
        #expect(PatternAutomaton(path: parser.parse("/$(many)$(many)$(many)"), percentEncoded: true) == nil)
        var budget = PatternAutomaton.Budget()
        budget.states = 10
        #expect(PatternAutomaton(parser.parse("aaaaaaaaaaaa"), percentEncoded: true, budget: budget) == nil)
    }

    @Test("stays small for long runs of wildcards and slashes")
    func long() throws {
        let stars = RandomPatterns.parse(String(repeating: "*", count: 2000))
        #expect(try #require(PatternAutomaton(path: stars, percentEncoded: true)).stateCount < 10)
        #expect(try #require(PatternAutomaton(stars, percentEncoded: true)).accepts(Array("ab".utf8)))
        let slashes = RandomPatterns.parse("a" + String(repeating: "/", count: 2000) + "*")
        #expect(try #require(PatternAutomaton(path: slashes, percentEncoded: true)).accepts(Array("a".utf8)))
    }

    private static func text(_ random: inout RandomPatterns) -> [UInt8] {
        var text = Array(random.text(["a", "b", "/", "a", "é", "€", "1"], upTo: 7).utf8)
        if random.number(below: 8) == 0, !text.isEmpty { text[random.number(below: text.count)] = 0xFF }
        return text
    }
}
