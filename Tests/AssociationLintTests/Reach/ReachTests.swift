import AssociationLint
import Diagnostics
import Testing

@Suite("Rules that change nothing")
struct ReachTests {
    @Test(
        "an earlier rule covers a later one",
        arguments: [
            // path of the earlier rule, path of the later one, whether it is covered
            ("*", "/x", true), ("/*", "/x/y", true), ("/*", "/", true), ("*", "*", true), ("/", "/", true),
            ("/x/*", "/x/y", true), ("/x/*", "/x/y/*", true), ("/x/*", "/x", true), ("/x/*", "/x/", true),
            ("/x/*", "x/?*", true), ("/x/*", "/xy", false), ("/x/*", "/x*", false), ("/x*", "/x/*", true),
            ("/x", "/x/*", false), ("/x/?*", "/x/*", false), ("/x/?*", "/x/y*", true), ("/x/", "/x", true),
            ("/x", "/X", false), ("*x*", "*ax*", true), ("*x", "/a/x", true), ("*/x/*", "/a/x/y", true),
            ("*/x/*", "/x/y", false), ("/*/x", "/x", false), ("/?", "/a", true), ("/??", "/a*", false),
            ("/?*", "/*?", true), ("/a*b*c", "/a?b??c", true), ("/a*b*c", "/a*c", false), ("*a*b*", "*b*a*b*", true),
            // A tail after wildcards may be left out too.
            ("*/*", "*", true), ("/x*/*", "/xa", true), ("/x*/*", "/xa/b", true), ("/x*/*", "/x*/*", true),
            ("*/*", "/", true), ("/*/*", "*a*", true), ("/a/*/*", "/a/b", true), ("/a/*/*", "/a/?*", true),
            ("/a/*/*", "/a/**", true), ("/a/*/*", "/a", false), ("/*/a/*", "*/a", true), ("*/a/*", "/*/a", true),
            ("*/a/*", "/a", false), ("/*/*/*", "/x", false), ("/*/*/*", "/*/x", true),
            ("/?/*", "/a", true), ("/$(digit)/*", "/1", true), ("/$(v)/*", "/$(v)", true), ("/$(v)/*", "/bc", true),
            ("/x/**", "/x", false), ("/x/**", "/x/y", true),
            ("/x/**", "/x/*", false), ("/x$(slash)**", "/x$(slash)*", false), ("/x/*", "/x/**", true),
            ("/x*/*", "/xa/*", true), ("/a/*/*", "/a/b*/*", true),
            // Variables
            ("/$(v)", "/a", true), ("/$(v)", "/c", false), ("/$(v)/*", "/$(v)/x", true), ("/?", "/$(v)", false),
            ("/$(v)*", "/a*", true), ("/a*", "/$(v)", false), ("/*", "/$(v)", true), ("/$(digit)", "/7", true),
            ("/$(alnum)", "/$(digit)", true), ("/$(digit)", "/$(alnum)", false), ("/??", "/$(region)", true),
            ("/$(region)", "/US", true), ("/$(region)/*", "/CH/x", true), ("/$(lang)-$(region)", "/en-US", true),
            ("/$(lang)", "/$(region)", false), ("/$(two)", "/$(v)", true), ("/$(v)", "/$(two)", false),
            ("/a*", "/$(same)", true), ("/ab*", "/$(same)", false), ("x$(tail)", "/x/y", true),
            ("/x$(opt)", "/x", true), ("/$(opt)/x", "/x", true), ("/$(slash)x", "/x", true),
            // What matches nothing is the fault of its variable.
            ("*", "/$(none)", false), ("/$(none)*", "/x", false), ("*", "/$(undefined)", false),
            // Escapes stay as they are.
            ("/caf%C3%A9/*", "/caf%C3%A9/x", true), ("/caf%c3%a9", "/caf%C3%A9", false),
            ("/caf??????", "/caf%C3%A9", true),
        ] as [(String, String, Bool)])
    func paths(earlier: String, later: String, isCovered: Bool) {
        let codes = ReachFile("{'/': '\(earlier)'}", "{'/': '\(later)'}").codes
        #expect(codes == (isCovered ? ["unreachable-rule"] : []), "\(earlier) covers \(later)")
    }

    @Test(
        "the verdicts decide the code",
        arguments: [
            (false, true, "dead-exclude"), (true, false, "blocked-include"), (false, false, "unreachable-rule"),
            (true, true, "unreachable-rule"),
        ])
    func verdicts(earlier: Bool, later: Bool, code: String) {
        let file = ReachFile(
            "{'/': '/x/*', 'exclude': \(earlier)}", "{'/': '/x/y', 'exclude': \(later)}", "{'/': '/z'}")
        #expect(file.codes == [code])
        #expect(file.earlierLines == [2])
        #expect(file.pointers == ["/applinks/details/0/components/1"])
    }

    @Test("the earliest rule that covers decides")
    func earliest() throws {
        let file = ReachFile(
            "{'/': '/x/y/*', 'exclude': true}", "{'/': '*x*'}", "{'/': '/x/*'}", "{'/': '/x/y/z'}", "{'/': '/x/a'}")
        #expect(file.codes == ["unreachable-rule", "blocked-include", "unreachable-rule"])
        #expect(
            file.messages == [
                "rule '/x/*' has no effect: '*x*' on line 3 already opens these URLs",
                "'/x/y/z' never matches: '/x/y/*' on line 2 excludes these URLs first",
                "rule '/x/a' has no effect: '*x*' on line 3 already opens these URLs",
            ])
        #expect(file.earlierLines == [3, 2, 3])
    }

    @Test(
        "query and fragment must be covered too",
        arguments: [
            // the earlier rule's and the later rule's other keys, whether it is covered
            ("", "'?': 'a=1'", true), ("'?': '*'", "'?': 'a=1'", true), ("'?': 'a=*'", "'?': 'a=1'", true),
            ("'?': 'a=1'", "", false), ("'?': 'a=*'", "'?': 'b=1'", false), ("'#': 'a*'", "'#': 'ab'", true),
            ("'#': 'a*'", "", false), ("", "'#': 'x'", true), ("'#': '?*'", "'#': '*'", false),
            ("'?': {'a': '1'}", "'?': {'a': '1'}", true), ("'?': {'a': '?*'}", "'?': {'a': '1'}", true),
            ("'?': {'a': '1'}", "'?': {'a': '?*'}", false), ("'?': {'a': '1'}", "'?': {'a': '1', 'b': '2'}", true),
            ("'?': {'a': '1', 'b': '2'}", "'?': {'a': '1'}", false), ("'?': {'a': '*'}", "", true),
            ("'?': {'a': '?*'}", "", false), ("'?': {'a': '1*'}", "'?': {'b': '1'}", false),
            ("'?': {'a': '*'}", "'?': {'b': '1'}", true), ("", "'?': {'a': '1'}", true),
            ("'?': '*'", "'?': {'a': '1'}", true), ("'?': '*a=1*'", "'?': {'a': '1'}", false),
            ("'?': {'a': '1'}", "'?': 'a=1'", false), ("'?': {'a': ''}", "'?': {'a': ''}", true),
            ("'?': {'A': '1'}", "'?': {'a': '1'}", false),
        ])
    func queries(earlier: String, later: String, isCovered: Bool) {
        let keys = [earlier, later].map { $0.isEmpty ? "" : ", " + $0 }
        let codes = ReachFile("{'/': '/x'\(keys[0])}", "{'/': '/x'\(keys[1])}").codes
        #expect(codes == (isCovered ? ["unreachable-rule"] : []), "\(earlier) covers \(later)")
    }

    @Test(
        "ways to compare",
        arguments: [
            ("'/': '/x/*', 'caseSensitive': false", "'/': '/X/Y'", true),
            ("'/': '/X/*', 'caseSensitive': false", "'/': '/x/y'", true),
            ("'/': '/x/*'", "'/': '/x/y', 'caseSensitive': false", false),
            ("'/': '/1/*'", "'/': '/1/2', 'caseSensitive': false", true),
            ("'/': '/1/*'", "'/': '/1/$(digit)', 'caseSensitive': false", true),
            ("'/': '/1/*'", "'/': '/1/$(upper)', 'caseSensitive': false", false),
            ("'/': '/1/*'", "'/': '/1/%c3', 'caseSensitive': false", false),
            ("'/': '*'", "'/': '/x', 'caseSensitive': false, 'percentEncoded': false", true),
            ("'/': '*', 'percentEncoded': false", "'/': '/x'", true),
            ("'/': '/x*', 'percentEncoded': false", "'/': '/xy'", false),
            ("'/': '/x*'", "'/': '/xy', 'percentEncoded': false", false),
            ("'/': '/é*', 'percentEncoded': false", "'/': '/éa', 'percentEncoded': false", true),
            ("'/': '/?', 'percentEncoded': false", "'/': '/é', 'percentEncoded': false", true),
            ("'/': '/??', 'percentEncoded': false", "'/': '/é', 'percentEncoded': false", false),
            (
                "'/': '/É', 'percentEncoded': false, 'caseSensitive': false",
                "'/': '/é', 'percentEncoded': false", true
            ),
            ("'/': '/é', 'percentEncoded': false", "'/': '/é', 'percentEncoded': false, 'caseSensitive': false", false),
            (
                "'/': '/日*', 'percentEncoded': false", "'/': '/日本', 'percentEncoded': false, 'caseSensitive': false",
                true
            ),
            ("'/': '*', '?': {'a': '1'}, 'caseSensitive': false", "'/': '/x', '?': {'A': '1'}", true),
            ("'/': '*', '?': {'a': '1'}", "'/': '/x', '?': {'a': '1'}, 'caseSensitive': false", false),
            ("'/': '*', '?': {'a': '1'}", "'/': '/x', '?': {'1': '1'}, 'caseSensitive': false", false),
            ("'/': '*', '?': {'1': '2'}", "'/': '/x', '?': {'1': '2'}, 'caseSensitive': false", true),
            ("'/': '*', '?': {'a': '2'}", "'/': '/x', '?': {'a': '2'}, 'caseSensitive': false", false),
            ("'/': '*', '?': {'1': 'a'}", "'/': '/x', '?': {'1': 'a'}, 'caseSensitive': false", false),
            ("'/': '*', '#': '2*'", "'/': '/x', '#': '22', 'caseSensitive': false", true),
            ("'/': '/$(region)', 'caseSensitive': false", "'/': '/us'", true),
        ])
    func comparisons(earlier: String, later: String, isCovered: Bool) {
        let codes = ReachFile("{\(earlier)}", "{\(later)}").codes
        #expect(codes == (isCovered ? ["unreachable-rule"] : []), "\(earlier) covers \(later)")
    }

    @Test(
        "what rests on a tail after wildcards is a warning, with a note",
        arguments: [
            ("*/*", "*", true), ("/*/a/*", "/*/a", true), ("/a/*/*", "/a/b/*", true), ("/$(v)/*", "/a", true),
            // These hold in either case.
            ("*/*", "/a/b", false), ("/a/*/*", "/a/b*/*", false), ("/a/*/*", "/a/*/*", false), ("/a/*", "/a", false),
        ])
    func openTails(earlier: String, later: String, isOpen: Bool) throws {
        for (excludes, code) in [(false, "dead-exclude"), (true, "blocked-include")] {
            let file = ReachFile(
                "{'/': '\(earlier)', 'exclude': \(excludes)}", "{'/': '\(later)', 'exclude': \(!excludes)}",
                "{'/': '/never', '?': 'x'}")
            let finding = try #require(file.findings.first { $0.pointer?.hasSuffix("/1") ?? false })
            #expect(finding.code.rawValue == code)
            #expect(finding.severity == (isOpen ? .warning : .error))
            let note =
                "'\(earlier)' is taken to match without its tail '/*' too; that is recorded only for a '/*' after plain text"
            #expect(finding.notes.contains(note) == isOpen)
        }
    }

    @Test("a note says when only the parent form makes it so")
    func parentNote() throws {
        let text = "'/x/*' also matches the path without its tail '/*'"
        func notes(_ earlier: String, _ later: String) throws -> [String] {
            try #require(ReachFile("{'/': '\(earlier)'}", "{'/': '\(later)'}").notes.first)
        }
        #expect(try notes("/x/*", "/x").contains(text))
        #expect(try notes("/x/*", "/x/").contains(text))
        #expect(try !notes("/x/*", "/x/y").contains(text))
        #expect(try !notes("/x/*", "/x/*/").contains(text))
        #expect(try !notes("/x/*", "/x/y/*").contains(text))
        #expect(try notes("/x/*", "/$(only)").contains(text))
        #expect(try !notes("/*", "/").contains("'/*' also matches the path without its tail '/*'"))
    }

    @Test(
        "the label of a rule shows a URL",
        arguments: [
            ("'/': '/help/x'", "https://example.com/help/x"), ("'/': '/help/*'", "https://example.com/help"),
            ("'/': '/help/?*'", "https://example.com/help/a"), ("'/': '/'", "https://example.com/"),
            ("'/': '/a', '?': {'q': '?*', 'r': '*'}", "https://example.com/a?q=a"),
            ("'/': '/a', '?': 'q=*', '#': 'top'", "https://example.com/a?q=#top"),
            ("'/': '/é b', 'percentEncoded': false", "https://example.com/%C3%A9%20b"),
            ("'/': '/$(digit)/$(region)'", "https://example.com/0/AC"), ("'/': '*/y'", "https://example.com/a/y"),
            ("'/': '/*/*'", "https://example.com/a/a"),
            ("'/': '/A', 'caseSensitive': false", "https://example.com/a"),
            ("'/': '/a', '?': {'a&b': '1'}, 'percentEncoded': false", "https://example.com/a?a%26b=1"),
        ])
    func witness(rule: String, url: String) throws {
        let finding = try #require(ReachFile("{'/': '*'}", "{\(rule)}").findings.first)
        #expect(finding.label == "e.g. \(url)")
        #expect(finding.labels.map(\.text) == ["already opens these URLs"])
    }

    @Test("legacy paths are compared, and the column is named where both are in one line")
    func legacyPaths() throws {
        let file = ReachFile(
            text: #"""
                {"applinks": {"apps": [], "details": [
                  {"appID": "A1B2C3D4E5.com.apple.a", "paths": ["/x/*", "NOT /x/y", "/z"]}]}}
                """#)
        #expect(file.codes == ["dead-exclude"])
        #expect(file.messages == ["'/x/y' is never excluded: '/x/*' on line 2, column 49, matches first"])
        #expect(file.findings.first?.label == "e.g. https://example.com/x/y still opens the app")
    }

    @Test("after a component that matches every URL by mistake, only rules of the opposite kind are reported")
    func catchAlls() {
        #expect(ReachFile("{}", "{'/': '/x'}").codes == [])
        #expect(ReachFile("{'path': '/x'}", "{'/': '/x'}").codes == [])
        #expect(ReachFile("{}", "{'/': '/x', 'exclude': true}", "{'/': '/y'}").codes == ["dead-exclude"])
    }
}
