import AppSiteAssociation
import FuzzingSupport
import Testing
import URLPatterns

@Suite("Routes that cover others")
struct RouteCoversTests {
    @Test(
        "A route covers another one if that can be proved",
        arguments: [
            ("/*", "/buy/{a}", true), ("/buy/{a}", "/buy/{b}", true), ("/buy/{a}", "/buy/new", true),
            ("/buy/new", "/buy/{a}", false), ("/buy/{a}", "/buy/*", false), ("/buy/*", "/buy/{a}", true),
            ("/buy/*", "/buy", true), ("/buy/{a}", "/buy", false), ("/buy/{a:*}", "/buy/*", true),
            ("/{a:$(digit)*}", "/$(digit)", true), ("/{a}", "/{b:?*}", false), ("/{a:?*}", "/{b}", true),
            ("/$(alnum)", "/$(digit)", true), ("/$(digit)", "/$(alnum)", false), ("/?*", "/{a}/{b}", true),
            ("https://a.example/*", "/x", false), ("/*", "https://a.example/x", true),
            ("https://a.example/*", "https://A.EXAMPLE/x", true), ("https://a.example/*", "https://b.example/x", false),
            ("/a", "/a ?q={x}", true), ("/a ?q={x}", "/a", false), ("/a ?q=*", "/a", true),
            ("/a ?q={x}", "/a ?q=1", true), ("/a ?q={x}", "/a ?q=1&r=2", true), ("/a ?q={x}&r=2", "/a ?q=1", false),
            ("/a ?q=1", "/a ?q={x}", false), ("/a", "/a #x", true), ("/a #x", "/a", false), ("/a #*", "/a", true),
            ("/a #{f}", "/a #x/{g}", true), ("/A caseSensitive:false", "/a", true),
            ("/A caseSensitive:false", "/A", true),
            ("/a", "/a caseSensitive:false", false), ("/*", "/a caseSensitive:false", true),
            ("/$(upper) caseSensitive:false", "/$(lower)", true), ("/a ?q=* caseSensitive:false", "/a", true),
            ("/a ?q={x} caseSensitive:false", "/a ?q=1", false), ("/a", "/a percentEncoded:false", false),
            ("/a percentEncoded:false", "/a", false), ("/* percentEncoded:false", "/{a} #x", true),
            ("/é/* percentEncoded:false", "/é percentEncoded:false", true),
            ("/É caseSensitive:false percentEncoded:false", "/é percentEncoded:false", true),
        ])
    func table(wide: String, narrow: String, expected: Bool) throws {
        #expect(try RoutePattern(wide).covers(try RoutePattern(narrow)) == expected)
    }

    @Test("agrees with all short paths", arguments: TestSeeds.of(7...7))
    func paths(seed: UInt64) throws {
        var random = RandomRoutes(seed: seed)
        let letters = ["a", "b", "/", "/", "*", "?", "/*", "{}", "{}", "{:*}", "{:a?}", "{:*b}", "{:?*}"]
        let urls = Self.texts(over: "abz/", upTo: 5).map { "https://h/\($0)" }.compactMap { WebURL($0.utf8) }
        var proved = 0
        for _ in 0..<60 {
            let wide = try RoutePattern("/" + RandomRoutes.text(random.list(of: letters, upTo: 3)))
            let narrow = try RoutePattern("/" + RandomRoutes.text(random.list(of: letters, upTo: 4)))
            let counterexample = urls.contains { url in
                narrow.captures(in: url) != nil && wide.captures(in: url) == nil
            }
            #expect(wide.covers(narrow) == !counterexample, "\(wide) covers \(narrow)")
            if !counterexample { proved += 1 }
        }
        #expect(proved > 10 && proved < 55)
    }

    @Test("never says yes wrongly, also of queries, fragments and flags", arguments: TestSeeds.of(8...8))
    func parts(seed: UInt64) throws {
        var random = RandomRoutes(seed: seed)
        let paths = ["/*", "/a", "/A", "/{x}", "/a/*"]
        let queries = ["", "", " ?q=*", " ?q={y}", " ?q=1", " ?Q=1", " ?q=a&r=*", " ?q=%61"]
        let fragments = ["", "", " #*", " #{z}", " #a", " #A"]
        let flags = [
            "", "", " caseSensitive:false", " percentEncoded:false", " percentEncoded:false caseSensitive:false",
        ]
        func route() throws -> RoutePattern {
            let columns = [paths, queries, fragments, flags].map { $0[random.number(below: $0.count)] }
            return try RoutePattern(columns.joined())
        }
        let urls = ["", "a", "A", "%61", "a/b"].flatMap { path in
            ["", "?q=1", "?Q=1", "?q=a", "?q=%61", "?Q=1&q=a", "?r=1", "?%71=1", "?q=1&q=2"].flatMap { query in
                ["", "#a", "#A", "#%61", "#b/c"].compactMap { WebURL("https://h/\(path)\(query)\($0)".utf8) }
            }
        }
        var proved = 0
        for _ in 0..<1500 {
            let wide = try route()
            let narrow = try route()
            guard wide.covers(narrow) else { continue }
            proved += 1
            let counterexample = urls.first { narrow.captures(in: $0) != nil && wide.captures(in: $0) == nil }
            #expect(counterexample == nil, "\(wide) covers \(narrow)")
        }
        #expect(proved > 100)
    }

    @Test("is given up when the budget is spent")
    func budget() throws {
        let wide = try RoutePattern("/*a????????????????????b")
        let narrow = try RoutePattern("/*b*aa????????????????????b*a????????????????????b")
        var none = WorkBudget(0)
        #expect(!wide.covers(narrow, budget: &none))
        var small = WorkBudget(5000)
        #expect(!wide.covers(narrow, budget: &small))
        #expect(small.isSpent)
    }

    private static func texts(over letters: String, upTo length: Int) -> [String] {
        var result = [""]
        var last = [""]
        for _ in 0..<length {
            last = last.flatMap { text in letters.map { text + String($0) } }
            result += last
        }
        return result
    }
}
