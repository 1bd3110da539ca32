import AssociationLint
import Diagnostics
import Testing

@Suite("Fixes of rules that change nothing")
struct ReachFixTests {
    @Test(
        "a list is changed like this",
        arguments: [
            (#"["/x/*", "NOT /x/y", "/z"]"#, #"["NOT /x/y", "/x/*", "/z"]"#),
            (#"["/z","/x/*","/a","NOT /x/y"]"#, #"["/z","NOT /x/y","/x/*","/a"]"#),
            ("[\n  \"NOT /x/*\",\n  \"/z\",\n  \"/x/y\"\n]", "[\n  \"/x/y\",\n  \"NOT /x/*\",\n  \"/z\"\n]"),
            (#"["/x/*", "/x/y", "/z"]"#, #"["/x/*", "/z"]"#), (#"["/x/*", "/z", "/x"]"#, #"["/x/*", "/z"]"#),
            (#"["/x", "NOT /y"]"#, #"["/x"]"#), (#"["NOT /y"]"#, #"["NOT /y", "*"]"#),
            ("[ \"NOT /y\",\n \"NOT *\"]", "[ \"NOT *\"]"),
            // Both match the same: a person has to know which is meant.
            (#"["/x", "NOT /x/", "/z"]"#, nil),
        ] as [(String, String?)])
    func fixes(list: String, expected: String?) throws {
        func text(_ list: String) -> String {
            #"{"applinks": {"apps": [], "details": [{"appID": "A1B2C3D4E5.com.apple.a", "paths": \#(list)}]}}"#
        }
        let file = ReachFile(text: text(list))
        let fix = try #require(file.findings.first).fixIts.first
        #expect(fix.map { Self.apply($0, to: file.text) } == expected.map(text))
        #expect(fix == nil || fix?.applicability == .suggested)
    }

    @Test("a component is moved with all that is in it, in front of one of its own list only")
    func components() throws {
        let file = ReachFile("{'/': '/x/*'}", "{\n  '/': '/x/y', 'exclude': true\n}", "{'/': '/z'}")
        let fix = try #require(file.findings.first?.fixIts.first)
        #expect(fix.title == "move this rule above line 2")
        let moved = ReachFile("{\n  '/': '/x/y', 'exclude': true\n}", "{'/': '/x/*'}", "{'/': '/z'}")
        #expect(Self.apply(fix, to: file.text) == moved.text)
        #expect(moved.codes == [])

        let entries = ReachFile(
            text: #"""
                {"applinks": {"apps": [], "details": [
                  {"appID": "A1B2C3D4E5.com.apple.a", "paths": ["/x/*"]},
                  {"appID": "A1B2C3D4E5.com.apple.a", "paths": ["NOT /x/y", "/z"]}]}}
                """#)
        #expect(entries.codes == ["dead-exclude"])
        #expect(entries.findings.first?.fixIts == [])
    }

    private static func apply(_ fix: FixIt, to text: String) -> String {
        var bytes = Array(text.utf8)
        for edit in fix.edits.reversed() {
            bytes.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
