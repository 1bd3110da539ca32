import AssociationLint
import Diagnostics
import Testing

@Suite("'paths' beside 'components'")
struct GenerationsTests {
    private func check(
        _ paths: String, _ components: String, app: String = #""appID": "A1B2C3D4E5.com.apple.a""#,
        minimumIOS: String? = nil,
        apps: String = #""apps": [],"#, more: String = ""
    ) -> [Diagnostic] {
        let variables = components.contains("$(v)") ? #""substitutionVariables": {"v": ["x", "y"]},"# : ""
        let text = """
            {"applinks": {\(apps)\(variables) "details": [{\(app),
            "paths": [\(paths)], "components": [\(components)]}\(more)]}}
            """
        let options = LintOptions(minimumIOS: minimumIOS.flatMap(SystemVersion.init))
        return Linter(options).check(Array(text.utf8)).diagnostics
    }

    private func differences(_ findings: [Diagnostic]) -> [String] {
        findings.filter { $0.code.rawValue == "generations-differ" }.map(\.message)
    }

    @Test(
        "that open other links are told with a link",
        arguments: [
            (
                #""/buy/*", "/help/*""#, #"{"/": "/buy/*"}"#,
                "iOS 12 opens 'https://example.com/help/a', iOS 13 and newer do not"
            ),
            (
                #""/buy/*""#, #"{"/": "/buy/*"}, {"/": "/help"}"#,
                "iOS 13 and newer open 'https://example.com/help', iOS 12 does not"
            ),
            (
                #""NOT /buy/x", "/buy/*""#, #"{"/": "/buy/*"}"#,
                "iOS 13 and newer open 'https://example.com/buy/x', iOS 12 does not"
            ),
            (
                #""*""#, #"{"/": "/a", "exclude": true}, {"/": "*"}"#,
                "iOS 12 opens 'https://example.com/a', iOS 13 and newer do not"
            ),
            // Conditions that no path can say are not what differs here.
            (
                #""/buy/*", "/a""#, #"{"/": "/buy/*", "?": {"id": "?*"}}"#,
                "iOS 12 opens 'https://example.com/a', iOS 13 and newer do not"
            ),
        ])
    func different(paths: String, components: String, message: String) throws {
        let findings = check(paths, components)
        #expect(differences(findings) == [message])
        let finding = try #require(findings.first { $0.code.rawValue == "generations-differ" })
        #expect(finding.pointer == "/applinks/details/0/paths")
        #expect(finding.severity == .warning)
    }

    @Test(
        "that open the same links, or cannot say what the others say, are all right",
        arguments: [
            (#""/buy/*""#, #"{"/": "/buy/*"}"#), (#""*""#, #"{"/": "/*"}"#),
            (#""/b", "/a""#, #"{"/": "/a"}, {"/": "/b"}"#),
            (#""NOT /a/b", "/a/*""#, #"{"/": "/a/b", "exclude": true}, {"/": "/a/*"}"#),
            (#""/a/*""#, #"{"/": "/a/*", "?": {"x": "?*"}}"#),
            (#""/a/*""#, ##"{"/": "/a/*", "#": "no", "exclude": true}, {"/": "/a/*"}"##),
            (#""/a""#, #"{"/": "/a", "caseSensitive": false}"#), (#""/*/a""#, #"{"/": "/$(lang)/a"}"#),
            (#""/x/a", "/y/a""#, #"{"/": "/$(v)/a"}"#), (#""/%C3%A9""#, #"{"/": "/é", "percentEncoded": false}"#),
            (#""*""#, #"{"/": "/a", "?": "q=1", "exclude": true}, {"/": "*"}"#),
            // The parent of a tail is hardly ever meant.
            (#""/a/*""#, #"{"/": "/a/?*"}"#), (#""/a/?*""#, #"{"/": "/a/*"}"#), (#""/a", "/a/*""#, #"{"/": "/a/*"}"#),
        ])
    func same(paths: String, components: String) {
        #expect(differences(check(paths, components)) == [])
    }

    @Test("are not compared where only one of them is read, or it is not known what is")
    func notRead() {
        let (paths, components) = (#""/a""#, #"{"/": "/b"}"#)
        #expect(differences(check(paths, components)).count == 1)
        #expect(differences(check(paths, components, minimumIOS: "12")).count == 1)
        #expect(differences(check(paths, components, minimumIOS: "13")) == [])
        #expect(differences(check(paths, components, app: #""appIDs": ["A1B2C3D4E5.com.apple.a"]"#)) == [])
        #expect(differences(check(paths, components, apps: "")) == [])
        let second = #", {"appID": "A1B2C3D4E5.com.apple.a", "paths": ["/b"]}"#
        #expect(differences(check(paths, components, more: second)) == [])
        #expect(differences(check(#""/a b""#, components)) == [])
        #expect(differences(check(paths, #"{"/": 7}"#)) == [])
    }

    @Test("are looked at for rules that are never asked")
    func reach() throws {
        let findings = check(#""/a/*", "NOT /a/b", "/a/c", "NOT /z""#, #"{"/": "/a/*"}"#)
        #expect(findings.map(\.code.rawValue) == ["dead-exclude", "unreachable-rule", "trailing-exclude"])
        #expect(findings.map(\.pointer) == [1, 2, 3].map { "/applinks/details/0/paths/\($0)" })
        #expect(findings[0].message == "'/a/b' is never excluded: '/a/*' on line 2, column 11, matches first")
        #expect(findings[0].notes == ["only iOS 12 and older read 'paths' beside 'components'"])
        #expect(findings[0].label == "e.g. https://example.com/a/b still opens the app")
        #expect(
            check(#""/a/*", "/a/c""#, #"{"/": "/a/*"}"#, minimumIOS: "14").map(\.code.rawValue) == ["ignored-paths"])
        // Neither list decides about the other.
        #expect(check(#""/a/c""#, #"{"/": "/a/c"}"#).isEmpty)
    }

    @Test("of thousands of patterns are compared within the budget")
    func many() {
        let paths = (0..<3_000).map { "\"*\($0)*\"" }.joined(separator: ",")
        let components = (0..<2_000).map { "{\"/\":\"*\($0)x*\"}" }.joined(separator: ",")
        let codes = Set(check(paths, components).map(\.code.rawValue))
        #expect(codes.isSubset(of: ["generations-differ", "too-large-to-decide", "unreachable-rule"]))
    }
}
