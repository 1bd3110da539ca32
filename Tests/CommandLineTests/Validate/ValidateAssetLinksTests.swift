import Foundation
import TestSupport
import Testing

/// The treatment of Android's asset links files by `aasa`.
@Suite("aasa validate: asset links", .waiting)
struct ValidateAssetLinksTests {
    private static let target = #""target": {"namespace": "web", "site": "https://shop.example"}"#
    private static let sound = #"[{"relation": ["delegate_permission/common.get_login_creds"], \#(target)}]"#
    /// A warning at 2:15.
    private static let doubtful = """
        [{"include": "https://shop.example/more.json"},
         {"relation": "delegate_permission/common.handle_all_urls", \(target)}]
        """

    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
    }

    @Test("a file is checked as what its name says, or its content")
    func kinds() throws {
        try tool.write(Self.sound, to: "assetlinks.json")
        try tool.write(Self.sound, to: "statements.json")
        try tool.write(Self.sound, to: "apple-app-site-association")
        try tool.write("{}", to: "x/assetlinks.json")
        let outcome = try tool.run(
            "validate", "assetlinks.json", "statements.json", "apple-app-site-association", "x/assetlinks.json")
        #expect(outcome.status == 1)
        #expect(
            outcome.findings == [
                "apple-app-site-association:1:1: error [android-asset-links]",
                "x/assetlinks.json:1:1: error [no-statement-list]",
            ])
        #expect(
            outcome.lastLine == "Found 2 errors in 2 of 4 files. Run 'aasa explain android-asset-links' for details.")
        #expect(try tool.run("validate", "-", input: Self.sound).status == 0)
        // One statement, without the array around it.
        #expect(
            try tool.run("validate", "-", input: String(Self.sound.dropFirst().dropLast())).findings == [
                "<standard input>:1:1: error [android-asset-links]"
            ])
        #expect(
            try tool.run("validate", "-", input: "[{}]").findings == ["<standard input>:1:1: error [not-an-object]"])
    }

    @Test("--kind says what all files are")
    func kindOption() throws {
        try tool.write(Self.sound, to: "apple-app-site-association")
        try tool.write("[]", to: "list")
        #expect(try tool.run("validate", "--kind", "assetlinks", "apple-app-site-association").status == 0)
        #expect(
            try tool.run("validate", "--kind=assetlinks", "list").findings == [
                "list:1:1: warning [empty-statement-list]"
            ])
        #expect(try tool.run("validate", "--kind", "aasa", "list").findings == ["list:1:1: error [not-an-object]"])
        #expect(
            try tool.run("validate", "--kind", "aasa", "-", input: Self.sound).findings == [
                "<standard input>:1:1: error [android-asset-links]"
            ])
        let unknown = try tool.run("validate", "--kind", "plist", "list")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("'aasa', 'assetlinks' or 'manifest'"))
    }

    @Test("a folder is searched for both kinds of files")
    func folders() throws {
        try tool.write(Self.doubtful, to: "site/.well-known/assetlinks.json")
        try tool.write(BuiltTool.faulty, to: "site/.well-known/apple-app-site-association")
        try tool.write(Self.doubtful, to: "site/links.json")
        let outcome = try tool.run("validate", "site")
        #expect(
            outcome.findings == [
                "site/.well-known/apple-app-site-association:1:28: error [invalid-app-id]",
                "site/.well-known/assetlinks.json:2:15: warning [invalid-relation]",
            ])
        #expect(
            outcome.lastLine
                == "Found 1 error and 1 warning in 2 files. Run 'aasa explain invalid-app-id' for details; 1 fix available "
                + "with --fix --suggested.")
    }

    @Test("--strict, --disable, --severity and .aasa.json hold for them")
    func settings() throws {
        try tool.write(Self.doubtful, to: "assetlinks.json")
        #expect(try tool.run("validate", "assetlinks.json").status == 0)
        #expect(try tool.run("validate", "--strict", "assetlinks.json").status == 1)
        #expect(try tool.run("validate", "--severity", "invalid-relation=error", "assetlinks.json").status == 1)
        #expect(try tool.run("validate", "--disable", "invalid-relation", "assetlinks.json").findings.isEmpty)
        try tool.write(
            #"{"ignore": [{"code": "invalid-relation", "path": "assetlinks.json", "pointer": "/1", "reason": "old"}]}"#,
            to: ".aasa.json")
        #expect(try tool.run("validate", "--strict", "assetlinks.json").status == 0)
        try tool.write(Self.sound, to: "assetlinks.json")
        #expect(
            try tool.run("validate", "assetlinks.json").findings == [".aasa.json:1:13: warning [unused-suppression]"])
    }

    @Test("all formats report them", arguments: ["json", "jsonl", "sarif", "github"])
    func formats(format: String) throws {
        try tool.write(Self.doubtful, to: "assetlinks.json")
        let outcome = try tool.run("validate", "--format", format, "assetlinks.json")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("invalid-relation") && outcome.text.contains("assetlinks.json"))
    }

    @Test("--fix fixes their syntax, in the file and as a filter")
    func fix() throws {
        let broken = Self.sound.dropLast() + ",]"
        try tool.write(String(broken), to: "assetlinks.json")
        let outcome = try tool.run("validate", "--fix", "assetlinks.json")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("fixed: deleted the comma [trailing-comma]"))
        #expect(try tool.text("assetlinks.json") == Self.sound)
        #expect(try tool.run("validate", "--fix", "-", input: String(broken)).text == Self.sound)
    }

    @Test("diff names two files for different platforms", arguments: ["assetlinks.json", "links"])
    func others(name: String) throws {
        try tool.write(Self.sound, to: name)
        try tool.write(BuiltTool.sound, to: "file")
        for arguments in [["diff", name, "file"], ["diff", "file", name]] {
            let outcome = try Shell.run(
                [RunningServer.executable] + arguments, in: tool.folder.url)
            #expect(outcome.status == 64, "\(arguments)")
            #expect(outcome.text.isEmpty)
            #expect(
                outcome.errors.contains("'\(arguments[1])' and '\(arguments[2])' are files for different platforms"))
            #expect(
                outcome.errors.contains("help: to see which links open on one platform only: aasa diff --platforms"))
        }
    }

    @Test("one that is not a list is named by its name", arguments: ["{}", #"{"statements": []}"#])
    func withoutList(text: String) throws {
        try tool.write(text, to: "assetlinks.json")
        let outcome = try tool.run("route", "assetlinks.json", "https://shop.example/")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("[no-statement-list]"))
    }
}
