import AssociationLint
import Diagnostics
import FindingCatalogue
import Foundation
import TestSupport
import Testing

/// The contract of `aasa rules` and `aasa explain` (validation.md, 7).
@Suite("aasa rules and aasa explain", .waiting)
struct RulesTests {
    private let tool: BuiltTool

    init() throws {
        tool = try BuiltTool()
    }

    private func rules() throws -> [[String: Any]] {
        let report = try tool.run("rules", "--format", "json").object()
        #expect(report["version"] as? Int == 1)
        return try #require(report["rules"] as? [[String: Any]])
    }

    @Test("text, JSON and Markdown list the same codes")
    func lists() throws {
        let rules = try rules()
        let codes = rules.compactMap { $0["code"] as? String }
        #expect(codes.count > 100 && Set(codes).count == codes.count)
        for rule in rules {
            let code = rule["code"] as? String ?? ""
            #expect(code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil)
            #expect(["error", "warning", "note", "off"].contains(rule["severity"] as? String), "\(code)")
            for key in ["summary", "reason", "bad", "good", "group"] { #expect(rule[key] is String, "\(code): \(key)") }
            #expect((rule["summary"] as? String)?.hasSuffix(".") == false, "\(code)")
            #expect((rule["basis"] as? [String])?.isEmpty == false, "\(code)")
            let fix = rule["fix"]
            #expect(fix is NSNull || ["automatic", "suggested", "displayOnly"].contains(fix as? String), "\(code)")
        }

        let blocks = try tool.run("rules").text.split(separator: "\n\n").map { $0.split(separator: "\n") }
        #expect(blocks.flatMap { $0.dropFirst().map { String($0.dropFirst(2).prefix { $0 != " " }) } } == codes)
        let titles = rules.compactMap { $0["group"] as? String }.reduce(into: [String]()) {
            if $0.last != $1 { $0.append($1) }
        }
        #expect(blocks.map { $0.first.map(String.init) } == titles.map { "\($0):" })
        let parts = try #require(blocks.first?.dropFirst().first).split(separator: " ", maxSplits: 2)
        #expect(parts.prefix(2) == ["empty-file", "error"])

        let page = try tool.run("rules", "--format", "markdown").text
        let table = page.split(separator: "\n")
        #expect(table.prefix(2) == ["| code | severity | finds that | fix |", "|---|---|---|---|"])
        #expect(table.dropFirst(2).map { String($0.split(separator: "`")[1]) } == codes)
        #expect(table.allSatisfy { $0.replacing(#"\|"#, with: "").count { $0 == "|" } == 5 })
        #expect(codes.allSatisfy { page.contains("| [`\($0)`](rules/\($0).md) |") })

        let pages = try tool.run("explain", "--format", "markdown", codes[0], codes[1]).text
        #expect(pages.hasPrefix("# `\(codes[0])`\n\n") && pages.contains("\n\n# `\(codes[1])`\n\n"))
    }

    @Test("codes are found by a word in them, in their summaries, or in their subjects, as people say it")
    func search() throws {
        let blocks = try tool.run("rules", "fingerprint").text.split(separator: "\n\n")
        #expect(
            blocks.map { $0.split(separator: "\n").first } == [
                "assetlinks.json, for Android:", "Copies that Apple and Google keep:",
            ])
        #expect(blocks.first?.contains("\n  invalid-fingerprint             warning  ") == true)
        func codes(_ words: String...) throws -> [String] {
            let outcome = try tool.run("rules", "--format", "json", words.joined(separator: " "))
            let rules = try outcome.object()["rules"] as? [[String: Any]]
            return rules?.compactMap { $0["code"] as? String } ?? []
        }
        #expect(try codes("sha256").contains("invalid-fingerprint"))
        #expect(try codes("Team ID").contains("invalid-app-id"))
        #expect(try codes("redirects") == codes("301"))
        #expect(try codes("unused variable").contains("unused-variable"))
        // Where neither codes nor summaries have it, the reasons do.
        #expect(try !codes("TestFlight").isEmpty)

        let none = try tool.run("rules", "qqqqqqqq")
        #expect(none.status == 1 && none.text.isEmpty)
        #expect(none.errors == "error: no code matches 'qqqqqqqq'; 'aasa rules' lists all\n")
        let other = try tool.run("rules", "superseded")
        #expect(other.status == 1)
        #expect(other.errors == "error: no code matches 'superseded'; 'certcheck codes' lists those of certcheck\n")
    }

    @Test("every code is explained with an example that shows it")
    func explanations() throws {
        let codes = try rules().compactMap { $0["code"] as? String }
        // One process for all: what takes long is to start it and to get ready.
        let outcome = try Shell.run([RunningServer.executable, "explain"] + codes)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        var blocks: [[Substring]] = []
        for line in outcome.text.split(separator: "\n") {
            if blocks.count < codes.count, line.hasPrefix("\(codes[blocks.count]) (") { blocks.append([]) }
            try #require(!blocks.isEmpty)
            blocks[blocks.count - 1].append(line)
        }
        #expect(blocks.count == codes.count)
        for (code, block) in zip(codes, blocks) {
            #expect(block.count > 7, "\(code)")
            #expect(["error", "warning", "note"].contains { block[0].hasPrefix("\(code) (\($0)") }, "\(code)")
            #expect(block.contains("Bad:") && block.contains("Good:"), "\(code)")
            #expect(block.contains { $0.hasPrefix("Source: ") }, "\(code)")
            // No file shows it, and nothing but a person can fix it.
            if AllRules.catalogue[String(code)]?.subject.finder != nil {
                #expect(block.contains("What to do:"), "\(code)")
                continue
            }
            #expect(block.contains { $0.hasPrefix("Fix: ") }, "\(code)")
            let found = block.filter {
                $0.hasPrefix("    ")
                    && $0.wholeMatch(of: /\ {4}.+?:\d+:\d+: (error|warning|note): .* \[[a-z0-9-]+\]/) != nil
            }
            #expect(!found.isEmpty && found.allSatisfy { $0.hasSuffix(" [\(code)]") }, "\(code)")
        }
        #expect(outcome.text.contains("only with '--severity parent-path-included=warning'"))
        #expect(outcome.text.contains("Output, with '--minimum-ios 13.0':"))
    }

    @Test("an unknown code is exit 64 and names the nearest ones")
    func unknown() throws {
        let near = try tool.run("explain", "missing-appid")
        #expect(near.status == 64)
        #expect(near.text.isEmpty)
        #expect(
            near.errors == "error: unknown code 'missing-appid'; did you mean 'missing-app-id' or 'missing-apps'?\n")
        let far = try tool.run("explain", "qqqqqqqq\u{1B}")
        #expect(far.status == 64)
        #expect(far.errors == #"error: unknown code 'qqqqqqqq\x1b'; 'aasa rules' lists them"# + "\n")
        #expect(try tool.run("explain").status == 64)
        let several = try tool.run("explain", "dead-exclude", "nosuch-code-at-all", "expired")
        #expect(several.status == 64 && several.text.isEmpty)
        #expect(
            several.errors == """
                error: unknown code 'nosuch-code-at-all'; 'aasa rules' lists them
                error: 'expired' is a code of certcheck; run 'certcheck explain expired'

                """)
    }

    @Test("several codes are explained one after the other")
    func several() throws {
        let (first, second) = (try tool.run("explain", "dead-exclude"), try tool.run("explain", "empty-file"))
        let both = try tool.run("explain", "dead-exclude", "empty-file")
        #expect(both.status == 0 && both.text == first.text + "\n" + second.text)
        let rules = try tool.run("explain", "--format", "json", "dead-exclude", "empty-file").object()["rules"]
        let codes = (rules as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes == ["dead-exclude", "empty-file"])
    }

    @Test("JSON has one of the rules as the list has it")
    func json() throws {
        let report = try tool.run("explain", "dead-exclude", "--format", "json").object()
        #expect(report["version"] as? Int == 1)
        let rule = try #require(report["rule"] as? [String: Any])
        let listed = try #require(rules().first { $0["code"] as? String == "dead-exclude" })
        #expect(NSDictionary(dictionary: rule) == NSDictionary(dictionary: listed))
    }
}
