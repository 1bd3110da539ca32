import Foundation
import TestSupport
import Testing

/// Suppressing by `.aasa.json` (validation.md, 4).
@Suite(".aasa.json", .waiting)
struct LintConfigurationFileTests {
    /// A warning at 1:25 and one at 1:61.
    private static let twice =
        #"{"applinks":{"details":[{"appID":"7K3QWZ9PLM.com.shop.app"},{"appID":"7K3QWZ9PLM.com.shop.beta"}]}}"#
    private static let name = "apple-app-site-association"

    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
    }

    @Test("the nearest one at or above a file counts, not beyond a .git, and the command line wins")
    func nearest() throws {
        try tool.write(#"{"severity": {"missing-rules": "off"}}"#, to: ".aasa.json")
        try tool.write(#"{"severity": {"missing-rules": "error"}}"#, to: "a/.aasa.json")
        try tool.write(BuiltTool.doubtful, to: "\(Self.name)")
        try tool.write(BuiltTool.doubtful, to: "a/x/y/\(Self.name)")
        try tool.write(BuiltTool.doubtful, to: "b/\(Self.name)")
        try tool.write(BuiltTool.doubtful, to: "c/x/\(Self.name)")
        try tool.write("", to: "c/.git/HEAD")
        let outcome = try tool.run("validate", ".")
        #expect(outcome.status == 1)
        #expect(
            outcome.findings == [
                "a/x/y/\(Self.name):1:25: error [missing-rules]", "c/x/\(Self.name):1:25: warning [missing-rules]",
            ])
        #expect(
            outcome.lastLine
                == "Found 1 error and 1 warning in 2 of 4 files. Run 'aasa explain missing-rules' for details.")

        let above = try tool.run("validate", "../y/\(Self.name)", in: "a/x/y")
        #expect(above.findings == ["../y/\(Self.name):1:25: error [missing-rules]"])
        let option = try tool.run("validate", ".", "--severity", "missing-rules=warning")
        #expect(option.status == 0)
        #expect(option.lastLine == "Found 4 warnings in 4 files. Run 'aasa explain missing-rules' for details.")
        let named = try tool.run("validate", "a", "c", "--config", ".aasa.json")
        #expect(named.status == 0)
        #expect(named.findings.isEmpty)
        let input = try tool.run("validate", "-", input: BuiltTool.doubtful, in: "a/x")
        #expect(input.findings == ["<standard input>:1:25: error [missing-rules]"])
    }

    @Test("the oldest system comes from it, or from the command line")
    func minimumIOS() throws {
        try tool.write(#"{"minimumIOS": "12.0"}"#, to: ".aasa.json")
        try tool.write(
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/a"}]}]}}"#, to: "file")
        #expect(try tool.run("validate", "file").text.contains("[needs-newer-os]"))
        #expect(try !tool.run("validate", "file", "--minimum-ios", "14.0").text.contains("[needs-newer-os]"))
    }

    @Test("an ignore is narrowed by globs and pointers, and one that was of no use is told")
    func ignores() throws {
        try tool.write(
            """
            {"ignore": [
              {"code": "missing-rules", "path": "old/**", "pointer": "/applinks/details/1", "reason": "of old"},
              {"code": "missing-rules", "path": "one/*/\(Self.name)", "reason": "in one"},
              {"code": "unknown-key", "path": "old/**", "reason": "mended"},
              {"code": "unknown-key", "path": "gone/**", "reason": "no such file was checked"}
            ]}
            """, to: ".aasa.json")
        for folder in ["old/a/b", "one/a", "one/a/b"] { try tool.write(Self.twice, to: "\(folder)/\(Self.name)") }
        let outcome = try tool.run("validate", ".")
        #expect(outcome.status == 0)
        #expect(
            outcome.findings == [
                ".aasa.json:4:3: warning [unused-suppression]",
                "old/a/b/\(Self.name):1:25: warning [missing-rules]",
                "one/a/b/\(Self.name):1:25: warning [missing-rules]",
                "one/a/b/\(Self.name):1:61: warning [missing-rules]",
            ])
        #expect(outcome.text.contains("= note: the entry's reason is 'mended'"))

        #expect(try tool.run("validate", "one/a/\(Self.name)").text == "1 file is fine (2 findings ignored).\n")
        let sarif = try tool.run("validate", "old", "--format", "sarif").object()
        let results = try #require((sarif["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
        let suppressed = results.filter { ($0["suppressions"] as? [Any])?.isEmpty == false }
        #expect(results.count == 3 && suppressed.count == 1)
        let suppression = try #require((suppressed.first?["suppressions"] as? [[String: String]])?.first)
        #expect(suppression == ["kind": "external", "justification": "of old"])
    }

    @Test("an ignore is not of no use where nobody could see: broken files, and codes that are off")
    func unused() throws {
        try tool.write(#"{"ignore": [{"code": "missing-rules", "reason": "r"}]}"#, to: ".aasa.json")
        try tool.write("{]", to: "broken")
        try tool.write(BuiltTool.doubtful, to: "doubtful")
        try tool.write(BuiltTool.sound, to: "sound")
        #expect(try !tool.run("validate", "broken").text.contains("unused"))
        #expect(try !tool.run("validate", "sound", "--disable", "missing-rules").text.contains("unused"))
        #expect(try !tool.run("validate", "sound", "doubtful").text.contains("unused"))
        #expect(try tool.run("validate", "sound").findings == [".aasa.json:1:13: warning [unused-suppression]"])
        let off = try tool.run("validate", "sound", "--strict", "--disable", "unused-suppression")
        #expect(off.status == 0)
    }

    @Test("its own mistakes are findings, and keep nothing else from counting")
    func mistakes() throws {
        try tool.write(
            """
            {"severity": {"missing-rules": "error", "extra-comma": "off"}, "Ignore": [],
             "ignore": [{"code": "missing-rules"},
                        {"code": "missing-rule", "reason": "r"},
                        {"code": "missing-rules", "path": 7, "reason": "r"}]}
            """, to: ".aasa.json")
        try tool.write(BuiltTool.doubtful, to: "file")
        let outcome = try tool.run("validate", "file")
        #expect(outcome.status == 1)
        #expect(
            outcome.findings == [
                ".aasa.json:1:41: error [invalid-config-value]", ".aasa.json:1:64: error [unknown-config-key]",
                ".aasa.json:2:13: error [invalid-config-value]", ".aasa.json:3:22: error [invalid-config-value]",
                ".aasa.json:4:47: error [invalid-config-value]", "file:1:25: error [missing-rules]",
            ])
        #expect(
            outcome.lastLine.hasPrefix("Found 1 error in 1 file, and 5 errors in 1 configuration. Run 'aasa explain "))
        #expect(outcome.text.contains("'extra-comma' is a syntax error and cannot be suppressed"))
        #expect(outcome.text.contains("unknown code 'missing-rule'; did you mean 'missing-rules'?"))
        #expect(outcome.text.contains("this entry has no 'reason'"))

        let milder = try tool.run(
            "validate", "file", "--severity", "invalid-config-value=warning", "--disable", "unknown-config-key")
        #expect(milder.lastLine.hasPrefix("Found 1 error in 1 file, and 4 warnings in 1 configuration. Run "))
        try tool.write(#"{"severity": {"missing-rules": "error",}"#, to: ".aasa.json")
        let broken = try tool.run("validate", "file")
        #expect(
            broken.findings == [
                ".aasa.json:1:1: error [unclosed-bracket]", ".aasa.json:1:39: error [trailing-comma]",
                "file:1:25: warning [missing-rules]",
            ])
    }

    @Test("one that is named has to be there")
    func missing() throws {
        try tool.write(BuiltTool.sound, to: "file")
        let missing = try tool.run("validate", "file", "--config", "none.json")
        #expect(missing.status == 66)
        #expect(missing.errors == "error: cannot read the configuration 'none.json': no such file or directory\n")
        let folder = try tool.run("validate", "file", "--config", ".git")
        #expect(folder.status == 66)
        #expect(folder.errors == "error: cannot read the configuration '.git': is a directory\n")
    }
}
