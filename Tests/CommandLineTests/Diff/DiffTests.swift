import Foundation
import TestSupport
import Testing

/// The contract of `aasa diff` (cli.md, and validation.md, 8).
@Suite("aasa diff", .waiting)
struct DiffTests {
    private let folder: TemporaryFolder
    private let old: String
    private let new: String

    private static func file(_ components: [String], services: String = "") -> String {
        """
        {
          "applinks": { "details": [{
            "appIDs": ["ABCDE12345.com.example.app"],
            "components": [
              \(components.joined(separator: ",\n      "))
            ] }] }\(services)
        }
        """
    }

    init() throws {
        folder = try TemporaryFolder()
        old = try folder.write(
            Self.file(
                [#"{ "/": "/help/*" }"#, #"{ "/": "/buy/*" }"#],
                services: #", "webcredentials": { "apps": ["ABCDE12345.com.example.app"] }"#), to: "old.json")
        new = try folder.write(
            Self.file([
                #"{ "/": "/help/?*", "exclude": true }"#, #"{ "/": "/help" }"#,
                #"{ "/": "/buy/*", "comment": "shop" }"#,
                #"{ "/": "/news/*" }"#,
            ]), to: "new.json")
    }

    private func diff(_ arguments: [String], input: String = "") throws -> Shell.Outcome {
        try Shell.run([RunningServer.executable, "diff"] + arguments, input: Data(input.utf8))
    }

    @Test("text shows a URL and both rules, and sums up")
    func text() throws {
        let outcome = try diff([old, new])
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                - now excluded        https://example.com/help/a
                    \(old):5:7: /help/*            ABCDE12345.com.example.app
                    \(new):5:7: excludes /help/?*
                + opens               https://example.com/news
                    \(old): no rule matches
                    \(new):8:7: /news/*      ABCDE12345.com.example.app
                note: webcredentials no longer has ABCDE12345.com.example.app
                2 changes

                """)
    }

    @Test("on a narrow terminal the apps are below the rule that opens them")
    func narrow() throws {
        let terminal = try PseudoTerminal()
        try terminal.run(
            "stty cols 40; cd '\(folder.path)'; '\(RunningServer.executable)' diff old.json new.json --color never",
            environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"])
        #expect(terminal.exitStatus() == 1)
        #expect(
            terminal.text.replacing("\r\n", with: "\n").hasPrefix(
                """
                - now excluded        https://example.com/help/a
                    old.json:5:7: /help/*
                        ABCDE12345.com.example.app
                    new.json:5:7: excludes /help/?*

                """), "\(terminal.text)")
    }

    @Test("JSON is one line, keys sorted, absent rules null")
    func json() throws {
        let outcome = try diff([old, new, "--format", "json", "--domain", "*.shop.example"])
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                {"changes":[{"kind":"now excluded",\
                "new":{"appIDs":[],"line":5,"outcome":"excluded","pointer":"/applinks/details/0/components/0"},\
                "old":{"appIDs":["ABCDE12345.com.example.app"],"line":5,"outcome":"open",\
                "pointer":"/applinks/details/0/components/0"},"witness":"https://www.shop.example/help/a"},\
                {"kind":"opens",\
                "new":{"appIDs":["ABCDE12345.com.example.app"],"line":8,"outcome":"open",\
                "pointer":"/applinks/details/0/components/3"},\
                "old":{"appIDs":[],"line":null,"outcome":"noMatch","pointer":null},\
                "witness":"https://www.shop.example/news"}],\
                "services":[{"added":[],"removed":["ABCDE12345.com.example.app"],"service":"webcredentials"}],\
                "undecided":[],"version":1}

                """)
    }

    @Test("no link changes is exit 0, also when other services change")
    func noChange() throws {
        let same = try diff([old, old])
        #expect(same.status == 0)
        #expect(same.text == "no link changes\n")
        let services = try folder.write(
            Self.file([#"{ "/": "/buy/*" }"#, #"{ "/": "/help/*", "comment": "moved" }"#]), to: "services.json")
        let outcome = try diff([old, services, "--format", "json"])
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                {"changes":[],"services":[{"added":[],"removed":["ABCDE12345.com.example.app"],\
                "service":"webcredentials"}],"undecided":[],"version":1}

                """)
    }

    @Test("every witness is answered differently by route")
    func witnesses() throws {
        let outcome = try diff([old, new, "--format", "json"])
        let object = try #require(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        for change in try #require(object["changes"] as? [[String: Any]]) {
            let witness = try #require(change["witness"] as? String)
            for (file, key) in [(old, "old"), (new, "new")] {
                let route = try Shell.run([RunningServer.executable, "route", file, witness, "--format", "json"])
                let answer = try #require(JSONSerialization.jsonObject(with: route.output) as? [String: Any])
                let told = try #require(change[key] as? [String: Any])
                #expect(answer["outcome"] as? String == told["outcome"] as? String)
                #expect(answer["appIDs"] as? [String] == told["appIDs"] as? [String])
                let rule = answer["rule"] as? [String: Any]
                #expect(rule?["pointer"] as? String == told["pointer"] as? String)
            }
        }
    }

    @Test("one of the files may be standard input")
    func standardInput() throws {
        let text = try String(contentsOfFile: new, encoding: .utf8)
        #expect(try diff([old, "-"], input: text).status == 1)
        #expect(try diff(["-", new], input: text).status == 0)
        let both = try diff(["-", "-"], input: text)
        #expect(both.status == 64)
        #expect(both.text.isEmpty)
    }

    @Test("usage errors are 64, unusable files 65, missing ones 66")
    func failures() throws {
        let bad = try folder.write("{", to: "bad.json")
        #expect(try diff([]).status == 64)
        #expect(try diff([old]).status == 64)
        #expect(try diff([old, new, "--format", "xml"]).status == 64)
        #expect(try diff([old, new, "--domain", "a b"]).status == 64)
        for arguments in [[bad, new], [old, bad]] {
            let outcome = try diff(arguments)
            #expect(outcome.status == 65)
            #expect(outcome.text.isEmpty)
            #expect(outcome.errors.contains("\(bad):1:1: error: "))
        }
        #expect(try diff([old, "\(folder.path)/none.json"]).status == 66)
        #expect(try diff(["\(folder.path)/none.json", new]).status == 66)
    }

    @Test("colors are shown when they are asked for")
    func colors() throws {
        #expect(try diff([old, new, "--color", "always"]).text.hasPrefix("\u{1B}[31m- now excluded      \u{1B}[0m  "))
        #expect(try !diff([old, new]).text.contains("\u{1B}"))
    }

    @Test("annotations and JUnit have a failure for each change")
    func checkFormats() throws {
        let json = try diff([old, new, "--format", "json"])
        let object = try #require(JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        let changes = try #require(object["changes"] as? [[String: Any]])
        let github = try diff([old, new, "--format", "github"])
        #expect(github.status == 1)
        let lines = github.text.split(separator: "\n")
        #expect(lines.count == changes.count && !changes.isEmpty)
        for (line, change) in zip(lines, changes) {
            let kind = try #require(change["kind"] as? String)
            let witness = try #require(change["witness"] as? String)
            #expect(line.hasPrefix("::error file="))
            #expect(line.contains(",title=link changes::\(kind): \(witness)%0Aold: "))
        }
        let junit = try diff([old, new, "--format", "junit"])
        #expect(junit.status == 1)
        #expect(junit.text.contains(" tests=\"\(changes.count)\" failures=\"\(changes.count)\" errors=\"0\">"))
        #expect(junit.text.matches(of: /<failure message="/).count == changes.count)

        let same = try diff([old, old, "--format", "junit"])
        #expect(same.status == 0)
        #expect(same.text.contains("tests=\"1\" failures=\"0\" errors=\"0\""))
        #expect(same.text.contains("name=\"no link changes\""))
        let none = try diff([old, old, "--format", "github"])
        #expect(none.status == 0 && none.text.isEmpty)
    }
}
