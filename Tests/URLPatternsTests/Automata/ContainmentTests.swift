import Fuzzing
import FuzzingSupport
import Testing
import URLPatterns

@Suite("Containment of patterns")
struct ContainmentTests {
    @Test("agrees with all short texts", arguments: [true, false], TestSeeds.of(11...11))
    func texts(percentEncoded: Bool, seed: UInt64) throws {
        var random = RandomPatterns(seed: seed)
        random.letters = ["a", "b", "a", "*", "?", "$(v)", "$(w)", "$(digit)", "/", "$(segment)", "$(run)"]
        let texts = Texts.all(over: "ab1/", upTo: 5)
        var proved = 0
        for _ in 0..<250 {
            let patterns = (random.pattern(upTo: 4), random.pattern(upTo: 4))
            let wide = try Side(patterns.0, percentEncoded)
            let narrow = try Side(patterns.1, percentEncoded)
            var budget = WorkBudget()
            let answer = Containment.decide(wide.automaton, covers: narrow.automaton, budget: &budget)
            let counterexample = texts.contains { text in
                PatternMatcher.matches(narrow.elements, text, percentEncoded: percentEncoded)
                    && !PatternMatcher.matches(wide.elements, text, percentEncoded: percentEncoded)
            }
            #expect(answer == (counterexample ? .refuted : .proved), "\(patterns.0) covers \(patterns.1)")
            if !counterexample { proved += 1 }
        }
        #expect(proved > 20)
    }

    @Test("agrees with all short paths", arguments: TestSeeds.of(13...13))
    func paths(seed: UInt64) throws {
        var random = RandomPatterns(seed: seed)
        random.letters += RandomPatterns.segments
        let texts = Texts.all(over: "abz/", upTo: 5).filter { $0.first != 0x2F && $0.last != 0x2F }
        for _ in 0..<100 {
            let patterns = (random.pattern(upTo: 4), random.pattern(upTo: 4))
            let wide = try Side(path: patterns.0)
            let narrow = try Side(path: patterns.1)
            var budget = WorkBudget()
            let answer = Containment.decide(wide.automaton, covers: narrow.automaton, budget: &budget)
            let counterexample = texts.contains { text in
                PatternMatcher.matchesPath(narrow.elements, text, percentEncoded: true)
                    && !PatternMatcher.matchesPath(wide.elements, text, percentEncoded: true)
            }
            // `é` is a value of a variable, and takes more than these letters.
            let hasOthers = narrow.automaton.accepts(Array("é".utf8)) || patterns.1.contains("$(w)")
            if counterexample || !hasOthers {
                #expect(answer == (counterexample ? .refuted : .proved), "\(patterns.0) covers \(patterns.1)")
            }
        }
    }

    @Test("is given up beyond the limit of states, and when the budget is spent")
    func limits() throws {
        let wide = try Side("*a????????????????????b", true)
        let narrow = try Side("*b*a*b*a*", true)
        var budget = WorkBudget(1_000_000_000)
        #expect(
            Containment.decide(wide.automaton, covers: narrow.automaton, stateLimit: 3, budget: &budget) == .unknown)
        var small = WorkBudget(10)
        #expect(Containment.decide(wide.automaton, covers: narrow.automaton, budget: &small) == .unknown)
        #expect(small.isSpent)
    }

    @Test(
        "a shortest text is found",
        arguments: [
            ("*", ""), ("?*", "a"), ("$(digit)$(upper)", "0A"), ("x*y", "xy"), ("$(v)b", "ab"), ("$(w)", ""),
        ])
    func shortest(pattern: String, expected: String) throws {
        let text = try Side(pattern, true).automaton.shortestText { _ in true }
        #expect(text == expected.utf8.map(UInt32.init))
        #expect(try Side("$(none)", true).automaton.shortestText { _ in true } == nil)
        #expect(try Side("a#b", true).automaton.shortestText { $0 != 0x23 } == nil)
    }

    private struct Side {
        let elements: [PatternElement]
        let automaton: PatternAutomaton

        init(_ pattern: String, _ percentEncoded: Bool) throws {
            elements = RandomPatterns.parse(pattern, percentEncoded: percentEncoded)
            automaton = try #require(PatternAutomaton(elements, percentEncoded: percentEncoded))
        }

        init(path: String) throws {
            elements = RandomPatterns.parse(path)
            automaton = try #require(PatternAutomaton(path: elements, percentEncoded: true))
        }
    }
}
