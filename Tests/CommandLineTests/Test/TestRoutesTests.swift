import Foundation
import TestSupport
import Testing

/// The contract of `aasa test --routes`.
@Suite("aasa test --routes", .waiting)
struct TestRoutesTests {
    private static let app = "7K3QWZ9PLM.com.shop.app"

    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
        try tool.write(
            """
            {
              "applinks": {
                "details": [
                  { "appIDs": ["\(Self.app)"],
                    "components": [
                      { "/": "/help/*", "exclude": true },
                      { "/": "/buy/*" },
                      { "/": "/news", "#": "?*" }
                    ]
                  }
                ]
              }
            }
            """, to: "file")
        try tool.write(
            """
            # all that there is
            /buy/{path:*}
            /news  #{section}

            """, to: "routes")
        try tool.write(
            """
            # with mistakes
            /buy/{product}
            /help/{topic}
            /sale/{code:$(digit)$(digit)}

            /buy/{id}  caseSensitive:true
            https://other.example/x
            /news #{section}

            """, to: "wrong")
    }

    @Test("routes that fit are exit 0 and one line")
    func complete() throws {
        let outcome = try tool.run("test", "file", "--routes", "routes")
        #expect(outcome.status == 0)
        #expect(outcome.text == "2 of 2 routes reached, every link is handled\n")
        #expect(outcome.errors.isEmpty)
        let routes = try tool.text("routes")
        #expect(try tool.run("test", "file", "--routes", "-", input: routes).status == 0)
        #expect(try tool.run("test", "-", "--routes", "routes", input: try tool.text("file")).status == 0)
    }

    @Test("each finding stands where it can be mended, with a URL that shows it")
    func findings() throws {
        let outcome = try tool.run("test", "file", "--routes", "wrong", "--domain", "example.com")
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                file:7:11: error: 'https://example.com/buy' opens the app, but no route handles it [unhandled-link]
                   |
                 7 |           { "/": "/buy/*" },
                   |           ^^^^^^^^^^^^^^^^^
                   |
                   = note: the rule opens /buy/*; add a route for the rest, or exclude it
                wrong:3:1: error: route is unreachable: the file excludes its URLs, e.g. 'https://example.com/help/a' [excluded-route]
                   |
                 3 | /help/{topic}
                   | ^^^^^^^^^^^^^
                   |
                   = note: the rule at file:6 excludes /help/*
                wrong:4:1: error: route is unreachable: the file opens none of its URLs, e.g. 'https://example.com/sale/00' [unsent-route]
                   |
                 4 | /sale/{code:$(digit)$(digit)}
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                wrong:6:1: error: route is unreachable: earlier routes match all of its URLs, e.g. 'https://example.com/buy/a' [shadowed-route]
                   |
                 6 | /buy/{id}  caseSensitive:true
                   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                   |
                   = note: 'https://example.com/buy/a' is handled by '/buy/{product}' on line 2; put the more specific route first
                note: 1 route is not for example.com:
                    wrong:7:1: https://other.example/x
                2 of 5 routes reached, 1 rule opens links that no route handles

                """)
    }

    @Test("a parameter with a colon is plain text, and the capture that is meant is named")
    func colons() throws {
        try tool.write("/buy/:path\n/news #{section}\n/sale/:code(\\d+)/:size?\n", to: "colons")
        let outcome = try tool.run("test", "file", "--routes", "colons", "--domain", "example.com")
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                file:7:11: error: 'https://example.com/buy' opens the app, but no route handles it [unhandled-link]
                   |
                 7 |           { "/": "/buy/*" },
                   |           ^^^^^^^^^^^^^^^^^
                   |
                   = note: the rule opens /buy/*; add a route for the rest, or exclude it
                colons:1:6: warning: ':path' is plain text in a route; a capture is written '{path}' [router-placeholder]
                   |
                 1 | /buy/:path
                   |      ^^^^^
                   |
                   = help: write '{path}'
                colons:3:1: error: route is unreachable: the file opens none of its URLs, e.g. 'https://example.com/sale/:code(\\d+)/:sizea' [unsent-route]
                   |
                 3 | /sale/:code(\\d+)/:size?
                   | ^^^^^^^^^^^^^^^^^^^^^^^
                   |
                   = note: ':code(\\d+)' is plain text in a route; a capture is written '{code}'
                   = help: write captures in { }
                2 of 3 routes reached, 1 rule opens links that no route handles

                """)
        let json = try tool.run("test", "file", "--routes", "colons", "--domain", "example.com", "--format", "json")
        #expect(json.status == 1)
        #expect(json.errors == "warning: ':path' is plain text in a route; a capture is written '{path}'\n")
        try tool.write("/buy/{path:*}\n/buy/10:30\n/news #{section}\n/buy/:1\n", to: "times")
        #expect(!(try tool.run("test", "file", "--routes", "times").text.contains("router-placeholder")))
    }

    @Test("of a route that is too long its beginning is shown")
    func longRoute() throws {
        let long = "https://other.example/" + String(repeating: "x", count: 2_000)
        let outcome = try tool.run("test", "file", "--routes", "-", "--domain", "example.com", input: long)
        #expect(outcome.text.contains("    <standard input>:1:1: \(long.prefix(200))…\n"))
    }

    @Test("JSON says the same")
    func json() throws {
        let outcome = try tool.run("test", "file", "--routes", "wrong", "--format", "json", "--domain", "example.com")
        #expect(outcome.status == 1)
        let report = try outcome.object()
        #expect(report["version"] as? Int == 1)
        for key in ["cases", "passed", "failed", "unreached"] { #expect(report[key] is NSNull, "\(key)") }
        let coverage = try #require(report["coverage"] as? [String: Any])
        #expect(coverage["appID"] as? String == Self.app && coverage["host"] as? String == "example.com")
        #expect(coverage["isComplete"] as? Bool == false && coverage["isDecided"] as? Bool == true)
        let unhandled = try #require(coverage["unhandled"] as? [[String: Any]])
        #expect(unhandled.map { $0["witness"] as? String } == ["https://example.com/buy"])
        #expect(
            (unhandled.first?["rule"] as? [String: Any])?["pointer"] as? String == "/applinks/details/0/components/1")
        let routes = try #require(coverage["routes"] as? [[String: Any]])
        #expect(routes.map { $0["line"] as? Int } == [2, 3, 4, 6, 7, 8])
        #expect(
            routes.map { $0["state"] as? String } == [
                "reached", "excluded", "neverSent", "shadowed", "otherHost", "reached",
            ])
        #expect(routes.map { $0["shadowedBy"] as? Int } == [nil, nil, nil, 0, nil, nil])
        #expect(routes.map { ($0["rule"] as? [String: Any])?["line"] as? Int } == [7, 6, nil, nil, nil, 8])
        #expect(routes.map { $0["witness"] is String } == [true, true, true, true, false, true])
        #expect(routes.first?["route"] as? String == "/buy/{product}")
        #expect((coverage["undecided"] as? [Any])?.isEmpty == true)
    }

    @Test("cases and routes can be checked together, and either fails the command")
    func together() throws {
        try tool.write(#"[{"url": "https://shop.example/buy/1", "opens": "any"}]"#, to: "cases")
        try tool.write(#"[{"url": "https://shop.example/buy/1", "opens": []}]"#, to: "failing")
        let both = try tool.run("test", "file", "cases", "--routes", "routes")
        #expect(both.status == 0)
        #expect(
            both.text.hasSuffix(
                """
                Result: ok. 1 passed, 0 failed
                2 of 2 routes reached, every link is handled

                """))
        #expect(try tool.run("test", "file", "failing", "--routes", "routes").status == 1)
        #expect(try tool.run("test", "file", "cases", "--routes", "wrong").status == 1)
        let json = try tool.run("test", "file", "cases", "--routes", "routes", "--format", "json").object()
        #expect(json["passed"] as? Int == 1)
        #expect((json["coverage"] as? [String: Any])?["isComplete"] as? Bool == true)
        let cases = try tool.run("test", "file", "cases", "--format", "json").object()
        #expect(cases["coverage"] is NSNull)
    }

    @Test("the app and the host can be said, and have to be where they are not clear")
    func choices() throws {
        try tool.write(
            """
            {"applinks": {"details": [
              {"appIDs": ["A.a"], "components": [{"/": "/a"}]}, {"appIDs": ["A.b"], "components": [{"/": "/b"}]}
            ]}}
            """, to: "two")
        let unclear = try tool.run("test", "two", "--routes", "-", input: "/a")
        #expect(unclear.status == 64 && unclear.text.isEmpty)
        #expect(
            unclear.errors == """
                error: 'two' has several apps that open different links, 'A.a', 'A.b'; choose one with --app

                """)
        #expect(try tool.run("test", "two", "--routes", "-", "--app", "A.a", input: "/a").status == 0)
        #expect(try tool.run("test", "two", "--routes", "-", "--app", "A.b", input: "/a").status == 1)
        #expect(try tool.run("test", "two", "--routes", "-", "--app", "A.c", input: "/a").status == 64)

        let hosts = "https://a.shop.example/buy/{x:*}\nhttps://b.shop.example/{x:*}\nhttps://shop.example/*\n/news"
        let several = try tool.run("test", "file", "--routes", "-", input: hosts)
        #expect(several.status == 64)
        #expect(
            several.errors == """
                error: the routes are for several hosts, 'a.shop.example', 'b.shop.example', 'shop.example'; choose the one \
                that has the file with --domain

                """)
        let wildcard = try tool.run("test", "file", "--routes", "-", "--domain", "*.shop.example", input: hosts)
        #expect(wildcard.status == 64)
        #expect(
            wildcard.errors == """
                error: --domain: the routes are for several hosts; give one of them: 'a.shop.example', 'b.shop.example'

                """)
        let one = "https://a.shop.example/buy/{x:*}\nhttps://shop.example/*\n/news"
        let found = try tool.run("test", "file", "--routes", "-", "--domain", "*.shop.example", input: one)
        #expect(found.status == 0)
        #expect(
            found.text.contains(
                "note: 1 route is not for a.shop.example:\n    <standard input>:2:1: https://shop.example/*\n"))
        let other = try tool.run("test", "file", "--routes", "routes", "--domain", "*.shop.example", "--format", "json")
        #expect((try other.object()["coverage"] as? [String: Any])?["host"] as? String == "www.shop.example")
    }

    @Test("what cannot be used is exit 64, 65 or 66 and says why")
    func mistakes() throws {
        let broken = try tool.run("test", "file", "--routes", "-", input: "/a\n/{b\n")
        #expect(broken.status == 65 && broken.text.isEmpty)
        #expect(broken.errors.hasPrefix("<standard input>:2:"))
        #expect(broken.errors.contains(" [invalid-route]\n"))
        #expect(try tool.run("test", "-", "--routes", "routes", input: "{,}").status == 65)
        let large = "/a\n" + String(repeating: "#", count: 16 << 20) + "\n/{b\n"
        let unread = try tool.run("test", "file", "--routes", "-", input: large)
        #expect(unread.status == 65 && unread.text.isEmpty)
        #expect(
            unread.errors == """
                <standard input>:1:1: error: the file has more than 16,777,216 bytes and is not read [file-too-large]

                """)
        let missing = try tool.run("test", "file", "--routes", "missing")
        #expect(missing.status == 66)
        #expect(missing.errors == "error: cannot read 'missing': no such file or directory\n")
        #expect(try tool.run("test", "missing", "--routes", "routes").status == 66)
        for arguments in [
            ["file"], ["file", "cases", "--app", "A.a"], ["-", "--routes", "-"], ["file", "-", "--routes", "-"],
        ] {
            let outcome = try tool.shell("\"$tool\" test \(arguments.joined(separator: " "))")
            #expect(outcome.status == 64, "\(arguments)")
            #expect(outcome.errors.hasPrefix("error: "), "\(outcome.errors)")
        }
    }

    @Test("a list without routes is worth a warning")
    func empty() throws {
        let outcome = try tool.run("test", "-", "--routes", "/dev/null", input: "{}")
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                /dev/null:1:1: warning: the list has no routes [no-routes]
                0 of 0 routes reached, every link is handled

                """)
        let json = try tool.run("test", "-", "--routes", "/dev/null", "--format", "json", input: "{}")
        #expect(json.status == 0 && json.errors == "warning: the list has no routes\n")
        #expect(try tool.run("test", "file", "--routes", "/dev/null").status == 1)
    }
}
