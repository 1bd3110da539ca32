import Foundation
import TestSupport
import Testing

/// The advice of `aasa route`, `test` and `diff` beside a decision (cli.md, 1.3 and 1.4).
@Suite("Advice of aasa route", .waiting)
struct RouteAdviceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String], input: String = "") throws -> Shell.Outcome {
        try Shell.run(
            ["env", "LC_ALL=C.UTF-8", RunningServer.executable] + arguments,
            input: Data(input.utf8))
    }

    private func file(_ components: String, _ name: String = "file.json") throws -> String {
        try folder.write(
            #"{"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": ["#
                + "\n\(components)\n]}]}}\n", to: name)
    }

    private func object(_ line: some StringProtocol) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test("a URL from the address bar is encoded as the system does it, decided so, and shown")
    func encoded() throws {
        let path = try file(#"{"/": "/caf%C3%A9/*"}"#)
        let outcome = try run(["route", path, "https://a.b/café/ein tee?q=<ü>#ß"])
        #expect(
            outcome.text == """
                open              https://a.b/café/ein tee?q=<ü>#ß
                                  decided as https://a.b/caf%C3%A9/ein%20tee?q=%3C%C3%BC%3E#%C3%9F
                                  7K3QWZ9PLM.com.shop.app
                                  \(path):2:1: /caf%C3%A9/*

                """)
        let json = try object(run(["route", path, "--format", "json", "https://a.b/café/"]).text)
        #expect(json["url"] as? String == "https://a.b/café/")
        #expect(json["encodedURL"] as? String == "https://a.b/caf%C3%A9/")
        #expect((json["userActivity"] as? [String: Any])?["webpageURL"] as? String == "https://a.b/caf%C3%A9/")
        #expect(
            try object(run(["route", path, "--format", "json", "https://a.b/caf%C3%A9/%zz"]).text)["encodedURL"] == nil)
        #expect(
            try run(["route", path, "-"], input: "https://a.b/café/\n").text
                == "open              https://a.b/café/  7K3QWZ9PLM.com.shop.app  \(path):2  decided as https://a.b/caf%C3%A9/\n"
        )
    }

    @Test("a pattern with a raw character does not match, and the hint writes it as it has to be")
    func rawPattern() throws {
        let path = try file(#"{"/": "/café/*"}"#)
        let outcome = try run(["route", path, "https://a.b/café/x"])
        #expect(
            outcome.text == """
                stays in browser  https://a.b/café/x
                                  decided as https://a.b/caf%C3%A9/x
                                  no rule matches
                                  hint: line 2 (/café/*) would open it if its pattern were percent-encoded, as every URL is: write "/": "/caf%C3%A9/*"

                """)
        #expect(outcome.errors.contains("1 error that changes which links open; run 'aasa validate \(path)'"))
    }

    @Test(
        "a '?' in a path that is meant as something else has a hint that says what to write",
        arguments: [
            (
                "/find?*", "https://a.b/find?q=3",
                #"line 2 (/find?*): '?' in a path is one character; for a query write "/": "/find", "?": "?*""#
            ),
            (
                "/find?q=*", "https://a.b/find?q=3",
                #"line 2 (/find?q=*): '?' in a path is one character; for a query write "/": "/find", "?": "q=*""#
            ),
            (
                "/product?/*", "https://a.b/product/3",
                #"line 2 (/product?/*) would open it without '?', which is exactly one character: write "/": "/product/*""#
            ),
        ])
    func questionMarks(pattern: String, url: String, hint: String) throws {
        let path = try file("{\"/\": \"\(pattern)\"}")
        let outcome = try run(["route", path, url])
        #expect(outcome.text.contains("\n                  hint: \(hint)\n"), "\(outcome.text)")
        let json = try object(run(["route", path, "--format", "json", url]).text)
        let members = try #require(json["hint"] as? [String: Any])
        #expect(["queryInPath", "questionMark"].contains(members["difference"] as? String))
        #expect(members["appIDs"] as? [String] == ["7K3QWZ9PLM.com.shop.app"])
    }

    @Test("a row that matches says for which apps it decides, if entries have different apps")
    func appsOfRows() throws {
        let path = try folder.write(
            """
            {"applinks": {"details": [
              {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
                {"/": "/buy/*"}]},
              {"appIDs": ["7K3QWZ9PLM.com.shop.app", "7K3QWZ9PLM.com.shop.beta"], "components": [
                {"/": "/buy/secret/*", "exclude": true}]}
            ]}}
            """, to: "two.json")
        let url = "https://a.b/buy/secret/7"
        #expect(
            try run(["route", path, "--explain", url]).text == """
                open              \(url)
                                  7K3QWZ9PLM.com.shop.app
                                  \(path):3:5: /buy/*

                  ✓ \(path):3  open     /buy/*         matches for 7K3QWZ9PLM.com.shop.app
                  ✓ \(path):5  exclude  /buy/secret/*  matches for 7K3QWZ9PLM.com.shop.beta

                """)
        let json = try object(run(["route", path, "--explain", "--format", "json", url]).text)
        let trace = try #require(json["trace"] as? [[String: Any]])
        #expect(
            trace.map { $0["appIDs"] as? [String] }
                == [["7K3QWZ9PLM.com.shop.app"], ["7K3QWZ9PLM.com.shop.beta"]])
    }

    @Test("errors that change which links open are a line on standard error, or a key of JSON")
    func fileErrors() throws {
        let wrong = try folder.write(
            """
            {"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "component": [
              {"/": "/buy/*"}]}]}, "webcredentials": {"apps": [7]}}
            """, to: "wrong.json")
        let good = try file(#"{"/": "/buy/*"}, {"/": "/buy/old/*"}"#)
        let line = "warning: \(wrong) has 1 error that changes which links open; run 'aasa validate \(wrong)'\n"
        let cases = try folder.write("https://a.b/buy/1\n", to: "urls.txt")
        #expect(try run(["route", wrong, "https://a.b/buy/1"]).errors == line)
        #expect(try run(["test", wrong, cases]).errors == line)
        #expect(try run(["diff", good, wrong]).errors == line)
        for command in [["route", good, "https://a.b/buy/1"], ["test", good, cases], ["diff", good, good]] {
            #expect(try run(command).errors == "", "\(command)")
        }
        let json = try run(["route", wrong, "--format", "json", "https://a.b/buy/1"])
        #expect(json.errors == "")
        #expect(try object(json.text)["fileErrors"] as? Int == 1)
        #expect(try object(run(["test", wrong, cases, "--format", "json"]).text)["fileErrors"] as? Int == 1)
        let diff = try object(run(["diff", good, wrong, "--format", "json"]).text)
        #expect(diff["fileErrors"] as? [String: Int] == ["old": 0, "new": 1])
        #expect(try object(run(["route", good, "--format", "json", "https://a.b/buy/1"]).text)["fileErrors"] == nil)
    }

    @Test(
        "what is no URL is answered with the one that was meant",
        arguments: [
            ("shop.app/buy", "https://shop.app/buy"), ("shop.app", "https://shop.app"),
            ("//shop.app/buy?a=b#c", "https://shop.app/buy?a=b#c"), ("ftp://shop.app/x", "https://shop.app/x"),
            ("https:/shop.app/x", "https://shop.app/x"), ("shop.app:8443/x", "https://shop.app:8443/x"),
            ("/buy/7", "https://example.com/path"), ("mailto:a@b.c", "https://example.com/path"),
            ("nonsense", "https://example.com/path"),
        ])
    func meantURL(text: String, meant: String) throws {
        let path = try file(#"{"/": "/buy/*"}"#)
        let outcome = try run(["route", path, text])
        #expect(outcome.status == 64)
        #expect(
            outcome.text.hasSuffix(
                "\n                  not an http or https URL with a host; write it as \(meant)\n"), "\(outcome.text)")
    }

    @Test("a URL that takes too many steps is 'not decided', with a code, a key and exit 1")
    func notDecided() throws {
        let values = (0..<200).map { "\"\(String(repeating: "a", count: 1 + $0 % 40))?\($0)\"" }.joined(separator: ",")
        let path = try folder.write(
            """
            {"applinks": {"substitutionVariables": {"v": ["a?",\(values)]}, "details": [
              {"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
                {"/": "/\(String(repeating: "$(v)*", count: 3_000))"}]}]}}
            """, to: "large.json")
        let url = "https://a.b/\(String(repeating: "a", count: 1_500))"
        let outcome = try run(["route", path, url])
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                not decided       \(url)
                                  too large: to compare this URL with the rules takes too many steps [url-not-decided]
                                  help: use fewer variables and wildcards in a pattern, and variables with fewer values

                """)
        let json = try run(["route", path, "--explain", "--format", "json", url])
        #expect(json.status == 1)
        let members = try object(json.text)
        #expect(members["outcome"] as? String == "notDecided" && members["code"] as? String == "url-not-decided")
        #expect(members["traceTruncated"] as? Bool == true)

        let cases = try folder.write("\(url)\nhttps://a.b/b\n", to: "urls.txt")
        let test = try run(["test", path, cases])
        #expect(test.status == 1)
        #expect(test.text.contains("       actual    not decided\n       because   too large: "))
        #expect(test.text.contains("[url-not-decided]"))
        #expect(try run(["test", path, cases, "--format", "github"]).text.contains("title=url-not-decided::"))
        #expect(try run(["explain", "url-not-decided"]).status == 0)
    }
}
