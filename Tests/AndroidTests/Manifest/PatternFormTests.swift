import Android
import Testing

/// The forms of patterns, as Android's own reader of them behaves.
@Suite("Forms of patterns in manifests")
struct PatternFormTests {
    static let globs: [(pattern: String, text: String, matches: Bool)] = [
        ("", "", true), ("", "/", false), ("/a", "/a", true), ("/a", "/ab", false), ("/ab", "/a", false),
        // `.` is one character, whatever it is.
        ("/.", "/a", true), ("/.", "/", false), ("/.b", "/ab", true), ("/a.c", "/a/c", true), (".", "ü", true),
        // `c*` takes all `c` that follow.
        ("/a*b", "/b", true), ("/a*b", "/aaab", true), ("/a*b", "/aac", false), ("/a*ab", "/aab", false),
        ("/ab*", "/a", false), ("/ab*", "/ab", true), ("/ab*", "/abbb", true),
        // `.*` goes to the first place where the next character is, and stays there.
        ("/.*", "/", true), ("/.*", "/a/b", true), ("/a.*", "/a", true), (".*", "", true), ("/.*b", "/ab", true),
        ("/.*b", "/abb", false), ("/.*/b", "/a/b", true), ("/.*/b", "/a/c/b", false), ("/.*bc", "/abxbc", false),
        (".*a.*b", "xayb", true), (".*a.*b", "xay", false), ("/.*b.*", "/xby", true), ("/.*b.*", "/xb", true),
        (".*..*", "", false), (".*..*", "a.b", true),
        // A backslash takes the meaning away, also of a full stop.
        (#"/a\*"#, "/a*", true), (#"/a\*"#, "/aa", false), (#"/a\.b"#, "/a.b", true), (#"/a\.b"#, "/axb", false),
        (#"/\\"#, #"/\"#, true), (#"/.*\.html"#, "/x.html", true), (#"/.*\.html"#, "/x.y.html", false),
        (#"/a\"#, #"/a\"#, false), (#"/a\**"#, "/a***", true), (#"/\.*"#, "/...", true), (#"/\.*"#, "/ab", false),
    ]

    @Test("pathPattern", arguments: globs)
    func glob(pattern: String, text: String, matches: Bool) {
        #expect(AndroidGlob(pattern).matches(text) == matches)
    }

    static let advanced: [(pattern: String, text: String, matches: Bool)] = [
        ("", "", true), ("", "a", false), ("/a", "/a", true), ("/a", "/b", false), ("/.", "/ü", true),
        ("/[a-z]+", "/abc", true), ("/[a-z]+", "/", false), ("/[a-z]+", "/aB", false), ("/[a-zA-Z0-9]*", "/aB9", true),
        ("/[^0-9]+", "/abc", true), ("/[^0-9]+", "/a1", false), ("/[abc]", "/b", true), ("/[a-]", "/-", true),
        ("/[a-]", "/b", false), ("/[-a]", "/-", true), ("/[z-a]", "/m", false), ("/[^z-a]", "/m", true),
        (#"/[\]]"#, "/]", true), (#"/[a-\]]"#, "/_", false), (#"/[\[-\]]"#, #"/\"#, true), ("/[*.+{]+", "/{+*.", true),
        ("/[[]", "/[", true), ("/a*", "/", true), ("/a*", "/aaa", true), ("/a+", "/", false), ("/a+", "/aa", true),
        ("/a{2}", "/a", false), ("/a{2}", "/aa", true), ("/a{2}", "/aaa", false), ("/a{2,}", "/aaaa", true),
        ("/a{2,}", "/a", false), ("/a{1,3}", "/aaa", true), ("/a{1,3}", "/aaaa", false), ("/a{0,1}b", "/b", true),
        ("/.{3}", "/abc", true), ("/[0-9]{2,3}", "/12", true), ("/[0-9]{2,3}", "/1", false),
        // Nothing is given back.
        ("/a*a", "/aa", false), ("/.*b", "/ab", false), ("/[a-z]*z", "/az", false), ("/[a-y]*z", "/az", true),
        (#"/a\*"#, "/a*", true), (#"/a\.b"#, "/axb", false), (#"/a\.b"#, "/a.b", true), ("/a}", "/a", true),
        ("/a]", "/a]", true),
    ]

    @Test("pathAdvancedPattern", arguments: advanced)
    func advancedGlob(pattern: String, text: String, matches: Bool) throws {
        let glob = try #require(AdvancedGlob(pattern))
        #expect(glob.matches(text) == matches)
    }

    @Test(
        "a malformed pathAdvancedPattern is no pattern",
        arguments: [
            "*", "+a", "{2}", "a**", "a+*", "a{2}{3}", "a{2}+", "[]", "[^]", "[", "[a", "[a-z", "a{", "a{2", "a{}",
            "a{x}",
            "a{3,2}", "a{1,x}", #"a\"#, #"[\"#, #"[a\]"#, String(repeating: "a", count: 3_000),
        ])
    func malformed(pattern: String) {
        #expect(AdvancedGlob(pattern) == nil)
    }
}
