import Foundation
import TestSupport
import Testing

/// The machine-readable formats of `aasa validate` (cli.md; validation.md, 6).
@Suite("formats of aasa validate", .waiting)
struct ValidateFormatTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        try tool.write(
            """
            {
              "webcredentials": {
                "apps": ["com.shop.app" , ]
              }
            }
            """, to: "file")
    }

    private func rules() throws -> [[String: Any]] {
        try #require(tool.run("rules", "--format", "json").object()["rules"] as? [[String: Any]])
    }

    @Test("SARIF has all rules, and results that refer to them")
    func sarif() throws {
        try tool.write(
            #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.é", "7K3QWZ9PLM.com.shop.é",]}}"#, to: "sub dir/a:b")
        let log = try tool.run("validate", "--format", "sarif", "a:b", in: "sub dir").object()
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        #expect(run["columnKind"] as? String == "unicodeCodePoints")
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "aasa")

        let described = try #require(driver["rules"] as? [[String: Any]])
        let rules = try rules()
        #expect(described.map { $0["id"] as? String } == rules.map { $0["code"] as? String })
        for (rule, own) in zip(described, rules) {
            #expect((rule["properties"] as? [String: Any])?["basis"] as? [String] == own["basis"] as? [String])
        }

        let results = try #require(run["results"] as? [[String: Any]])
        #expect(
            results.map { $0["ruleId"] as? String } == [
                "odd-bundle-id", "duplicate-app-id", "odd-bundle-id", "trailing-comma",
            ])
        #expect(results.map { $0["level"] as? String } == ["warning", "warning", "warning", "error"])
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(described[index]["id"] as? String == result["ruleId"] as? String)
            let place = try #require(
                (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
            // The root is that of the repository, not the working directory.
            #expect(
                place["artifactLocation"] as? [String: String] == ["uri": "sub%20dir/a%3Ab", "uriBaseId": "%SRCROOT%"])
        }
    }

    @Test("a file that cannot be read is a finding in every format, and counts", arguments: ["nosuch", "empty"])
    func unreadable(path: String) throws {
        try FileManager.default.createDirectory(
            at: tool.folder.url.appendingPathComponent("empty"), withIntermediateDirectories: true)
        func run(_ format: String) throws -> Shell.Outcome {
            let outcome = try tool.run("validate", "--format", format, path, "file")
            #expect(outcome.status == 66)
            #expect(outcome.errors.hasPrefix("error: "))
            return outcome
        }
        let json = try run("json").object()
        let findings = try #require(json["diagnostics"] as? [[String: Any]])
        #expect(findings.filter { $0["code"] as? String == "unreadable-file" }.map { $0["path"] as? String } == [path])
        #expect(json["summary"] as? [String: Int] == ["errors": 3, "files": 2, "warnings": 0])
        #expect(try run("jsonl").text.contains(#""code":"unreadable-file""#))
        let sarif = try #require((run("sarif").object()["runs"] as? [[String: Any]])?.first)
        let results = try #require(sarif["results"] as? [[String: Any]])
        #expect(results.filter { $0["ruleId"] as? String == "unreadable-file" && $0["ruleIndex"] is Int }.count == 1)
        #expect(
            try run("github").text.contains(
                "::error file=\(path),line=1,col=1,endLine=1,endColumn=1,title=unreadable-file::"))
        let text = try run("text")
        #expect(text.findings.contains("\(path):1:1: error [unreadable-file]"))
        #expect(text.lastLine.hasPrefix("Found 3 errors in 2 files. "))
        // On one screen, or in one log, it is said once.
        let both = try tool.shell("$tool validate \(path) 2>&1").text
        #expect(both.matches(of: #/error: /#).count == 1)
        #expect(!both.contains("fine"))
    }

    @Test("files with similar names are named, and one that Apple never asks for has a note")
    func names() throws {
        for name in ["a/apple-app-site-assocation", "a/Apple-App-Site-Association.txt", "a/package.json", "b/c/x"] {
            try tool.write(BuiltTool.sound, to: name)
        }
        let near = try tool.run("validate", "a")
        #expect(near.status == 66)
        #expect(
            near.text == """
                a:1:1: error: no file named apple-app-site-association, assetlinks.json or AndroidManifest.xml in the folder 'a' [unreadable-file]
                   = note: 'a/Apple-App-Site-Association.txt' has a similar name
                   = note: 'a/apple-app-site-assocation' has a similar name
                   = help: rename it, or name the file itself

                Found 1 error in 1 file. Run 'aasa explain unreadable-file' for details.

                """)
        try tool.write(BuiltTool.sound, to: "b/apple-app-site-association")
        try tool.write(BuiltTool.sound, to: "b/apple-app-site-association.bak")
        try tool.write(BuiltTool.sound, to: "b/c/apple_app_site_association")
        let found = try tool.run("validate", "b")
        #expect(found.status == 0)
        #expect(
            found.text == """
                note: b/c/apple_app_site_association: not checked, because its name is not 'apple-app-site-association'
                checked: b/apple-app-site-association
                1 file is fine.

                """)

        try tool.write(BuiltTool.sound, to: "d/apple-app-site-association.json")
        let json = try tool.run("validate", "d/apple-app-site-association.json")
        #expect(json.status == 0)
        #expect(json.text.hasPrefix("note: d/apple-app-site-association.json: Apple never asks for this name; publish"))
        let notes =
            try tool.run("validate", "d", "--format", "json", "--strict").object()["notes"] as? [[String: String]]
        #expect(notes?.map { $0["path"] } == ["d/apple-app-site-association.json"])
        try tool.write(BuiltTool.sound, to: "d/apple-app-site-association")
        #expect(try !tool.run("validate", "d").text.contains("note:"))
    }

    @Test("a URL in place of a file is answered with the command that checks it")
    func urls() throws {
        let outcome = try tool.run("validate", "https://shop.example")
        #expect(outcome.status == 66)
        #expect(
            outcome.errors == """
                error: 'https://shop.example' is a URL, but this command reads files; try: aasa doctor shop.example; \
                or: curl -fsS https://shop.example/.well-known/apple-app-site-association | aasa validate -

                """)
        let quoted = try tool.run("validate", "HTTPS://shop.example/a?b=c&d='")
        #expect(quoted.errors.contains(#"or: curl -fsS 'HTTPS://shop.example/a?b=c&d='\''' | aasa validate -"#))
        #expect(quoted.errors.contains(#"try: aasa doctor 'HTTPS://shop.example/a?b=c&d='\'''; or: "#))
        let file = try tool.run("validate", "https://shop.example:8443/.well-known/apple-app-site-association")
        #expect(file.errors.contains("; try: aasa doctor shop.example:8443; or: curl "))
        let test = try tool.run("test", "https://shop.example/x", "cases.json")
        #expect(test.status == 66)
        #expect(test.errors.contains("help: try: curl -fsS https://shop.example/x | aasa test - cases.json\n"))
        let swapped = try tool.run("route", "https://shop.example/x", "file")
        #expect(swapped.status == 64)
        #expect(
            swapped.errors.hasPrefix("error: the file comes before the URLs: aasa route file https://shop.example/x\n"))
        let certificate = try BuiltTool("certcheck").run("https://shop.example/push.p12")
        #expect(certificate.status == 3)
        let words = certificate.text.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains("push.p12: this is a URL, but certcheck reads files"))
        #expect(words.contains("= help: download it first"))
    }
}
