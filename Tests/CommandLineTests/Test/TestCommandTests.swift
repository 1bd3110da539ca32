import Foundation
import TestSupport
import Testing

/// The contract of `aasa test` (validation.md, 9).
@Suite("aasa test", .waiting)
struct TestCommandTests {
    private static let app = "7K3QWZ9PLM.com.shop.app"
    private static let beta = "7K3QWZ9PLM.com.shop.beta"

    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        try tool.write(
            """
            {
              "applinks": {
                "details": [
                  { "appIDs": ["\(Self.app)", "\(Self.beta)"],
                    "components": [
                      { "/": "/help/*", "exclude": true },
                      { "/": "/buy/*" },
                      { "/": "/news/*", "#": "x" }
                    ]
                  }
                ]
              }
            }
            """, to: "file")
    }

    @Test("each failure is a block: what was expected, what happens, and because of which rule")
    func failures() throws {
        try tool.write(
            """
            [
              {"url": "https://shop.example/buy/1", "opens": ["\(Self.beta)", "\(Self.app)"], "comment": "passes"},
              {"url": "https://shop.example/buy/2", "opens": ["\(Self.app)"]},
              {"url": "https://shop.example/buy/3", "opens": []},
              {"url": "https://shop.example/buy/4", "excluded": true},
              {"url": "https://shop.example/help/5", "opens": "any"},
              {"url": "https://shop.example/6", "opens": "any"},
              {"url": "https://shop.example/7", "excluded": true},
              {"url": "https://shop.example/8", "opens": []},
              {"url": "https://shop.example/help/9", "opens": []},
              {"url": "https://shop.example/help/10", "excluded": true},
              {"url": "https://shop.example/buy/11", "opens": "any"}
            ]
            """, to: "cases")
        let outcome = try tool.run("test", "file", "cases")
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                FAIL https://shop.example/buy/2   cases:3
                       expected  opens \(Self.app)
                       actual    opens \(Self.app)
                                 opens \(Self.beta)
                       because   file:7  /buy/*

                FAIL https://shop.example/buy/3   cases:4
                       expected  opens no app
                       actual    opens \(Self.app)
                                 opens \(Self.beta)
                       because   file:7  /buy/*

                FAIL https://shop.example/buy/4   cases:5
                       expected  excluded
                       actual    opens \(Self.app)
                                 opens \(Self.beta)
                       because   file:7  /buy/*

                FAIL https://shop.example/help/5  cases:6
                       expected  opens any app
                       actual    excluded
                       because   file:6  excludes /help/*

                FAIL https://shop.example/6       cases:7
                       expected  opens any app
                       actual    stays in browser
                       because   no rule matches

                FAIL https://shop.example/7       cases:8
                       expected  excluded
                       actual    stays in browser
                       because   no rule matches

                Not covered by any case: line 8 of file
                Result: FAILED. 5 passed, 6 failed

                """)

        let report = try tool.run("test", "file", "cases", "--format", "json").object()
        #expect(report["version"] as? Int == 1)
        #expect(report["passed"] as? Int == 5 && report["failed"] as? Int == 6)
        let cases = try #require(report["cases"] as? [[String: Any]])
        #expect(cases.map { $0["line"] as? Int } == Array(2...12))
        #expect(
            cases.map { $0["passed"] as? Bool } == [true] + Array(repeating: false, count: 6)
                + Array(repeating: true, count: 4))
        #expect(cases[1]["outcome"] as? String == "open")
        #expect(cases[1]["appIDs"] as? [String] == [Self.app, Self.beta])
        #expect((cases[1]["rule"] as? [String: Any])?["pointer"] as? String == "/applinks/details/0/components/1")
        #expect(cases[5]["outcome"] as? String == "noMatch" && cases[5]["rule"] is NSNull)
        #expect((report["unreached"] as? [[String: Any]])?.map { $0["line"] as? Int } == [8])

        let elsewhere = try tool.run("test", "file", "cases", "--domain", "other.example")
        #expect(elsewhere.text.contains("       because   its host is not in the domain of the file\n"))
        #expect(elsewhere.lastLine == "Result: FAILED. 3 passed, 8 failed")
    }

    @Test("of several rules on one line each that no case covers is named")
    func oneLine() throws {
        try tool.write(
            """
            {"applinks": {"details": [{"appIDs": ["\(Self.app)"], "components": [{"/": "/a"}, {"/": "/b"},
            {"/": "/c"}]}]}}
            """, to: "narrow")
        let outcome = try tool.run("test", "narrow", "-", input: "!https://shop.example/x")
        #expect(outcome.text.contains("Not covered by any case: lines 1:82, 1:95, 2 of narrow\n"), "\(outcome.text)")
    }

    @Test("a rule that would decide as expected, but comes later, is named")
    func laterRule() throws {
        try tool.write(
            """
            {"applinks": {"details": [{"appIDs": ["\(Self.app)"], "components": [
              {"/": "*"},
              {"/": "/api/*", "exclude": true}
            ]}]}}
            """, to: "order")
        let cases = #"[{"url": "https://shop.example/api/x", "excluded": true}]"#
        let outcome = try tool.run("test", "order", "-", input: cases)
        #expect(
            outcome.text == """
                FAIL https://shop.example/api/x  <standard input>:1
                       expected  excluded
                       actual    opens \(Self.app)
                       because   order:2  every URL
                       note      line 3 would exclude it, but comes later

                Not covered by any case: line 3 of order
                Result: FAILED. 0 passed, 1 failed

                """)
        let github = try tool.run("test", "order", "-", "--format", "github", input: cases)
        #expect(github.text.contains("line 3 would exclude it, but comes later"))
    }

    @Test("all cases held is exit 0, and an empty list is worth a warning")
    func passes() throws {
        let cases =
            ["/buy/1", "/news/#x"].map { #"{"url": "https://shop.example\#($0)", "opens": "any"}"# }
            + [#"{"url": "https://shop.example/help", "excluded": true}"#]
        let all = try tool.run("test", "file", "-", input: "[\(cases.joined(separator: ","))]")
        #expect(all.status == 0)
        #expect(all.text == "Result: ok. 3 passed, 0 failed\n")

        let none = try tool.run("test", "file", "-", input: "[]")
        #expect(none.status == 0)
        #expect(
            none.text == """
                <standard input>:1:1: warning: the list has no cases, so nothing was checked [no-cases]

                Result: ok. 0 passed, 0 failed

                """)
        let json = try tool.run("test", "file", "-", "--format", "json", input: "[]")
        #expect(json.status == 0)
        #expect(json.errors == "warning: the list has no cases, so nothing was checked\n")
    }

    @Test(
        "a list that cannot be used is exit 65 and says where",
        arguments: [
            (#"[{"url": "https://a.example/"}]"#, "1:2", "the case has neither 'opens' nor 'excluded'"),
            (#"[{"url": "https://a.example/", "opens": [], "excluded": true}]"#, "1:2", "use one of them"),
            (#"[{"url": "ftp://a.example/", "opens": []}]"#, "1:10", "is not an http or https URL with a host"),
            (#"[{"url": "https://a.example/", "opens": "all"}]"#, "1:41", #"expected ["APPID"], [] or "any""#),
            (#"[{"url": "https://a.example/", "opens": []},]"#, "1:44", "trailing comma"),
            ("{}", "1:1", "expected an array of cases"),
        ])
    func lists(text: String, place: String, message: String) throws {
        let outcome = try tool.run("test", "file", "-", input: text)
        #expect(outcome.status == 65)
        #expect(outcome.text.isEmpty)
        let line = try #require(outcome.errors.split(separator: "\n").first)
        #expect(line.hasPrefix("<standard input>:\(place): error: "))
        #expect(line.contains(message))
    }

    @Test("an association file is read as it is, and what cannot be read is exit 65 or 66")
    func files() throws {
        try tool.write(#"[{"url": "https://shop.example/buy/1", "opens": "any"}]"#, to: "cases")
        #expect(try tool.run("test", "-", "cases", input: try tool.text("file")).status == 0)
        let broken = try tool.run("test", "-", "cases", input: "{\"applinks\": {},}")
        #expect(broken.status == 65)
        #expect(broken.text.isEmpty)
        #expect(
            broken.errors.hasPrefix("<standard input>:1:16: error: trailing comma [trailing-comma]\n"))
        #expect(try tool.run("test", "missing", "cases").status == 66)
        #expect(try tool.run("test", "file", "missing").status == 66)
        #expect(try tool.run("test", "-", "-").status == 64)
        #expect(try tool.run("test", "file", "cases", "--domain", "https://x").status == 64)
    }

    @Test("annotations and JUnit have a failure for each case that does not hold")
    func checkFormats() throws {
        try tool.write(
            """
            [
              {"url": "https://shop.example/buy/1?a=1&b=<2>", "opens": "any"},
              {"url": "https://shop.example/help/2", "opens": "any"}
            ]
            """, to: "cases")
        try tool.write("/buy/{product}\n/nowhere\n", to: "routes")
        let github = try tool.run(
            "test", "file", "cases", "--routes", "routes", "--app", Self.app, "--format", "github")
        #expect(github.status == 1)
        let lines = github.text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("::error file=cases,line=3,col=3,") == true)
        #expect(lines.contains { $0.hasPrefix("::error file=routes,line=2,col=1,") })
        #expect(lines.allSatisfy { $0.hasPrefix("::error file=") })

        let junit = try tool.run("test", "file", "cases", "--format", "junit")
        #expect(junit.status == 1)
        let expected = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="aasa test" tests="2" failures="1" errors="0">"#,
            #"  <testsuite name="cases" tests="2" failures="1" errors="0">"#,
            #"    <testcase classname="cases" name="https://shop.example/buy/1?a=1&amp;b=&lt;2&gt;" file="cases" line="2"/>"#,
            #"    <testcase classname="cases" name="https://shop.example/help/2" file="cases" line="3">"#,
            #"      <failure message="'https://shop.example/help/2': expected it to open an app, but it is excluded (file:6)">"#,
        ]
        #expect(junit.text.hasPrefix(expected.joined(separator: "\n")))
        let routes = try tool.run("test", "file", "--routes", "routes", "--app", Self.app, "--format", "junit").text
        #expect(routes.contains("<testsuite name=\"routes\""))
        #expect(
            routes.contains("<testcase classname=\"routes\" name=\"/buy/{product}\" file=\"routes\" line=\"1\"/>"))
        #expect(routes.contains("name=\"/nowhere\" file=\"routes\" line=\"2\">\n      <failure message=\""))
    }
}
