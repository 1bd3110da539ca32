import Foundation
import TestSupport
import Testing

/// The contract of `aasa android components` (android.md, section 9).
@Suite("aasa android components", .waiting)
struct AndroidComponentsTests {
    private let folder: TemporaryFolder
    private static let app = "ABCDE12345.com.example.app"

    init() throws { folder = try TemporaryFolder() }

    private func run(_ components: String, _ arguments: [String] = []) throws -> Shell.Outcome {
        let file = try folder.write(
            #"{ "applinks": { "details": [{ "appIDs": ["\#(Self.app)"], "components": [\#(components)] }] } }"#,
            to: "aasa.json")
        return try Shell.run(
            [RunningServer.executable, "android", "components", file]
                + (arguments.contains("--app") ? [] : ["--app", Self.app]) + arguments)
    }

    @Test("the list is ready to paste, and equal meaning is exit code 0")
    func list() throws {
        let outcome = try run(#"{ "/": "/x/*" }, { "/": "/y", "?": { "k": "?*" }, "exclude": true }"#)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            outcome.text == """
                [
                  { "/": "/x" },
                  { "/": "/x/*" },
                  { "/": "/y", "?": { "k": "?*" }, "exclude": true },
                  { "/": "/y/", "?": { "k": "?*" }, "exclude": true }
                ]

                """)
    }

    @Test("what cannot be said is a warning at its rule with a link, and exit code 1")
    func notExpressible() throws {
        let outcome = try run(#"{ "/": "/a/*/b" }"#)
        #expect(outcome.status == 1)
        #expect(outcome.text.contains(#"{ "/": "/a/*/b" }"#))
        #expect(outcome.errors.contains("not-expressible") && outcome.errors.contains("https://example.com/a/"))
        #expect(outcome.errors.contains("on Android a '*' ends at the first occurrence of what follows it"))
        let json = try run(#"{ "/": "/a/*/b" }"#, ["--format", "json"])
        #expect(json.status == 1 && json.errors.isEmpty)
        #expect(json.text.contains(#""kind":"only on iOS","line":1,"pointer":"/applinks/details/0/components/0""#))
        #expect(json.text.contains(#""statement":null,"undecided":[],"version":1}"#))
    }

    @Test("a whole statement, once its fingerprint is there, agrees with the file")
    func statement() throws {
        let outcome = try run(#"{ "/": "/x/*" }, { "/": "/a*/b" }"#, ["--package", "com.example.app"])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains(#""package_name": "com.example.app""#))
        let fingerprint = ([String](repeating: "AB", count: 31) + ["01"]).joined(separator: ":")
        let links = try folder.write(
            "[\(outcome.text.replacing("REPLACE:WITH:SHA-256", with: fingerprint))]", to: "assetlinks.json")
        let diff = try Shell.run(
            [
                RunningServer.executable, "diff", "--platforms", folder.path + "/aasa.json", links, "--format", "json",
            ])
        #expect(diff.status == 1)
        #expect(!diff.text.contains("only on Android") && diff.text.contains("only on iOS"), "\(diff.text)")
    }

    @Test("an app that the file does not name is exit code 64")
    func usage() throws {
        let outcome = try run(#"{ "/": "/x" }"#, ["--app", "A.b"])
        #expect(outcome.status == 64 && outcome.errors.contains("does not name 'A.b'"), "\(outcome.errors)")
        #expect(try run(#"{ "/": "/x" }"#, ["--package", "x"]).status == 64)
    }

    @Test("a file that opens nothing for the app excludes everything")
    func nothing() throws {
        #expect(try run(#"{ "/": "/x*", "exclude": true }"#).text == "[\n  { \"/\": \"*\", \"exclude\": true }\n]\n")
    }
}
