import Android
import Fuzzing
import FuzzingSupport
import Testing
import URLPatterns

@Suite("The matcher of dynamic rules")
struct DynamicRuleMatcherTests {
    @Test(
        "paths are compared decoded, whole and as they are",
        arguments: [
            ("https://a.b", "/", "open"), ("https://a.b/x", "/x", "open"), ("https://a.b/x/", "/x", "noMatch"),
            ("https://a.b/x", "/x/*", "noMatch"), ("https://a.b/x/", "/x/*", "open"),
            ("https://a.b/X", "/x", "noMatch"),
            ("https://a.b//x", "/x", "noMatch"), ("https://a.b/a/../x", "/x", "noMatch"),
            ("https://a.b/caf%C3%A9", "/café", "open"), ("https://a.b/caf%c3%a9", "/café", "open"),
            ("https://a.b/caf%C3%A9", "/caf%C3%A9", "noMatch"), ("https://a.b/a%2Fb", "/a/b", "open"),
            ("https://a.b/a+b", "/a+b", "open"), ("https://a.b/a+b", "/a b", "noMatch"),
            ("https://a.b/100%zz", "/100%zz", "open"), ("https://a.b/%FF", "/\u{FFFD}", "open"),
            ("http://a.b:80/x?q#f", "/x", "open"), ("https://a.b/%F0%9F%98%80", "/??", "open"),
            ("https://a.b/%F0%9F%98%80", "/?", "noMatch"), ("https://a.b/a%3Fb", "/a?b", "open"),
        ])
    func pathsAreComparedDecodedWholeAnd(url: String, path: String, outcome: String) throws {
        #expect(try decide(url, [DynamicComponent(path: path, index: 0)]).rawValue == outcome)
    }

    @Test(
        "some item of the decoded query has to meet each entry",
        arguments: [
            ("?k=v", "k", "v", true), ("?a=1&k=v", "k", "v", true), ("?k=v&k=w", "k", "w", true),
            ("?k=w", "k", "v", false),
            ("", "k", "*", false), ("?", "k", "*", false), ("?k", "k", "*", false), ("?k=", "k", "*", true),
            ("?k=", "k", "?*", false), ("?k=1", "k", "?*", true), ("?a;k=v", "k", "v", true),
            ("?a&b;k=v", "k", "v", false),
            ("?a=1%26k=v", "k", "v", true), ("?k=a+b", "k", "a+b", true), ("?k=a%20b", "k", "a b", true),
            ("?K=v", "k", "v", false), ("?kk=v", "k", "v", false), ("?k=v=w", "k", "v=w", true),
            ("?k=v=w", "k", "v", false),
            ("?key=v", "k*", "v", true), ("#?k=v", "k", "v", false),
        ])
    func someItemOfTheDecodedQuery(
        tail: String, name: String, value: String, matches: Bool
    ) throws {
        let component = DynamicComponent(query: [(name, value)], index: 0)
        #expect(try decide("https://a.b/\(tail)", [component]) == (matches ? .open : .noMatch))
    }

    @Test("all entries of a query have to be met, in any order")
    func allEntriesOfAQueryHave() throws {
        let component = DynamicComponent(query: [("a", "1"), ("b", "?")], index: 0)
        #expect(try decide("https://a.b/?b=2&x&a=1", [component]) == .open)
        #expect(try decide("https://a.b/?b=2", [component]) == .noMatch)
    }

    @Test(
        "an absent fragment matches no pattern, an empty one does",
        arguments: [
            ("", "*", false), ("#", "*", true), ("#x", "*", true), ("#x", "x", true), ("#", "x", false),
            ("#%78", "x", true),
            ("#", "?*", false),
        ])
    func anAbsentFragmentMatchesNoPattern(
        tail: String, pattern: String, matches: Bool
    ) throws {
        let component = DynamicComponent(fragment: pattern, index: 0)
        #expect(try decide("https://a.b/\(tail)", [component]) == (matches ? .open : .noMatch))
    }

    @Test("the first component that matches decides")
    func theFirstComponentThatMatchesDecides() throws {
        let components = [
            DynamicComponent(path: "/help/*", excludes: true, index: 0), DynamicComponent(index: 1),
            DynamicComponent(path: "/*", index: 2), DynamicComponent(path: "/help/me", index: 3),
        ]
        #expect(try decide("https://a.b/help/me", components) == .excluded)
        #expect(try decide("https://a.b/help", components) == .open)
        #expect(try decide("https://a.b/", [DynamicComponent(index: 0)]) == .noMatch)
        #expect(try decide("https://a.b/", [DynamicComponent(excludes: true, index: 0)]) == .noMatch)
    }

    @Test("an explanation has every component that was tried and the first part that failed")
    func anExplanationHasEveryComponentThat() throws {
        let matcher = DynamicRuleMatcher([
            DynamicComponent(index: 0), DynamicComponent(path: "/help/*", index: 1),
            DynamicComponent(path: "*", query: [("k", "v")], index: 2),
            DynamicComponent(path: "*", fragment: "*", index: 3),
            DynamicComponent(path: "/b*", excludes: true, index: 4),
            DynamicComponent(path: "*", index: 5),
        ])
        var budget = WorkBudget.decision
        let url = try #require(AndroidURL("https://a.b/b%75y?x=%31"))
        let (decision, trace) = try #require(matcher.explain(url, &budget))
        #expect(decision.outcome == .excluded)
        #expect(decision.component?.component == 4)
        #expect(trace.map(\.component.component) == [0, 1, 2, 3, 4])
        #expect(trace.map { $0.failure?.part.rawValue } == ["empty", "path", "query", "fragment", nil])
        #expect(trace.map { $0.failure?.pattern } == ["", "/help/*", "k=v", "*", nil])
        #expect(trace.map { $0.failure?.value } == ["", "/buy", "x=1", "", nil])
    }

    @Test(
        "an answer is certain unless the other reading has another outcome",
        arguments: [
            ("https://a.b/en/terms/x", [DynamicComponent(path: "*/terms/*", index: 0)], false),
            ("https://a.b/terms/x", [DynamicComponent(path: "*/terms/*", index: 0)], true),
            ("https://a.b/en/terms", [DynamicComponent(path: "*/terms/*", index: 0)], true),
            (
                "https://a.b/en/terms/x",
                [DynamicComponent(path: "*/terms/*", index: 0), DynamicComponent(path: "*", index: 1)], true
            ),
            (
                "https://a.b/en/terms/x",
                [DynamicComponent(path: "*/terms/*", excludes: true, index: 0), DynamicComponent(path: "*", index: 1)],
                false
            ),
        ])
    func anAnswerIsCertainUnlessThe(
        url: String, components: [DynamicComponent], isCertain: Bool
    ) throws {
        var budget = WorkBudget.decision
        let url = try #require(AndroidURL(url))
        let matcher = DynamicRuleMatcher(components)
        let decision = try #require(matcher.decide(url, &budget))
        #expect(matcher.isCertain(decision, url, &budget) == isCertain)
    }

    @Test("agrees with a slow matcher on random rules", arguments: TestSeeds.of(1...4))
    func agrees(seed: UInt64) {
        var fuzzer = DynamicRuleFuzzer(seed: seed)
        for _ in 0..<150 {
            if let difference = fuzzer.round(urls: 40) {
                Issue.record("\(difference)")
                return
            }
        }
        #expect(fuzzer.matches * 10 > fuzzer.decisions)
    }

    @Test("both readings of a pattern agree with slow ones", arguments: TestSeeds.of(1...4))
    func patterns(seed: UInt64) {
        var fuzzer = DynamicRuleFuzzer(seed: seed)
        for _ in 0..<500 {
            if let difference = fuzzer.patternRound(texts: 40) {
                Issue.record("\(difference)")
                return
            }
        }
    }

    @Test("looks at the components whose text before the first wildcard the path has, in order")
    func heads() throws {
        let components = [
            DynamicComponent(path: "/a/b", index: 0), DynamicComponent(index: 1),
            DynamicComponent(path: "/a/*", query: [("k", "v")], index: 2), DynamicComponent(path: "*/b", index: 3),
            DynamicComponent(path: "/a/*", excludes: true, index: 4),
            DynamicComponent(path: "*", fragment: "x", index: 5), DynamicComponent(path: "/a", index: 6),
            DynamicComponent(path: "//*", index: 7), DynamicComponent(path: "/", index: 8),
        ]
        let expected: [(String, Int?)] = [
            ("/a/b", 0), ("/a/c?k=v", 2), ("/a/c", 4), ("/b", 3), ("/c#x", 5), ("/a", 6), ("//a", 7), ("/", 8), ("", 8),
            ("/ab", nil), ("/c", nil),
        ]
        for (path, component) in expected {
            var budget = WorkBudget.decision
            let url = try #require(AndroidURL("https://a.b" + path))
            let decision = try #require(DynamicRuleMatcher(components).decide(url, &budget))
            #expect(decision.component?.component == component, "\(path)")
        }
    }

    @Test("looks only at components whose text after the last wildcard the path has, where many begin alike")
    func tails() throws {
        let paths = (0..<500).map { "/help/*-\($0)" } + ["/help/*x?7", "/help/a*-7/b", "/help/*"]
        let matcher = DynamicRuleMatcher(paths.enumerated().map { DynamicComponent(path: $1, index: $0) })
        let expected: [(String, Int?)] = [
            ("/help/a-417", 417), ("/help/ax17", 500), ("/help/a-7/b", 501), ("/help/a-500", 502), ("/helper/a-7", nil),
        ]
        for (path, component) in expected {
            var budget = WorkBudget.decision
            let url = try #require(AndroidURL("https://a.b" + path))
            #expect(try #require(matcher.decide(url, &budget)).component?.component == component, "\(path)")
            #expect(budget.spent < 500, "\(path)")
        }
    }

    @Test("with two lists no answer is certain")
    func withTwoListsNoAnswerIs() throws {
        let first = statement(rules(#"[{"/": "/b"}]"#))
        let document = AssetLinksDocument.read("[\(first), \(first)]")
        let app = try #require(document.apps.first)
        let matcher = try #require(DynamicRuleMatcher(app))
        var budget = WorkBudget.decision
        let url = try #require(AndroidURL("https://a.b/b"))
        let decision = try #require(matcher.decide(url, &budget))
        #expect(decision.outcome == .open)
        #expect(app.isCertain(decision, of: matcher, url, &budget) == false)
    }

    @Test("a decision stops when its budget is spent")
    func aDecisionStopsWhenItsBudget() throws {
        let components = (0..<1_000).map { DynamicComponent(path: "/*a*\($0)*", index: $0) }
        let url = try #require(AndroidURL("https://a.b/" + String(repeating: "a", count: 2_000)))
        var budget = WorkBudget(100_000)
        #expect(DynamicRuleMatcher(components).decide(url, &budget) == nil)
    }

    @Test("what is no web URL has no parts", arguments: ["", "/x", "ftp://a.b/", "https:///x", "https://"])
    func whatIsNoWebUrlHas(_ text: String) {
        #expect(AndroidURL(text) == nil)
    }

    private func decide(_ url: String, _ components: [DynamicComponent]) throws -> AndroidOutcome {
        var budget = WorkBudget.decision
        let url = try #require(AndroidURL(url))
        return try #require(DynamicRuleMatcher(components).decide(url, &budget)).outcome
    }
}
