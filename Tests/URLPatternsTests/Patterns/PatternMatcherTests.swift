import Testing
import URLPatterns

@Suite("The plain matcher")
struct PatternMatcherTests {
    private static let variables = SubstitutionVariables([
        SubstitutionVariable(name: "ab", values: ["a", "ab"]), SubstitutionVariable(name: "opt", values: ["", "x"]),
        SubstitutionVariable(name: "tail", values: ["/*"]), SubstitutionVariable(name: "slash", values: ["/", "//"]),
        SubstitutionVariable(name: "star", values: ["*"]), SubstitutionVariable(name: "ends", values: ["/a/", "b/*"]),
        SubstitutionVariable(name: "none", values: []),
        SubstitutionVariable(name: "segment", elements: [.segmentCharacter, .segmentRun]),
        SubstitutionVariable(name: "run", elements: [.segmentRun]),
    ])

    @Test(
        "a pattern covers a whole text",
        arguments: [
            ("", "", true), ("", "a", false), ("a", "", false), ("a", "a", true), ("a", "ab", false),
            ("b", "ab", false),
            ("*", "", true), ("*", "a/b", true), ("a*", "a", true), ("a*", "ba", false), ("*a", "a", true),
            ("*a", "ab", false),
            ("a*b*c", "abc", true), ("a*b*c", "axbxbxc", true), ("a*b*c", "acb", false), ("**", "", true),
            ("a**b", "ab", true),
            ("?", "", false), ("?", "a", true), ("?", "ab", false), ("?", "/", true), ("?*", "", false),
            ("?*", "ab", true),
            ("*?", "a", true), ("a?c", "abc", true), ("*ab", "aab", true), ("*aab", "aaab", true), ("/a/", "a", false),
            ("/x/*", "/x", false), ("aba*aba", "ababa", false), ("$(digit)?", "1a", true), ("$(digit)", "a", false),
            ("$(ab)c", "abc", true), ("$(ab)bc", "abc", true), ("$(ab)$(ab)", "aba", true), ("x$(opt)y", "xy", true),
            ("x$(opt)y", "xxy", true), ("$(none)", "", false), ("*$(none)*", "abc", false), ("$(star)b", "ab", true),
            ("$(slash)", "/", true), ("$(segment)", "", false), ("$(segment)", "ab", true),
            ("$(segment)", "a/b", false),
            ("$(segment)", "/", false), ("$(run)", "", true), ("$(run)/$(run)", "ab/", true),
            ("$(run)/$(run)", "a/b/c", false), ("*$(run)b", "a/b/ccb", true), ("*$(run)", "a/", true),
            ("a*$(segment)", "a/", false), ("$(run)$(run)x", "abx", true),
        ] as [(String, String, Bool)])
    func texts(pattern: String, text: String, expected: Bool) {
        #expect(PatternMatcher.matches(Self.parse(pattern), Array(text.utf8), percentEncoded: true) == expected)
    }

    @Test(
        "slashes at the ends of a path pattern do not count, those that variables make among them",
        arguments: [
            ("", "", true), ("", "/", true), ("", "a", false), ("/", "", true), ("//", "/", true), ("/a", "a", true),
            ("a/", "/a//", true),
            ("//a//", "a", true), ("/a/b", "a//b", false), ("/a//b", "/a//b", true), ("*", "/", true), ("/*", "", true),
            ("/*", "a", true),
            ("/x/*", "x", true), ("/x/*", "x/", true), ("/x/*", "x/y", true), ("/x/*", "xy", false),
            ("/x//*", "x", true),
            ("/x//*", "x/y", false), ("/x/*/", "x", true), ("/x/**", "x", false), ("/x/?*", "x", false),
            ("*/x", "x", false), ("*/x", "a/x", true),
            ("/*/x", "x", false), ("/*/*", "x", true), ("/?", "/", false), ("/??", "a/", false), ("x/*y", "x/y", true),
            ("x/*y", "x", false),
            ("x$(tail)", "x", true), ("x$(tail)", "x/y", true), ("x$(tail)", "xy", false), ("x$(slash)*", "x", true),
            ("x$(slash)$(star)", "x", true),
            ("x$(slash)$(star)", "x/y", true), ("$(slash)x", "x", true), ("x$(slash)", "x", true),
            ("x$(slash)y", "x//y", true),
            ("$(slash)", "", true), ("x$(opt)", "x", true), ("x/$(opt)", "x", true), ("x/$(opt)*", "x", true),
            ("x/*$(opt)", "x", true),
            ("x/*$(opt)", "x/yx", true), ("$(opt)/y", "y", true), ("$(opt)/y", "x/y", true), ("$(ends)", "a", true),
            ("$(ends)", "b", true),
            ("$(ends)", "b/c", true), ("$(ends)", "a/c", false), ("z$(ends)", "z/a", true), ("x/$(none)", "x", false),
            ("$(none)", "", false), ("/$(segment)", "", false), ("/$(segment)", "/a/", true),
            ("/x/$(segment)", "x", false), ("/x/$(run)", "x", false), ("/x/$(run)", "x/y", true),
            ("/x/$(segment)/*", "x/y", true), ("/x/$(segment)/*", "x", false), ("/$(segment)/x", "a//x", false),
            ("$(run)x", "/x", true), ("x/*$(run)", "x", false), ("x/$(run)*", "x", false),
        ] as [(String, String, Bool)])
    func paths(pattern: String, path: String, expected: Bool) {
        #expect(PatternMatcher.matchesPath(Self.parse(pattern), Array(path.utf8), percentEncoded: true) == expected)
    }

    @Test(
        "of decoded text a question mark takes one scalar, or a byte that belongs to none",
        arguments: [
            ([0xC3, 0xA9], 1), ([0xE6, 0x97, 0xA5], 1), ([0xF0, 0x9F, 0x98, 0x80], 1), ([0x65, 0xCC, 0x81], 2),
            ([0xFF], 1),
            ([0xC3], 1), ([0xC3, 0xC3, 0xA9], 2), ([0xE6, 0x97], 2), ([0xED, 0xA0, 0x80], 3), ([0x61, 0xFF, 0x62], 3),
        ] as [([UInt8], Int)])
    func scalars(text: [UInt8], count: Int) {
        for number in 0...4 {
            let pattern = Array(repeating: PatternElement.anyCharacter, count: number)
            #expect(PatternMatcher.matches(pattern, text, percentEncoded: false) == (number == count))
            #expect(PatternMatcher.matches(pattern, text, percentEncoded: true) == (number == text.count))
            let segment = Array(repeating: PatternElement.segmentCharacter, count: number) + [.segmentRun]
            #expect(PatternMatcher.matches(segment, text, percentEncoded: false) == (number <= count))
            #expect(PatternMatcher.matches(segment, text, percentEncoded: true) == (number <= text.count))
            for place in 0...number {
                var withStar = pattern
                withStar.insert(.anyRun, at: place)
                #expect(PatternMatcher.matches(withStar, text, percentEncoded: false) == (number <= count))
                #expect(PatternMatcher.matches(withStar, text, percentEncoded: true) == (number <= text.count))
            }
        }
    }

    @Test(
        "a pattern that would have others try again and again ends soon",
        arguments: [
            (String(repeating: "a*", count: 30) + "b", String(repeating: "a", count: 1_000)),
            ("*" + String(repeating: "?*", count: 30) + "b", String(repeating: "a", count: 1_000)),
            (String(repeating: "*a", count: 30) + "*b*", String(repeating: "ab", count: 500) + "c"),
            (String(repeating: "$(ab)", count: 30) + "c", String(repeating: "a", count: 60)),
            (String(repeating: "$(opt)", count: 50), String(repeating: "x", count: 51)),
            (String(repeating: "$(star)", count: 50) + "b", String(repeating: "a", count: 500)),
            (String(repeating: "$(segment)", count: 50) + "b", String(repeating: "a", count: 500)),
        ])
    func adversarial(pattern: String, text: String) {
        let elements = Self.parse(pattern)
        let expected = text.hasSuffix("c")  // Only the third pair matches: a star is its end.
        #expect(PatternMatcher.matches(elements, Array(text.utf8), percentEncoded: true) == expected)
        #expect(PatternMatcher.matchesPath(elements, Array(text.utf8), percentEncoded: true) == expected)
    }

    private static func parse(_ pattern: String) -> [PatternElement] {
        let comparison = Comparison(caseSensitive: true, percentEncoded: true)
        return PatternParser(variables: variables, comparison: comparison).parse(pattern)
    }
}
