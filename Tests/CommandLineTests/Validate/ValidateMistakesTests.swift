import Foundation
import TestSupport
import Testing

/// Mistakes that people publish, as `aasa validate` shows them.
@Suite("aasa validate: what people publish", .waiting)
struct ValidateMistakesTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
    }

    private func paths(_ list: String) -> String {
        #"{"applinks": {"apps": [], "details": [{"appID": "7K3QWZ9PLM.com.shop.app", "paths": \#(list)}]}}"#
    }

    private func show(_ text: String) throws -> String {
        try tool.run("validate", "-", input: text).text
    }

    @Test("an exclusion of everything by '*/*' is found, as 'aasa route' decides it")
    func openTail() throws {
        let text = try show(paths(#"["NOT */*", "*"]"#))
        #expect(text.contains("warning: '*' never matches: '*/*' on line 1, column 86, excludes these URLs first"))
        #expect(text.contains("e.g. https://example.com/ does not open the app"))
        try tool.write(paths(#"["NOT */*", "*"]"#), to: "apple-app-site-association")
        for path in ["", "abc", "a/b"] {
            let outcome = try tool.run("route", "apple-app-site-association", "https://example.com/\(path)")
            #expect(outcome.text.hasPrefix("excluded "))
        }
    }

    @Test("a first '{' that is missing is named where it is missing")
    func missingBrace() throws {
        let text = "\"applinks\": {\n    \"details\": []\n  }\n}\n"
        #expect(
            try show(text) == """
                <standard input>:1:1: error: missing '{' before '"applinks"' [extra-content]
                   |
                 1 | "applinks": {
                   |
                   = help: insert '{'

                Found 1 error in 1 file. Run 'aasa explain extra-content' for details; 1 fix available with --fix --suggested.

                """)
    }

    @Test("fingerprints in one string over several lines are one mistake")
    func brokenString() throws {
        let text = """
            [{
              "relation": ["delegate_permission/common.handle_all_urls"],
              "target": {
                "namespace": "android_app",
                "package_name": "com.shop.app",
                "sha256_cert_fingerprints": ["14:6D:E9,
                  24:6D:E9,
                  34:6D:E9"]
              }
            }]
            """
        let outcome = try tool.run("validate", "-", input: text)
        #expect(outcome.findings == ["<standard input>:6:34: error [unclosed-string]"])
        #expect(outcome.text.contains("a string cannot contain a line break"))
    }

    @Test("the only rule that opens something is not deleted")
    func ignoredPaths() throws {
        let text =
            #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "paths": "/shared/*", "components": []}]}}"#
        let outcome = try tool.run("validate", "-", "--fix", "--suggested", input: text)
        #expect(
            outcome.text
                == #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [{ "/": "/shared/*" }]}]}}"#
        )
    }

    @Test("an app that is only in 'apps' is moved to its entry")
    func movedApp() throws {
        let text = #"{"applinks": {"apps": ["7K3QWZ9PLM.com.shop.app"], "details": [{"paths": ["/buy/*"]}]}}"#
        let outcome = try tool.run("validate", "-", "--fix", "--suggested", input: text)
        #expect(
            outcome.text
                == #"{"applinks": {"apps": [], "details": [{"appID": "7K3QWZ9PLM.com.shop.app", "paths": ["/buy/*"]}]}}"#
        )
    }

    @Test("the encoded pattern is what to write")
    func encoded() throws {
        #expect(try show(paths(#"["/schuhe größe/*"]"#)).contains("help: write '/schuhe%20gr%C3%B6%C3%9Fe/*'"))
    }
}
