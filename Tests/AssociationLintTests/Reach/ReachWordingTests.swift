import AssociationLint
import Diagnostics
import Testing

@Suite("What findings about reach say")
struct ReachWordingTests {
    private static func legacy(_ paths: String, besides components: String? = nil, minimumIOS: String? = nil)
        -> [Diagnostic]
    {
        let members = components.map { ", \"components\": [\($0)]" } ?? ""
        let text =
            "{\"applinks\": {\"apps\": [], \"details\": [{\"appID\": \"A1B2C3D4E5.com.shop.a\", \"paths\": [\(paths)]\(members)}]}}"
        let result = Linter(LintOptions(minimumIOS: minimumIOS.flatMap(SystemVersion.init))).check(Array(text.utf8))
        return result.diagnostics.filter { ReachFile.codes.contains($0.code.rawValue) }
    }

    @Test(
        "an entry that only excludes opens no link",
        arguments: [
            ("{'/': '/a/*', 'exclude': true}", 0, "this entry opens no link: its only rule excludes"),
            (
                "{'/': '/a/*', 'exclude': true},\n{'/': '/b', 'exclude': true}", 1,
                "this entry opens no link: all its rules exclude"
            ),
        ])
    func closed(components: String, index: Int, message: String) throws {
        let file = ReachFile(components)
        let finding = try #require(file.findings.first)
        #expect(file.codes == ["trailing-exclude"])
        #expect(file.pointers == ["/applinks/details/0/components/\(index)"])
        #expect(finding.message == message)
        #expect(finding.help == "add '{ \"/\": \"*\" }' after it, to open all other links")
        let fixed = TextEdit.apply(finding.fixIts[0].edits, to: Array(file.text.utf8))
        #expect(ReachFile(text: fixed).codes.isEmpty, "\(fixed)")
    }

    @Test("the same for paths; not for an app that other entries open, nor for one that opens nothing on purpose")
    func closedPaths() {
        #expect(
            Self.legacy(#""NOT /auth/callback/*""#).map(\.help) == ["add '\"*\"' after it, to open all other links"])
        #expect(Self.legacy(#""NOT *""#).isEmpty)
        #expect(Self.legacy(#""NOT */*""#).isEmpty)
        #expect(
            Self.legacy(#""/a", "NOT /b""#).map(\.message) == [
                "excluding '/b' has no effect: no later rule opens these URLs"
            ])
    }

    @Test("with iOS 9 '/' after '*' is not reported, and without a minimum a note names iOS 9")
    func root() {
        #expect(Self.legacy(#""*", "/""#, minimumIOS: "9.0").isEmpty)
        #expect(Self.legacy(#""/*", "/""#, minimumIOS: "9.3").isEmpty)
        let note = "only iOS 9 may need it: there '*' did not open the root of the site, as reports say"
        #expect(Self.legacy(#""*", "/""#).map(\.notes) == [[note]])
        #expect(Self.legacy(#""*", "/""#, minimumIOS: "12").map(\.notes) == [[]])
    }

    @Test("where a slash at the end decides, a note says what is known of older systems")
    func slashes() {
        let note =
            "that a '/' at the end does not count is recorded for current systems; for iOS 12 and older it is not known"
        #expect(Self.legacy(#""/open", "/open/""#).map(\.notes) == [[note]])
        #expect(Self.legacy(#""/open/", "/open""#).map(\.notes) == [[note]])
        #expect(Self.legacy(#""/open", "/open/""#, minimumIOS: "13").map(\.notes) == [[]])
        #expect(Self.legacy(#""/open*", "/open/""#).map(\.notes) == [[]])
        #expect(ReachFile("{'/': '/open'}", "{'/': '/open/'}").notes == [[]])
        // Only iOS 12 and older read these.
        let old = Self.legacy(#""/open", "NOT /open/", "/x""#, besides: #"{"/": "/y"}"#)
        #expect(old.map(\.code.rawValue) == ["dead-exclude"])
        #expect(old.map(\.severity) == [.warning])
        #expect(old.first?.notes == ["only iOS 12 and older read 'paths' beside 'components'", note])
        #expect(Self.legacy(#""/open", "NOT /open/", "/x""#).map(\.severity) == [.error])
    }

    @Test(
        "a rule that is only a star for the query or fragment is called that, and the finding says what it accepts",
        arguments: [
            ("'#': '*'", "fragment '*' on line 2", "fragment '*' also accepts a URL without a fragment"),
            ("'?': '*'", "query '*' on line 2", "query '*' also accepts a URL without a query"),
            (
                "'/': '/x', '?': {'q': '*'}", "'/x' with query 'q=*' on line 2",
                "'*' requires no item 'q': it also accepts a URL without it"
            ),
        ])
    func openConditions(earlier: String, name: String, note: String) {
        let file = ReachFile("{\(earlier)}", "{'/': '/x', 'exclude': true}", "{'/': '/y', '?': 'n'}")
        let finding = file.findings.first { $0.code.rawValue == "dead-exclude" }
        #expect(finding?.message == "'/x' is never excluded: \(name) matches first")
        #expect(finding?.notes == [note])
    }

    @Test("what a star is not the reason for has no such note")
    func otherReasons() {
        #expect(ReachFile("{'/': '/x', '?': {'q': '*'}}", "{'/': '/x', '?': {'q': 'a*'}}").notes == [[]])
        #expect(ReachFile("{'/': '*'}", "{'/': '/x'}").notes == [[]])
    }
}
