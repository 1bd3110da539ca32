import Foundation
import TestSupport
import Testing

/// Lists of cases that have a URL per line (cli.md, 1.4).
@Suite("aasa test with a URL per line", .waiting)
struct PlainCasesTests {
    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write(
            """
            {"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
              {"/": "/help/*", "exclude": true},
              {"/": "/buy/*"}]}]}}
            """, to: "file.json")
    }

    private func test(_ list: String, _ arguments: String...) throws -> Shell.Outcome {
        try Shell.run(
            [RunningServer.executable, "test", file, "-"] + arguments, input: Data(list.utf8))
    }

    @Test("each URL opens an app, those after ! none, and app IDs are exactly those", arguments: ["\n", "\r\n"])
    func passes(lineEnd: String) throws {
        let lines = [
            "# the newsletter", "", "https://a.b/buy/7  # a product", "https://a.b/buy#top",
            "https://a.b/buy/8\t7K3QWZ9PLM.com.shop.app", "!https://a.b/help/me", "! https://a.b/x",
        ]
        let outcome = try test(lines.joined(separator: lineEnd))
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
        #expect(outcome.text == "Result: ok. 5 passed, 0 failed\n")
    }

    @Test("a failure has its line, what was expected, and the hint of aasa route")
    func fails() throws {
        let outcome = try test(
            "https://a.b/Buy/7\n!https://a.b/buy/7\nhttps://a.b/buy/8 7K3QWZ9PLM.com.shop.web\nhttps://a.b/help/ü\n")
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                FAIL https://a.b/Buy/7   <standard input>:1
                       expected  opens any app
                       actual    stays in browser
                       because   no rule matches
                       hint      line 3 (/buy/*) would open it with "caseSensitive": false, or as https://a.b/buy/7

                FAIL https://a.b/buy/7   <standard input>:2
                       expected  opens no app
                       actual    opens 7K3QWZ9PLM.com.shop.app
                       because   \(file):3  /buy/*

                FAIL https://a.b/buy/8   <standard input>:3
                       expected  opens 7K3QWZ9PLM.com.shop.web
                       actual    opens 7K3QWZ9PLM.com.shop.app
                       because   \(file):3  /buy/*

                FAIL https://a.b/help/ü  <standard input>:4
                       expected  opens any app
                       actual    excluded
                       because   \(file):2  excludes /help/*
                       note      decided as https://a.b/help/%C3%BC

                Result: FAILED. 0 passed, 4 failed

                """)
        let json = try test("https://a.b/Buy/ü\n", "--format", "json").text
        #expect(json.contains(#""encodedURL":"https://a.b/Buy/%C3%BC""#) && json.contains(#""hint":"line 3 (/buy/*)"#))
    }

    @Test(
        "what is not a case is exit 65, and the line says what was expected",
        arguments: [
            (
                "shop.app/buy",
                "'shop.app/buy' is not an http or https URL with a host; write it as https://shop.app/buy"
            ),
            ("!", "a URL has to follow '!'"), ("https://a.b/my file", "'file' is not an app ID"),
            ("!https://a.b/x A.b", "no app opens a URL after '!'"), ("https://a.b/ https://a.b/c", "is not an app ID"),
        ])
    func mistakes(line: String, message: String) throws {
        let outcome = try test("https://a.b/buy/7\n  \(line)\n")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("<standard input>:2:") && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.contains("[invalid-case]"))
    }

    @Test("a list that begins like JSON is JSON")
    func json() throws {
        #expect(try test(#"  [{"url": "https://a.b/buy/7", "opens": "any"}]"#).status == 0)
        #expect(try test(#"["https://a.b/buy/7"]"#).errors.contains("a case is a string"))
    }
}
