import AssetLinks
import Fuzzing
import FuzzingSupport
import Testing
import URLPatterns

@Suite("The index of dynamic rules")
struct DynamicRuleIndexTests {
    @Test("agrees with the reference matcher and a slow one", arguments: TestSeeds.of(1...4))
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

    @Test("and both readings of a pattern agree with slow ones", arguments: TestSeeds.of(1...4))
    func patterns(seed: UInt64) {
        var fuzzer = DynamicRuleFuzzer(seed: seed)
        for _ in 0..<500 {
            if let difference = fuzzer.patternRound(texts: 40) {
                Issue.record("\(difference)")
                return
            }
        }
    }

    @Test("finds the lowest of the components that match, wherever they hang")
    func lowest() {
        let index = DynamicRuleIndex([
            DynamicComponent(path: "/a/b", index: 0), DynamicComponent(index: 1),
            DynamicComponent(path: "/a/*", query: [("k", "v")], index: 2), DynamicComponent(path: "*/b", index: 3),
            DynamicComponent(path: "/a/*", excludes: true, index: 4),
            DynamicComponent(path: "*", fragment: "x", index: 5),
        ])
        #expect(index.decide("https://a.b/a/b") == .component(0))
        #expect(index.decide("https://a.b/a/c?k=v") == .component(2))
        #expect(index.decide("https://a.b/a/c") == .component(4))
        #expect(index.decide("https://a.b/b") == .component(3))
        #expect(index.decide("https://a.b/c#x") == .component(5))
        #expect(index.decide("https://a.b/c") == .noMatch)
        #expect(index.decide("a.b/c") == .noURL)
        #expect(DynamicRuleIndex([]).decide("https://a.b/") == .noMatch)
    }

    @Test("decides a short list by bytes as it does by units")
    func short() {
        let paths = [
            "/shop/item?", "/shop/item10", "/shop/*", "/é/*", "/a?é", "/section1/page*", "/section2/page*",
            "/x/*/details",
            "/a%41", "/" + String(repeating: "long", count: 12) + "*", "",
        ]
        let components = paths.enumerated().map { DynamicComponent(path: $1, index: $0) }
        let (short, long) = (DynamicRuleIndex(components), DynamicRuleIndex(components, shortUpTo: 0))
        let tails = [
            "/shop/item1", "/shop/item10", "/shop/item100", "/shop/", "/shop", "/é/x", "/%C3%A9/x", "/abé", "/ab%C3%A9",
            "/section1/page/7", "/section2/pag", "/section2/pages", "/x/y/details", "/x/y/detail", "/aA", "/a%41",
            "/a%2541", "", "/",
            "?a", "#a",
            "/shop/item1?a=b", "/shop/item1#f", "/shop/item1?", "/\0", "/shop/item\0",
            "/" + String(repeating: "long", count: 11), "/" + String(repeating: "long", count: 14),
        ]
        let origins = [
            "https://a.b", "http://a.b", "HTTPS://A.B", "hTtP://a.b", "https://a.b:80", "https://u@a.b",
            "https://[::1]",
            "https://a_b.example", "https://é.b", "https://a b", "https://", "ftp://a.b", "https:/a.b",
            "https://" + String(repeating: "host", count: 9),
        ]
        var matches = Set<Int>()
        for url in origins.flatMap({ origin in tails.map { origin + $0 } }) {
            let answer = short.decide(url)
            #expect(answer == long.decide(url), "\(url)")
            if case .component(let number) = answer { matches.insert(number) }
        }
        #expect(matches == Set(0..<10))
    }

    @Test("spends no more on a URL than a decision may take")
    func bounded() {
        let components = (0..<2_000).map { DynamicComponent(path: "/*a*b\($0)", index: $0) }
        let url = "https://a.b/" + String(repeating: "a", count: 50_000)
        #expect(DynamicRuleIndex(components).decide(url) == .notDecided)
        #expect(DynamicRuleIndex(Array(components.prefix(10))).decide(url) == .noMatch)
    }
}
