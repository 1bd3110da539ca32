import Foundation
import TestSupport
import Testing

/// The rules that `aasa route --explain` shows beside a decision (cli.md).
@Suite("aasa route --explain", .waiting)
struct RouteExplainTests {
    private let sample: RouteSample
    private var file: String { sample.file }

    init() throws { sample = try RouteSample() }

    private func route(_ arguments: [String]) throws -> Shell.Outcome { try sample.route(arguments) }

    private func object(_ line: some StringProtocol) throws -> [String: Any] { try sample.object(line) }

    private func explain(_ urls: String..., locale: String = "C") throws -> String {
        try Shell.run(
            [
                "env", "LC_ALL=\(locale)", "TERM=xterm", RunningServer.executable, "route", file, "--explain",
            ]
                + urls
        ).text
    }

    @Test("--explain lists every rule that was tried and the part that failed")
    func trace() throws {
        let outcome = try route([file, "--explain", "--format", "json", "https://example.com/NEWS/1#web"])
        let trace = try #require(object(outcome.text)["trace"] as? [[String: Any]])
        #expect(trace.map { $0["component"] as? Int } == [0, 1, 2, 3])
        #expect(trace.map { $0["matched"] as? Bool } == [false, false, false, true])
        #expect(trace.map { $0["failed"] as? String } == ["path", "path", "path", nil])
        #expect(trace.map { $0["pattern"] as? String } == ["/help/*", "/buy/*", "/news/*", nil])
        #expect(trace.map { $0["value"] as? String } == ["/NEWS/1", "/NEWS/1", "/NEWS/1", nil])
        #expect(trace[0]["detail"] as? Int == 0)

        let query = try object(
            route([file, "--explain", "--format", "json", "https://example.com/buy/1?product="]).text)
        let tried = try #require((query["trace"] as? [[String: Any]])?[1])
        #expect(tried["failed"] as? String == "query")
        #expect(tried["pattern"] as? String == "product=?*")
        #expect(tried["value"] as? String == "product=")

        #expect(try object(route([file, "--format", "json", "https://a.example/"]).text)["trace"] == nil)
    }

    @Test("text with --explain has a row for each rule, with what did not match")
    func explainedText() throws {
        #expect(
            try explain("https://example.com/buy/1", locale: "C.UTF-8") == """
                stays in browser  https://example.com/buy/1
                                  no rule matches

                  ✗ \(file):6  exclude  /help/*               path: 'buy' is not 'help'
                  ✗ \(file):7  open     /buy/*  ? product=?*  query: no 'product'
                  ✗ \(file):8  exclude  /news/*  # web        path: 'buy' is not 'news'
                  ✗ \(file):9  open     /news/*  (any case)   path: 'buy' is not 'news'

                """)
        #expect(
            try explain("https://example.com/NEWS/1#web", "https://example.com/help/x", locale: "de_DE.utf8") == """
                open              https://example.com/NEWS/1#web
                                  ABCDE12345.com.example.app
                                  ABCDE12345.com.example.beta
                                  \(file):9:11: /news/*  (any case)

                  ✗ \(file):6  exclude  /help/*               path: 'NEWS' is not 'help'
                  ✗ \(file):7  open     /buy/*  ? product=?*  path: 'NEWS' is not 'buy'
                  ✗ \(file):8  exclude  /news/*  # web        path: letter case differs
                  ✓ \(file):9  open     /news/*  (any case)   matches

                excluded          https://example.com/help/x
                                  \(file):6:11: excludes /help/*  "help stays on the web"

                  ✓ \(file):6  exclude  /help/*  matches

                """)
    }

    @Test("marks are ASCII where the locale is not UTF-8, or the terminal is dumb")
    func plainMarks() throws {
        let rows = try explain("https://example.com/news/1#x").split(separator: "\n").filter { $0.contains(file + ":") }
        #expect(rows.dropFirst().map { String($0.prefix(5)) } == ["  x  ", "  x  ", "  x  ", "  ok "])
        let dumb = try Shell.run(
            [
                "env", "LC_ALL=C.UTF-8", "TERM=dumb", RunningServer.executable, "route", file, "--explain",
                "https://a.b/",
            ])
        #expect(dumb.text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(
        "a reason says which part did not match and how",
        arguments: [
            ("https://example.com/buy/1?product=", "query: 'product=' does not match"),
            ("https://example.com/buy", "query: no 'product'"),
            ("https://example.com/Buy/1?product=2", "path: letter case differs"),
            ("https://example.com/", "path does not match"),
            ("https://example.com/news/1", "fragment: the URL has none"),
            ("https://example.com/news/1#x", "fragment: 'x' does not match"),
        ])
    func reasons(url: String, reason: String) throws {
        #expect(try explain(url).contains("  \(reason)\n"))
    }

    @Test("at every width of a terminal the rows fit, and reasons go below long patterns", arguments: [60, 80, 120])
    func widths(columns: Int) throws {
        let terminal = try PseudoTerminal()
        let tool = RunningServer.executable
        try terminal.run(
            "stty cols \(columns) -onlcr; '\(tool)' route '\(file)' --explain https://example.com/buy/1; echo done",
            environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1"])
        #expect(terminal.waits(for: "done\n"))
        let text = terminal.text
        let rows = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("  ✗ ") || $0.contains("is not '") }
        #expect(!rows.isEmpty && rows.allSatisfy { $0.count <= columns }, "\(text)")
        let name = columns == 120 ? "apple-app-site-association:6" : "line 6"
        #expect(rows.first?.hasPrefix("  ✗ \(name)  exclude  /help/*") == true)
    }

    @Test("--explain says that paths beside components are not used")
    func unusedPaths() throws {
        let both = try sample.folder.write(
            """
            {"applinks":{"details":[{"appID":"ABCDE12345.com.example.app",
              "paths": ["/*"],
              "components": [{"/":"/buy/*"}]}]}}
            """, to: "both.json")
        let explained = try route([both, "--explain", "https://example.com/x"]).text
        #expect(
            explained.hasSuffix(
                "\n  note: 'paths' on line 2 are not used, because 'components' are in the same entry; only iOS 12 "
                    + "and older read them\n"))
        #expect(try !route([both, "https://example.com/x"]).text.contains("note:"))
    }
}
