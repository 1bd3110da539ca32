import Foundation
import TestSupport
import Testing

/// The failures of `route`, `test` and `diff` as programs read them (cli.md).
@Suite("commands that cannot do their work", .waiting)
struct CommandFailureTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        try tool.write(BuiltTool.sound, to: "sound")
        try tool.write("{\n\"a\": 1,}", to: "broken")
        try tool.write(#"[{"url": "https://a.example/", "opens": []}]"#, to: "cases")
        try tool.write("/a\n", to: "routes")
    }

    private static let commands = [
        ["route", "FILE", "https://a.example/"], ["test", "FILE", "cases"], ["test", "sound", "FILE"],
        ["test", "sound", "--routes", "FILE"], ["diff", "FILE", "sound"], ["diff", "sound", "FILE"],
    ]

    private func run(_ command: [String], file: String, format: String) throws -> Shell.Outcome {
        let arguments = command.map { $0 == "FILE" ? file : $0 } + ["--format", format]
        return try Shell.run([tool.executable] + arguments, in: tool.folder.url)
    }

    @Test("JSON says that a file cannot be read", arguments: commands)
    func missing(command: [String]) throws {
        let outcome = try run(command, file: "nosuch", format: "json")
        #expect(outcome.status == 66)
        #expect(outcome.errors == "error: cannot read 'nosuch': no such file or directory\n")
        let object = try outcome.object()
        #expect(object["version"] as? Int == 1)
        let error = try #require(object["error"] as? [String: Any])
        #expect(error["code"] as? String == "unreadable-file")
        #expect(error["message"] as? String == "cannot read 'nosuch': no such file or directory")
        #expect(error["path"] as? String == "nosuch")
        #expect(error["exitCode"] as? Int == 66)
        #expect((error["diagnostics"] as? [Any])?.isEmpty == true)
        let text = try run(command, file: "nosuch", format: "text")
        #expect(text.status == 66 && text.text.isEmpty && text.errors == outcome.errors)
    }

    @Test(
        "JSON says what is wrong in a file that cannot be used", arguments: commands.filter { !$0.contains("--routes") }
    )
    func broken(command: [String]) throws {
        let outcome = try run(command, file: "broken", format: "json")
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("broken:2:7: error: "))
        let object = try outcome.object()
        let error = try #require(object["error"] as? [String: Any])
        #expect(error["code"] as? String == "unusable-file")
        #expect(error["path"] as? String == "broken")
        let findings = try #require(error["diagnostics"] as? [[String: Any]])
        #expect(findings.map { $0["code"] as? String } == ["trailing-comma"])
        #expect(findings.first?["path"] as? String == "broken")
    }

    @Test("annotations and JUnit say it too", arguments: ["test", "diff"])
    func otherFormats(command: String) throws {
        let missing = try run([command, "FILE", "cases"], file: "no,such", format: "github")
        #expect(missing.text == "::error file=no%2Csuch::cannot read 'no,such': no such file or directory\n")
        let broken = try run([command, "FILE", "cases"], file: "broken", format: "github")
        #expect(broken.text.hasPrefix("::error file=broken,line=2,col=7,"))
        for (file, status) in [("no<such", Int32(66)), ("broken", 65)] {
            let outcome = try run([command, "FILE", "cases"], file: file, format: "junit")
            #expect(outcome.status == status)
            #expect(
                outcome.text.contains("<testsuites name=\"aasa \(command)\" tests=\"1\" failures=\"0\" errors=\"1\">"))
            #expect(outcome.text.contains("<error message=\""))
            #expect(!outcome.text.contains("no<such"))
        }
    }

    @Test("an option that does not fit to the file is said in JSON too")
    func usage() throws {
        try tool.write(
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/a"}]}]}}"#, to: "file")
        let outcome = try tool.run("test", "file", "--routes", "routes", "--app", "none", "--format", "json")
        #expect(outcome.status == 64)
        let object = try outcome.object()
        let error = try #require(object["error"] as? [String: Any])
        #expect(error["code"] as? String == "usage")
        #expect((error["message"] as? String)?.hasPrefix("--app: ") == true)
    }
}
