import AssociationConsole
import AssociationLint
import ConsoleSamples
import Diagnostics
import Foundation
import HTTP1
import Testing

/// Lists of links in the API (console.md, sections 3 and 4).
struct LinkAPITests {
    private static let responder = ConsoleResponder(
        rules: RuleRegistry.catalogue, version: "1.2.3", unwrap: { _ in nil }, refusal: { _, _, _ in nil })
    private static let app = "7K3QWZ9PLM.com.shop.app"
    private static let file = """
        {"applinks":{"details":[{"appIDs":["\(app)"],"components":[
        {"/":"/help/*","exclude":true},{"/":"/buy/*"}]}]}}
        """
    private static let links = """
        [{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app",
        "package_name":"com.shop.app","sha256_cert_fingerprints":
        ["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"]},
        "relation_extensions":{"delegate_permission/common.handle_all_urls":{"dynamic_app_link_components":[
        {"/":"/help/*","exclude":true},{"/":"/buy/*"}]}}}]
        """

    private func test(_ cases: String, _ more: [String: Any] = [:]) throws -> [String: Any] {
        let object = ["text": Self.file, "cases": cases].merging(more) { $1 }
        let body = try JSONSerialization.data(withJSONObject: object)
        let head =
            "POST /api/v1/test HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        var request = try #require(ConsoleRequest(parsing: head.utf8))
        request.body = Array(body)
        let answer = Self.responder.answer(request, .server(SampleServer(sites: 1)), now: SampleServer.now)
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    private func cases(_ answer: [String: Any]) throws -> [[String: Any]] {
        try #require(answer["cases"] as? [[String: Any]], "\(answer)")
    }

    @Test(
        "a line expects what aasa test says, or what the table says; a URL alone only asks",
        arguments: [
            ("https://shop.app/buy/7", "{}", nil), ("shop.app/buy/7", "{}", nil),
            ("https://shop.app/buy/7 \(app)", #"{"opens":["\#(app)"]}"#, true),
            ("https://shop.app/buy/7 ABCDE12345.x.y # c", #"{"opens":["ABCDE12345.x.y"]}"#, false),
            ("https://shop.app/buy/7 opens", #"{"opens":"any"}"#, true),
            ("https://shop.app/x Open", #"{"opens":"any"}"#, false),
            ("https://shop.app/buy/7 opens \(app)", #"{"opens":["\#(app)"]}"#, true),
            ("!https://shop.app/x", #"{"opens":[]}"#, true), ("!shop.app/buy/7", #"{"opens":[]}"#, false),
            ("https://shop.app/x stays in browser", #"{"opens":[]}"#, true),
            ("https://shop.app/x none", #"{"opens":[]}"#, true),
            ("https://shop.app/help/x excluded", #"{"excluded":true}"#, true),
            (#"[{"url":"https://shop.app/help/x","excluded":true}]"#, #"{"excluded":true}"#, true),
        ] as [(String, String, Bool?)])
    func line(line: String, expected: String, held: Bool?) throws {
        let list = line.hasPrefix("[") ? line : "# a comment\n\n\(line)\n"
        let one = try #require(cases(test(list)).first)
        let wanted = try JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSDictionary
        #expect(one["expected"] as? NSDictionary == wanted)
        let verdict = try #require(one["held"] as? [String: Any])
        #expect(verdict["apple"] as? Bool == held && verdict["android"] is NSNull)
        #expect((one["route"] as? [String: Any])?["outcome"] is String)
    }

    @Test("a line that cannot be read has a finding, and the others are decided")
    func broken() throws {
        let answer = try test("https://shop.app/buy/7\nnothing\nhttps://shop.app/x word\n!\n")
        #expect(try cases(answer).count == 1)
        let findings = try #require(answer["diagnostics"] as? [[String: Any]])
        #expect(findings.compactMap { $0["code"] as? String } == ["invalid-case", "invalid-case", "invalid-case"])
        #expect(try cases(test("")).isEmpty)
    }

    @Test("the list has what was seen, in the words of aasa test, with its comments")
    func seen() throws {
        let list = try #require(
            test("# all\nshop.app/buy/7 none # one\n  ! https://shop.app/x\nhttps://shop.app/help/y opens\n# end")[
                "list"]
                as? String)
        #expect(
            list
                == "# all\nhttps://shop.app/buy/7 \(Self.app) # one\n!https://shop.app/x\n!https://shop.app/help/y\n# end"
        )
        let again = try test(list)
        #expect(again["failed"] as? Int == 0 && again["list"] as? String == list)
        let both = try #require(
            test("https://shop.app/help/7", ["assetlinks": ["text": Self.links]])["list"] as? String)
        let read = CaseList.read(Array(both.utf8), path: "cases.json")
        #expect(read.diagnostics.isEmpty && read.cases.map(\.expectation) == [.excluded])
    }

    @Test("a package is expected on Android, as is everything where the file is an assetlinks.json")
    func android() throws {
        let mixed = try test(
            "https://shop.app/buy/7 \(Self.app) com.shop.app\nhttps://shop.app/x com.shop.app",
            ["assetlinks": ["text": Self.links]])
        let verdicts = try cases(mixed).map { $0["held"] as? NSDictionary }
        #expect(verdicts == [["apple": true, "android": true], ["apple": NSNull(), "android": false]])
        let own = try cases(
            test(
                "https://shop.app/buy/7 opens\n!https://shop.app/help/x\nhttps://shop.app/x",
                ["text": Self.links]))
        #expect(own.map { ($0["held"] as? [String: Any])?["android"] as? Bool } == [true, true, nil])
        #expect(own.allSatisfy { ($0["outcome"] is NSNull) && ($0["remarks"] as? [Any])?.count == 1 })
        let without = try test("https://shop.app/buy/7 com.shop.app")
        #expect((without["diagnostics"] as? [[String: Any]])?.count == 1)
    }

    @Test("a second file that cannot be used is blamed by its key, and hides nothing; a first one decides nothing")
    func problems() throws {
        let answer = try test(
            "https://shop.app/buy/7", ["assetlinks": ["text": "["], "manifest": ["text": "<manifest/>"]])
        #expect(try cases(answer).count == 1)
        let problems = try #require(answer["problems"] as? [[String: Any]])
        #expect(problems.first?["file"] as? String == "assetlinks" && problems.first?["diagnostics"] != nil)
        #expect(problems.count == 2 && (problems.last?["error"] as? String)?.contains("AndroidManifest.xml") == true)
        let none = try test("https://shop.app/buy/7", ["text": "{"])
        #expect(none["cases"] is NSNull && (none["problems"] as? [[String: Any]])?.first?["file"] is NSNull)
    }

    @Test("the rules that were tried with one link are said in the words of the command")
    func trace() throws {
        let answers = try cases(test("https://shop.app/Buy/7\nhttps://shop.app/sell/7", ["explain": 1]))
        #expect(answers.first?["trace"] is NSNull)
        let rules = try #require((answers.last?["trace"] as? [String: Any])?["rules"] as? [[String: Any]])
        #expect(rules.map { $0["reason"] as? String } == ["path: 'sell' is not 'help'", "path: 'sell' is not 'buy'"])
        #expect(
            rules.map { $0["line"] as? Int } == [2, 2] && rules.map { $0["verb"] as? String } == ["exclude", "open"])
    }

    @Test("keys that are wrong are refused", arguments: [["api": 0], ["api": 10_001], ["explain": -1], ["x": 1]])
    func refused(more: [String: Int]) throws {
        #expect(try test("https://shop.app/", more)["code"] as? String == "bad-request")
        let many = String(repeating: "https://shop.app/\n", count: 1_001)
        #expect(try test(many)["code"] as? String == "bad-request")
    }
}
