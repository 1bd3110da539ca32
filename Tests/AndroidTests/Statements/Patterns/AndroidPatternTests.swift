import Android
import Testing
import URLPatterns

@Suite("Patterns of dynamic rules")
struct AndroidPatternTests {
    @Test(
        "without backtracking a pattern matches what Android's documentation and source say",
        arguments: AndroidPatternCase.all)
    func withoutBacktrackingAPatternMatchesWhat(
        _ sample: AndroidPatternCase
    ) throws {
        var budget = WorkBudget.unlimited
        let pattern = AndroidPattern(sample.pattern)
        #expect(pattern.matches(Array(sample.text.utf16), reading: .android, &budget) == sample.matches)
        // Its automaton says the same.
        let automaton = pattern.automaton(reading: .android)
        #expect(automaton.accepts(sample.text) == sample.matches)
    }

    @Test(
        "with backtracking a star is any run of characters",
        arguments: [
            ("*bar", "barfoobar", true), ("*bar", "abcbar", true), ("foo*bar", "foobarbar", true),
            ("foo*.bar", "foo.bar.bar", true), ("foo?*bar", "foobar", false), ("foo?*bar", "foo.bar.bar", true),
            ("foo*?bar", "foobarbar", true), ("foo*?bar", "foobar", false), ("*/terms/*", "/en/terms/x", true),
            ("a**b", "ab", true), ("a**b", "axyb", true), ("*", "", true), ("**", "", true), ("?", "", false),
            ("fo?b*r", "foobrr", true), ("a*", "b", false), ("", "", true), ("", "a", false), ("?", "😀", false),
        ])
    func withBacktrackingAStarIsAny(pattern: String, text: String, matches: Bool) throws {
        var budget = WorkBudget.unlimited
        let pattern = AndroidPattern(pattern)
        #expect(pattern.matches(Array(text.utf16), reading: .backtracking, &budget) == matches)
        #expect(pattern.automaton(reading: .backtracking).accepts(text) == matches)
    }

    @Test(
        "the readings of a pattern agree",
        arguments: [
            "/*/*", "/a*", "*c*", "/a?*", "/x", "*", "/?", "/*", "/a/*/*", "*a*b*", "/buy/????", "*a?*", "?*",
        ])
    func theReadingsOfAPatternAgree(_ text: String) {
        let pattern = AndroidPattern(text)
        #expect(!pattern.readingsDiffer)
        var budget = WorkBudget.unlimited
        #expect(pattern.lostText(&budget) == nil)
        #expect(pattern.losingStar == nil)
    }

    @Test(
        "a pattern that stops early has a shortest text that it loses",
        arguments: [
            ("/a/*/b", "/a///b", 3), ("*/terms/*", "//terms/", 0), ("*bar", "bbar", 0), ("foo*bar", "foobbar", 3),
            ("/*/a*", "///a", 1), ("/a*b*c", "/abcc", 4), ("/*ab*", "/aab", 1), ("*a?b*", "aaab", 0),
            ("/*a/*b/x*", "/aa/b/x", 1),
        ])
    func aPatternThatStopsEarlyHas(
        text: String, lost: String, star: Int
    ) throws {
        let pattern = AndroidPattern(text)
        #expect(pattern.readingsDiffer)
        var budget = WorkBudget.unlimited
        let found = try #require(pattern.lostText(&budget))
        #expect(found.utf16.count == lost.utf16.count)
        for text in [found, lost] {
            #expect(pattern.matches(Array(text.utf16), reading: .backtracking, &budget) == true)
            #expect(pattern.matches(Array(text.utf16), reading: .android, &budget) == false)
        }
        #expect(pattern.losingStar == star)
    }

    @Test("a lost text of a path begins with a slash where there is one")
    func aLostTextOfAPath() throws {
        var budget = WorkBudget.unlimited
        let slash = UInt16(UInt8(ascii: "/"))
        let lost = try #require(AndroidPattern("*bar").lostText(beginningWith: slash, &budget))
        #expect(lost.hasPrefix("/"))
    }

    @Test("a comparison stops when its budget is spent")
    func aComparisonStopsWhenItsBudget() {
        let pattern = AndroidPattern("*a*a*a*a*a*b")
        let text = Array(String(repeating: "a", count: 10_000).utf16)
        var budget = WorkBudget(1_000)
        #expect(pattern.matches(text, reading: .backtracking, &budget) == nil)
        #expect(pattern.matches(text, reading: .android, &budget) == nil)
    }
}

extension PatternAutomaton {
    func accepts(_ text: String) -> Bool {
        var states = Set(starts)
        for unit in text.utf16 {
            states = Set(
                states.flatMap { state in
                    edges(from: state).filter { $0.label.contains(UInt32(unit)) }.map(\.target)
                })
        }
        return states.contains { isAccepting($0) }
    }
}

/// A verdict of Android's documentation, source or public tests about a pattern and a text.
struct AndroidPatternCase: CustomTestStringConvertible {
    let pattern: String
    let text: String
    let matches: Bool

    var testDescription: String { "'\(pattern)' \(matches ? "matches" : "does not match") '\(text)'" }

    private static let table: [(pattern: String, yes: [String], no: [String])] = [
        ("*bar", ["bar", "foo.bar"], ["barfoobar", "abcbar"]),
        ("foo*bar", ["foobar", "foofoobar"], ["foobarbar"]),
        ("foo*.bar", ["foobar.bar", "foo.bar"], ["foo.bar.bar", "foobar"]),
        ("foo?*bar", ["foobarbar", "foodbar"], ["foobar", "foo.bar.bar"]),
        ("foo*?bar", ["foofoo.bar", "foo.bar"], ["foobarbar", "foobar", "foo..bar"]),
        ("fo?b*r", ["foobar", "fobbbbr"], ["foobrr"]),
        ("/*/*", ["/a/", "/a/b", "/a/b/c", "//"], ["/a", "/"]),
        ("*/terms/*", ["/terms/x", "/terms/"], ["/en/terms/x", "/terms"]),
        ("*", ["", "a", "/a?b"], []),
        ("?", ["a", "?", "/"], ["", "ab", "😀"]),
        ("??", ["ab", "😀"], ["a", "abc"]),
        ("?*", ["a", "ab"], [""]),
        ("?*?", [], ["ab", "abc"]),
        ("?*?.", [], ["ab."]),
        ("?*?", ["a.", "ab."], ["."]),
        ("/x", ["/x"], ["/x/", "/X", "/xx", "", "x"]),
        ("/x/*", ["/x/", "/x/y", "/x/y/z"], ["/x"]),
        ("/a.b", ["/a.b"], ["/axb"]),
        ("/a.*", ["/a.", "/a.b"], ["/ab"]),
        ("**", [".*", "ab.*"], ["", ".", "a", "..*", ".*a"]),
        ("a**b", ["a.*b", "ax.*b"], ["ab", "axb", "a..*b"]),
        ("***", [".*", ".*x", "a.*bc"], ["", "x", "..*"]),
        ("*?*", [".", "a.b", "a."], ["", "ab"]),
        (#"a\*b"#, [#"a\b"#, #"a\xb"#], ["a*b", "ab"]),
        (#"\."#, [#"\."#], ["."]),
        ("*%20*", ["%20", "a%20"], [" ", "%%20"]),
        ("[a-z]+", ["[a-z]+"], ["a", "ab"]),
        ("$(lang)", ["$(lang)"], ["en"]),
        ("é", ["é"], ["e\u{301}", "e"]),
        ("a*😀", ["a😀", "ab😀"], ["a"]),
    ]

    static let all = table.flatMap { row in
        row.yes.map { AndroidPatternCase(pattern: row.pattern, text: $0, matches: true) }
            + row.no.map { AndroidPatternCase(pattern: row.pattern, text: $0, matches: false) }
    }
}
