import Foundation
import TestSupport
import Testing

/// The contract of `aasa validate --fix --suggested` (validation.md, 5).
@Suite("aasa validate --fix --suggested", .waiting)
struct ValidateSuggestedFixTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
    }

    @Test("what can be fixed is counted, and suggested fixes are applied when they are asked for")
    func suggested() throws {
        try tool.write(ValidateFixTests.late, to: "file")
        let plain = try tool.run("validate", "file")
        #expect(
            plain.lastLine
                == "Found 2 errors in 1 file. Run 'aasa explain dead-exclude' for details; 1 fix available with --fix, "
                + "1 more with --fix --suggested.")
        let counts = try tool.run("validate", "--format", "json", "file").object()["fixable"] as? [String: Int]
        #expect(counts == ["automatic": 1, "suggested": 1])

        let fixed = try tool.run("validate", "--fix", "file")
        #expect(
            fixed.lastLine
                == "Fixed 1 finding. Found 1 error in 1 file. Run 'aasa explain dead-exclude' for details; 1 fix available "
                + "with --fix --suggested.")
        try tool.write(ValidateFixTests.late, to: "file")
        let all = try tool.run("validate", "--fix", "--suggested", "file")
        #expect(all.status == 0)
        #expect(all.lastLine == "Fixed 2 findings. 1 file is fine.")
        // It closes links, which is what it is for; but it is reported.
        let note = "note: file: with the fixes, links such as 'https://example.com/buy/drafts' no longer open an app\n"
        #expect(all.text.contains(note), "\(all.text)")
        #expect(all.text.contains("file:4:5: fixed: moved rule '/buy/drafts/*' above line 3 [dead-exclude]\n"))
        #expect(try tool.text("file") == ValidateFixTests.inOrder)
    }

    @Test("a suggested fix that would add an error is left, and that is reported")
    func refused() throws {
        // Moved out of 'applinks', the list is read, and has an app ID that no app can have.
        let nested = #"{"applinks":{"details":[],"webcredentials":{"apps":["com.shop.app"]}}}"#
        try tool.write(nested, to: "file")
        let before = try tool.run("validate", "file")
        try #require(before.text.contains("[nested-service]"))
        let outcome = try tool.run("validate", "--fix", "--suggested", "file")
        #expect(outcome.status == 1)
        #expect(try tool.text("file") == nested)
        #expect(
            outcome.text.contains(
                """
                note: file:1:27: not fixed: the result would have another error: app ID 'com.shop.app' is missing its Team ID \
                (application identifier prefix) [nested-service]

                """), "\(outcome.text)")
        // What was refused is not offered again.
        #expect(!outcome.lastLine.contains("available"), "\(outcome.lastLine)")
        let counts = try tool.run("validate", "--fix", "--suggested", "--format", "json", "file").object()["fixable"]
        #expect(counts as? [String: Int] == ["automatic": 0, "suggested": 0])
    }

    /// The paths of an entry after `--fix --suggested`.
    private func fixPaths(_ paths: String) throws -> (paths: String, outcome: Shell.Outcome) {
        let start = #"{"applinks":{"apps":[],"details":[{"appID":"7K3QWZ9PLM.com.shop.app","paths":"#
        try tool.write(start + paths + "}]}}", to: "file")
        let outcome = try tool.run("validate", "--fix", "--suggested", "file")
        let text = try tool.text("file")
        try #require(text.hasPrefix(start) && text.hasSuffix("}]}}"))
        return (String(text.dropFirst(start.count).dropLast(4)), outcome)
    }

    @Test("a fix that needs another one is made with it, and one that cannot be made does not keep others from it")
    func together() throws {
        let first = try fixPaths(#"["*", "NOT /admin/*", "/buy/*", "not /help"]"#)
        #expect(first.paths == #"["NOT /help", "NOT /admin/*", "*"]"#)
        #expect(
            first.outcome.text == """
                file:1:100: fixed: deleted rule '/buy/*' [unreachable-rule]
                file:1:111: fixed: wrote 'NOT ' [malformed-not]
                file:1:100: fixed: moved 'NOT /help' before '*' [dead-exclude]
                file:1:97: fixed: moved 'NOT /admin/*' before '*' [dead-exclude]

                note: file: with the fixes, links such as 'https://example.com/help' no longer open an app
                Fixed 4 findings. 1 file is fine.

                """)
        let second = try fixPaths(#"["*", "NOT https://x.com/a", "NOT /b"]"#)
        #expect(second.paths == #"["NOT /b", "NOT /a", "*"]"#)
        #expect(second.outcome.status == 0)
    }

    @Test("a service that has mistakes of its own is moved with their fixes, and so is the one beside it")
    func services() throws {
        try tool.write(
            """
            {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/a/*"}]}],
            "webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app"]},"appclips":{"apps":"7K3QWZ9PLM.com.shop.app.Clip"}}}
            """, to: "file")
        let outcome = try tool.run("validate", "--fix", "--suggested", "file")
        let lines = outcome.text.split(separator: "\n").map { $0.replacing(#/^file:\d+:\d+: /#, with: "") }
        #expect(
            lines == [
                "fixed: moved 'webcredentials' to the top level of the file [nested-service]",
                "fixed: moved 'appclips' to the top level of the file [nested-service]",
                "fixed: wrapped 'apps' in [ ] [wrong-type]", "Fixed 3 findings. 1 file is fine.",
            ])
    }
}
