import Foundation
import TestSupport
import Testing

/// The contract of cases with `android` (docs/spec/android.md, section 6).
@Suite("aasa test for Android", .waiting)
struct TestAndroidTests {
    private let sample: AndroidSample

    init() throws { sample = try AndroidSample() }

    private func test(_ cases: String, _ arguments: String...) throws -> Shell.Outcome {
        try sample.tool.write(cases, to: "cases.json")
        return try sample.run(["test"] + arguments)
    }

    private static let both = """
        [
          {"url": "https://shop.example/buy/7", "opens": "any", "android": {"opens": ["com.shop.app"]}},
          {"url": "https://shop.example/buy/old/7", "android": {"excluded": true}},
          {"url": "https://shop.example/buy/old/8", "android": {"opens": []}},
          {"url": "https://shop.example/x", "opens": [], "android": {"opens": []}},
          {"url": "https://shop.example/buy/8", "opens": ["7K3QWZ9PLM.com.shop.app"], "android": {"opens": "any"}}
        ]
        """

    @Test("cases say what they expect of both platforms")
    func bothPlatforms() throws {
        let outcome = try test(
            Self.both, "aasa", "cases.json", "--android", "assetlinks.json", "--manifest", "AndroidManifest.xml")
        #expect(outcome.status == 0 && outcome.text == "Result: ok. 5 passed, 0 failed\n", "\(outcome.text)")
    }

    @Test("a failure says what Android does, and by which line")
    func failures() throws {
        let outcome = try test(
            """
            [
              {"url": "https://shop.example/buy/old/7", "opens": "any", "android": {"opens": ["com.shop.app"]}},
              {"url": "https://shop.example/x", "opens": "any", "android": {"opens": "any"}}
            ]
            """, "aasa", "cases.json", "--android", "assetlinks.json")
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                FAIL https://shop.example/buy/old/7  cases.json:2
                       expected  opens com.shop.app on Android
                       actual    excluded on Android
                       because   assetlinks.json:10

                FAIL https://shop.example/x          cases.json:3
                       expected  opens any app
                       actual    stays in browser
                       because   no rule matches
                       expected  opens any app on Android
                       actual    stays in browser on Android
                       because   no dynamic rule matches

                Not covered by any case: line 11 of assetlinks.json
                Result: FAILED. 0 passed, 2 failed

                """, "\(outcome.text)")
    }

    @Test("what is not known fails with its reason, also where no app has to open the link")
    func unknown() throws {
        try sample.writeLinks(rules: nil)
        let outcome = try test(
            #"[{"url": "https://shop.example/x", "android": {"opens": []}}]"#, "assetlinks.json", "cases.json")
        #expect(outcome.status == 1 && outcome.text.contains("not known on Android"))
        #expect(outcome.text.contains("give it with --manifest"))
    }

    @Test("a file of asset links checks Android alone, and skips the other cases")
    func alone() throws {
        let outcome = try test(
            """
            [
              {"url": "https://shop.example/buy/7", "opens": []},
              {"url": "https://shop.example/buy/7", "opens": [], "android": {"opens": "any"}}
            ]
            """, "assetlinks.json", "cases.json")
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                Not covered by any case: line 10 of assetlinks.json
                Result: ok. 1 passed, 0 failed, 1 skipped

                """)
        let json = try sample.run(["test", "assetlinks.json", "cases.json", "--format", "json"])
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any])
        #expect(object["skipped"] as? Int == 1 && object["passed"] as? Int == 1)
        let first = try #require((object["cases"] as? [[String: Any]])?.first)
        #expect(first["outcome"] is NSNull && (first["android"] as? [String: Any])?["outcome"] as? String == "open")
        #expect((first["expected"] as? [String: Any])?["android"] as? [String: String] == ["opens": "any"])
        #expect((object["unreached"] as? [[String: Any]])?.first?["line"] as? Int == 10)
    }

    @Test("a case that holds and is not certain is a warning", arguments: ["text", "json", "github"])
    func uncertain(format: String) throws {
        try sample.writeLinks(rules: #"[{"/": "/a/*/b"}]"#)
        let outcome = try test(
            #"[{"url": "https://shop.example/a/1/2/b", "android": {"opens": []}}]"#, "assetlinks.json", "cases.json",
            "--format", format)
        #expect(outcome.status == 0)
        let shown = format == "json" ? outcome.errors : outcome.text
        #expect(shown.contains("depends on how '*' is read"), "\(shown)")
    }

    @Test("JUnit has the failures of both platforms")
    func junit() throws {
        let outcome = try test(
            #"[{"url": "https://shop.example/x", "opens": [], "android": {"opens": "any"}}]"#, "aasa", "cases.json",
            "--android", "assetlinks.json", "--format", "junit")
        #expect(outcome.status == 1 && outcome.text.contains("on Android") && outcome.text.contains(#"failures="1""#))
    }

    static let invalid: [(cases: String, message: String)] = [
        (#"[{"url": "https://a.b/", "android": []}]"#, "expected an object"),
        (#"[{"url": "https://a.b/", "android": {}}]"#, "neither 'opens' nor 'excluded'"),
        (#"[{"url": "https://a.b/", "android": {"opens": "some"}}]"#, "not a list of packages"),
        (#"[{"url": "https://a.b/", "android": {"opens": [], "excluded": true}}]"#, "both"),
        (#"[{"url": "https://a.b/", "android": {"excluded": false}}]"#, "is not true"),
        (#"[{"url": "https://a.b/", "android": {"open": []}}]"#, "did you mean 'opens'?"),
        (#"[{"url": "https://a.b/"}]"#, "nor 'android'"),
    ]

    @Test("a case that cannot be checked is not valid", arguments: invalid)
    func invalidCase(cases: String, message: String) throws {
        let outcome = try test(cases, "aasa", "cases.json", "--android", "assetlinks.json")
        #expect(outcome.status == 65 && outcome.errors.contains(message) && outcome.errors.contains("[invalid-case]"))
    }

    @Test("a case about Android needs a file for it")
    func missingFile() throws {
        let outcome = try test(Self.both, "aasa", "cases.json")
        #expect(outcome.status == 65 && outcome.errors.contains("--android"))
        #expect(outcome.errors.contains("[invalid-case]"))
        #expect(try sample.run(["test", "assetlinks.json", "--routes", "cases.json"]).status == 64)
    }
}
