import CommandLineSupport
import Foundation
import TestSupport
import Testing

/// The contract of `certcheck codes` and `certcheck explain`, and what the programs know of each other's codes.
@Suite("certcheck codes and certcheck explain", .waiting)
struct CertcheckExplainTests {
    private let tool: BuiltTool

    init() throws {
        tool = try .certcheck()
    }

    private func codes() throws -> [[String: Any]] {
        try #require(try tool.run("codes", "--format", "json").object()["codes"] as? [[String: Any]])
    }

    @Test("every code has a meaning, a reason and an advice")
    func complete() throws {
        let codes = try codes()
        #expect(codes.count > 30)
        for code in codes {
            let name = code["code"] as? String ?? ""
            for key in ["summary", "reason", "advice"] {
                #expect((code[key] as? String)?.isEmpty == false, "\(name): \(key)")
            }
            #expect((code["summary"] as? String)?.hasSuffix(".") == false, "\(name)")
            for key in ["reason", "advice"] { #expect((code[key] as? String)?.hasSuffix(".") == true, "\(name)") }
            let text = try tool.run("explain", name)
            #expect(text.status == 0 && text.errors.isEmpty)
            #expect(text.text.hasPrefix("\(name) ("), "\(name)")
            #expect(text.text.contains("What to do: "), "\(name)")
            #expect(text.text.split(separator: "\n").dropFirst().allSatisfy { $0.utf8.count <= 80 }, "\(name)")
        }
        let listed = try tool.run("codes").text.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(listed == codes.compactMap { $0["code"] as? String })
    }

    @Test("a key that is missing is explained as what it is: critical")
    func example() throws {
        let outcome = try tool.run("explain", "no-private-key", "superseded")
        #expect(outcome.text.hasPrefix("no-private-key (critical, warning, note): the private key is not in the"))
        #expect(outcome.text.contains("\n\nsuperseded (note): "))
        let object = try tool.run("explain", "--format", "json", "superseded").object()
        #expect(object["tool"] as? String == "certcheck" && object["version"] as? Int == 1)
        #expect((object["codes"] as? [[String: Any]])?.first?["code"] as? String == "superseded")
    }

    @Test("an unknown code is exit 3; the nearest one is named, and the program that has it")
    func unknown() throws {
        for (code, words) in [
            ("expires-son", "unknown code 'expires-son'; did you mean 'expires-soon'?"),
            ("qqqqqq\u{1B}", #"unknown code 'qqqqqq\u001B'; 'certcheck codes' lists them"#),
            ("dead-exclude", "'dead-exclude' is a code of aasa; run 'aasa explain dead-exclude'"),
        ] {
            let outcome = try tool.run("explain", "expired", code)
            #expect(outcome.status == 3 && outcome.text.isEmpty)
            #expect(outcome.errors == "error: \(words)\n")
        }
        #expect(try tool.run("explain").status == 3)
    }

    @Test("'check' and 'p12' are the same command, and the one without a name")
    func names() throws {
        try tool.write(CertcheckSamples.certificate(days: 10), to: "a.cer")
        let outcomes = [try tool.run("check", "a.cer"), try tool.run("p12", "a.cer"), try tool.run("a.cer")]
        #expect(outcomes.allSatisfy { $0.status == outcomes[0].status && !$0.text.isEmpty })
        #expect(Set(outcomes.map(\.text)).count == 1)
        let help = try tool.run("--help").text
        #expect(help.contains("\n  check, p12 (default)") && help.contains("\n  explain"))
    }
}
