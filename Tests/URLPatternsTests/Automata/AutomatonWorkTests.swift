import Testing
import URLPatterns

@Suite("What automata take")
struct AutomatonWorkTests {
    private static let values = (0..<5_000).map { "a\($0)" }

    private func parse(_ pattern: String, _ values: [String] = Self.values) -> [PatternElement] {
        let variables = SubstitutionVariables([SubstitutionVariable(name: "v", values: values)])
        return PatternParser(
            variables: variables, comparison: Comparison(caseSensitive: true, percentEncoded: true)
        ).parse(pattern)
    }

    @Test("is known before a state is made", arguments: ["$(v)", "$(v)*", "/$(v)"])
    func knownBefore(unit: String) {
        let elements = parse("/" + String(repeating: unit, count: 2_000))
        var work = WorkBudget(1_000_000_000)
        let left = work.left
        #expect(
            PatternAutomaton(
                path: elements, percentEncoded: true, variables: PatternVariables(), work: &work) == nil)
        // A step for each element, and none for the 10,000,000 states.
        #expect(left - work.left < 10_000)
    }

    @Test("is paid for, also for what became too large while it was made")
    func failure() {
        // Wildcards in values: how many states there are shows only on the way.
        let stars = (1..<300).map { String(repeating: "a", count: $0) + "*" }
        var work = WorkBudget(1_000_000_000)
        let left = work.left
        let elements = parse("/" + String(repeating: "$(v)*", count: 1_000), stars)
        let budget = PatternAutomaton.Budget()
        #expect(
            PatternAutomaton(
                path: elements, percentEncoded: true, variables: PatternVariables(), budget: budget, work: &work) == nil
        )
        #expect(left - work.left > budget.states)
        #expect(left - work.left < 4 * (budget.states + budget.edges) + budget.work + 100_000)
    }

    @Test("is the same for a second pattern with the variable, and the values are looked at once")
    func shared() throws {
        let parser = PatternParser(
            variables: SubstitutionVariables([SubstitutionVariable(name: "v", values: Self.values)]),
            comparison: Comparison(caseSensitive: true, percentEncoded: true))
        let variables = PatternVariables()
        var work = WorkBudget(1_000_000_000)
        for (pattern, text) in [("/$(v)", "a17"), ("/x$(v)", "xa17")] {
            let automaton = try #require(
                PatternAutomaton(
                    path: parser.parse(pattern), percentEncoded: true, variables: variables, work: &work))
            #expect(automaton.accepts(Array(text.utf8)))
            #expect(automaton.stateCount < 20_000)
        }
    }

    @Test("does not grow with comparing when it is spent")
    func containment() throws {
        let pattern = "$(v)????????????????????"
        let ends = ["*-a", "*-b"]
        let variables = PatternVariables()
        var work = WorkBudget(10_000_000)
        let wide = try #require(
            PatternAutomaton(path: parse("/" + pattern, ends), percentEncoded: true, variables: variables, work: &work))
        let narrow = try #require(
            PatternAutomaton(path: parse("/x" + pattern, ends), percentEncoded: true, variables: variables, work: &work)
        )
        #expect(Containment.decide(wide, covers: narrow, budget: &work) == .unknown)
        var small = WorkBudget(10_000)
        #expect(Containment.decide(wide, covers: narrow, budget: &small) == .unknown)
        #expect(small.isSpent)
    }
}
