import AssociationConsole
import AssociationLint
import ConsoleSamples
import Diagnostics
import Foundation
import HTTP1
import ServiceHealth
import Testing

/// The API (console.md, section 4), as far as a command has no such answer.
struct ConsoleAPITests {
    private static let responder = ConsoleResponder(
        rules: RuleRegistry.catalogue, version: "1.2.3", unwrap: { _ in nil }, refusal: { _, _, _ in nil })
    private static let content = ConsoleContent.server(SampleServer(sites: 300))

    private func answer(_ method: String, _ target: String, _ body: String = "") throws -> (Int, [String: Any]) {
        let head =
            "\(method) /api/v1/\(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n"
        var request = try #require(ConsoleRequest(parsing: head.utf8))
        request.body = Array(body.utf8)
        let answer = Self.responder.answer(request, Self.content, now: SampleServer.now)
        #expect(answer.contentType == "application/json")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        return (Int(answer.status.rawValue), try #require(object))
    }

    private static func json(_ object: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    // MARK: fix

    @Test("the fix of one finding changes what that finding is about, and nothing else")
    func only() throws {
        var tried = 0
        for rule in RuleRegistry.catalogue.rules where rule.subject == .associationFile || rule.subject == .assetLinks {
            guard let text = String(validating: rule.badBytes, as: UTF8.self) else { continue }
            let name = rule.subject == .assetLinks ? "assetlinks.json" : "apple-app-site-association"
            let kind: FileKind = rule.subject == .assetLinks ? .assetLinks : .association
            let before = Linter().check(rule.badBytes, path: name, as: kind)
            guard before.isAsInFile else { continue }
            for finding in before.diagnostics {
                guard let fixIt = finding.fixIts.first(where: { !$0.edits.isEmpty && $0.applicability != .displayOnly })
                else { continue }
                let only = ["code": finding.code.rawValue, "offset": finding.range.start] as [String: Any]
                let (status, object) = try answer(
                    "POST", "fix", try Self.json(["text": text, "name": name, "only": [only]]))
                #expect(status == 200, "\(rule.code): \(object)")
                var expected = rule.badBytes
                for edit in fixIt.edits.reversed() {
                    expected.replaceSubrange(edit.range.start..<edit.range.end, with: Array(edit.replacement.utf8))
                }
                #expect(object["text"] as? String == String(decoding: expected, as: UTF8.self), "\(rule.code)")
                #expect((object["fixed"] as? [[String: Any]])?.first?["fix"] as? String == fixIt.title)
                tried += 1
            }
        }
        #expect(tried > 20)
    }

    @Test("a fix with a placeholder that a person fills in is not applied")
    func placeholders() throws {
        var tried = 0
        for rule in RuleRegistry.catalogue.rules where rule.subject == .associationFile {
            guard let text = String(validating: rule.badBytes, as: UTF8.self) else { continue }
            for finding in Linter().check(rule.badBytes, path: "file").diagnostics {
                let fixIts = finding.fixIts.filter { !$0.edits.isEmpty }
                guard !fixIts.isEmpty, fixIts.allSatisfy({ $0.applicability == .displayOnly }) else { continue }
                let only = ["code": finding.code.rawValue, "offset": finding.range.start] as [String: Any]
                let (status, object) = try answer("POST", "fix", try Self.json(["text": text, "only": [only]]))
                #expect(status == 400, "\(rule.code): \(object)")
                tried += 1
            }
        }
        #expect(tried >= 5)
    }

    @Test("the fix of one finding names a link that it closes, and one that it opens")
    func changedLinks() throws {
        let text = #"""
            {"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[
            {"/":"/a/*"},{"/":"/a/b","exclude":true},{"/":"https://shop.example/c"}]}]}}
            """#
        for (code, message) in [
            ("dead-exclude", "with the fixes, links such as 'https://example.com/a/b' no longer open an app"),
            ("url-in-path", "with the fixes, links such as 'https://example.com/c' now open an app"),
        ] {
            let finding = try #require(
                Linter().check(Array(text.utf8)).diagnostics.first { $0.code.rawValue == code })
            let only = ["code": code, "offset": finding.range.start] as [String: Any]
            let notes = try answer("POST", "fix", Self.json(["text": text, "only": [only]])).1["notes"]
            #expect((notes as? [[String: Any]])?.compactMap { $0["message"] as? String } == [message])
        }
    }

    @Test("a finding that is not there, or has no fix, and a text that is not the file's are refused")
    func refusedFixes() throws {
        let text = #"{"applinks":{"details":[{"appIDs":["x"],"components":[{"/":"/a"},]}]}}"#
        let offset = text.utf8.count - 6
        let good = try answer(
            "POST", "fix", Self.json(["text": text, "only": [["code": "trailing-comma", "offset": offset]]]))
        #expect(good.0 == 200, "\(good.1)")
        let cases: [(Any, String)] = [
            (["text": text, "only": [["code": "trailing-comma", "offset": 1]]], "there is no finding"),
            (["text": text, "only": [["code": "nothing", "offset": offset]]], "there is no finding"),
            (["text": #"["\ud800"]"#, "only": [["code": "lone-surrogate", "offset": 2]]], "has no fix"),
            (["text": text, "only": [["code": "trailing-comma"]]], "'offset' is missing"),
            (["text": text, "only": [], "suggested": true], "there are both"),
            (["text": text, "only": 7], "expected a list"),
        ]
        for (body, message) in cases {
            let (status, object) = try answer("POST", "fix", Self.json(body))
            #expect(status == 400 && object["code"] as? String == "bad-request")
            #expect((object["error"] as? String)?.contains(message) == true, "\(object)")
        }
        let utf16 = Data(text.data(using: .utf16LittleEndian) ?? Data()).base64EncodedString()
        let (status, object) = try answer("POST", "fix", Self.json(["base64": utf16]))
        #expect(status == 422 && object["code"] as? String == "unusable-file")
    }

    @Test("a byte order mark and NUL stay where they are when something else is fixed")
    func kept() throws {
        let text =
            "\u{FEFF}"
            + #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/a"},]}]}}"#
            + "\n\u{0}"
        let found = try answer("POST", "validate", Self.json(["text": text])).1["diagnostics"] as? [[String: Any]] ?? []
        let comma = try #require(found.first { $0["code"] as? String == "trailing-comma" })
        let start = (comma["range"] as? [String: [String: Int]])?["start"]?["offset"]
        let fixed = try answer(
            "POST", "fix",
            Self.json(["text": text, "only": [["code": "trailing-comma", "offset": try #require(start)]]]))
        #expect(fixed.1["text"] as? String == text.replacingOccurrences(of: "},]", with: "}]"))
    }

    // MARK: requests

    @Test(
        "what is wrong with a request is reported with its position",
        arguments: [
            ("validate", "", "the body is empty"), ("validate", "[]", "line 1, column 1: the body is an array"),
            ("validate", "{}", "line 1, column 1: 'text' is missing"),
            ("validate", "{\n \"txt\": \"\"}", "line 2, column 2: unknown key 'txt'; did you mean 'text'?"),
            ("validate", #"{"text": 1}"#, "line 1, column 10: 'text' is a number; expected a string"),
            ("validate", #"{"text": "", "base64": ""}"#, "there are both 'text' and 'base64'"),
            ("validate", #"{"base64": "a"}"#, "'base64' is not base64"),
            ("validate", #"{"base64": "====" }"#, "'base64' is not base64"),
            ("validate", #"{"text": "", "name": "a/b"}"#, "expected a file name without a path"),
            ("validate", #"{"text": "", "name": ""}"#, "expected a file name without a path"),
            ("validate", #"{"text": "",}"#, "line 1, column 12: trailing comma"),
            ("validate", #"{"text": "", "text": ""}"#, "line 1"),
            ("validate", #"{"text": "", "disable": ["dead-exlude"]}"#, "did you mean 'dead-exclude'?"),
            ("validate", #"{"text": "", "severity": {"dead-exclude": "fatal"}}"#, "'fatal' is not a severity"),
            ("validate", #"{"text": "", "minimumIOS": "x"}"#, "'x' is not a version of iOS"),
            ("route", #"{"text": "{}"}"#, "'urls' is missing"),
            ("route", #"{"text": "{}", "urls": []}"#, "'urls' is empty"),
            ("route", #"{"text": "{}", "urls": [7]}"#, "column 25: 'urls' has a number in it"),
            ("route", #"{"text": "{}", "urls": ["https://a.b"], "domain": "a b"}"#, "'a b' is not a domain"),
            ("route", #"{"text": "{}", "urls": ["https://a.b"], "explain": 1}"#, "expected a boolean"),
            ("diff", #"{"old": {"text": ""}}"#, "'new' is missing"),
            ("diff", #"{"old": {"text": ""}, "new": {}}"#, "'text' is missing in 'new'"),
            ("diff", #"{"old": {"text": "", "x": 1}, "new": {}}"#, "unknown key 'x'"),
            ("doctor", #"{"domain": 7}"#, "expected a string"),
        ])
    func badRequests(endpoint: String, body: String, message: String) throws {
        let (status, object) = try answer("POST", endpoint, body)
        #expect(status == 400 && object["code"] as? String == "bad-request" && object["version"] as? Int == 1)
        #expect((object["error"] as? String)?.contains(message) == true, "\(object)")
    }

    @Test("a thousand URLs are answered, one more is not")
    func bounds() throws {
        let file = #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/a/*"}]}]}}"#
        let urls = (0..<1_000).map { "https://e.com/a/\($0)" }
        let (status, object) = try answer("POST", "route", Self.json(["text": file, "urls": urls, "explain": false]))
        #expect(status == 200 && (object["results"] as? [Any])?.count == 1_000)
        #expect(try answer("POST", "route", Self.json(["text": file, "urls": urls + ["x"]])).0 == 400)
    }

    @Test("URLs that take too many steps are not decided; fewer of them are")
    func tooSlow() throws {
        let components = (0..<1_000).map { #"{"/":"*a*b*\#($0)*c"}"# }.joined(separator: ",")
        let file =
            #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[\#(components)]}]}}"#
        func route(_ count: Int) throws -> (Int, [String: Any]) {
            let urls = (0..<count).map { "https://e.com/\($0)" + String(repeating: "ab", count: 100) }
            return try answer("POST", "route", Self.json(["text": file, "urls": urls, "explain": false]))
        }
        let (status, object) = try route(1_000)
        #expect(status == 503 && object["code"] as? String == "too-slow" && object["version"] as? Int == 1)
        #expect((object["error"] as? String)?.hasSuffix("takes too many steps; ask about fewer") == true)
        #expect(object["results"] == nil)
        #expect(try route(1).0 == 200)
    }

    @Test("a file that decides no links is refused with its findings, and a manifest is for the command")
    func unusable() throws {
        let (status, object) = try answer("POST", "route", Self.json(["text": "{", "urls": ["https://a.b/"]]))
        #expect(status == 422 && object["code"] as? String == "unusable-file")
        #expect((object["diagnostics"] as? [Any])?.isEmpty == false)
        let manifest = try answer(
            "POST", "validate", Self.json(["text": "<manifest/>", "name": "AndroidManifest.xml"]))
        #expect(manifest.0 == 422 && (manifest.1["error"] as? String)?.contains("'aasa validate'") == true)
    }

    @Test(
        "a file without a name is what its content is, and one with a name what that says",
        arguments: [
            ("{}", nil, "aasa"), (#"[{"relation":[],"target":{}}]"#, nil, "assetlinks"),
            ("[]", "assetlinks.json", "assetlinks"),
            ("[", nil, "aasa"), ("{}", "assetlinks.json", "assetlinks"),
            (#"[{"relation":[]}]"#, "file.json", "assetlinks"),
        ] as [(String, String?, String)])
    func kind(text: String, name: String?, kind: String) throws {
        var request: [String: Any] = ["text": text, "kind": true]
        request["name"] = name
        #expect(try answer("POST", "validate", Self.json(request)).1["kind"] as? String == kind)
        request["kind"] = nil
        #expect(try answer("POST", "validate", Self.json(request)).1["kind"] == nil)
        request = ["text": "<manifest/>", "kind": true]
        #expect(try answer("POST", "validate", Self.json(request)).0 == 422)
    }

    @Test(
        "of several files that have the same name, the one that cannot be used is named by its key",
        arguments: [
            ("diff", "old", "apple-app-site-association", "{"), ("diff", "new", "apple-app-site-association", "{"),
            ("diff", "old", "assetlinks.json", "["), ("diff", "new", "assetlinks.json", "["),
            ("route", "assetlinks", "assetlinks.json", "["),
        ])
    func blamed(endpoint: String, key: String, name: String, broken: String) throws {
        let good = name == "assetlinks.json" ? "[]" : SampleServer.file
        var request: [String: Any] = ["old": ["text": good, "name": name], "new": ["text": good, "name": name]]
        if endpoint == "route" { request = ["text": SampleServer.file, "urls": ["https://a.b/"]] }
        request[key] = ["text": broken, "name": name]
        let (status, object) = try answer("POST", endpoint, Self.json(request))
        #expect(status == 422 && object["code"] as? String == "unusable-file" && object["file"] as? String == key)
        #expect(object["error"] as? String == "'\(key)' cannot be used because of the errors in '\(name)'")
        #expect((object["diagnostics"] as? [Any])?.isEmpty == false)
    }

    // MARK: sites

    private func domains(_ query: String) throws -> [String] {
        let (status, object) = try answer("GET", "sites?\(query)")
        #expect(status == 200, "\(object)")
        return (object["sites"] as? [[String: Any]])?.compactMap { $0["domain"] as? String } ?? []
    }

    @Test("sites are found, sorted and counted")
    func sites() throws {
        let object = try answer("GET", "sites?limit=3&offset=2&q=site-00").1
        #expect(object["total"] as? Int == 301 && object["matching"] as? Int == 300 && object["offset"] as? Int == 2)
        #expect(
            try domains("limit=3&offset=2&q=SITE-00") == [
                "site-00002.example", "site-00003.example", "site-00004.example",
            ])
        #expect(try domains("limit=1&order=desc") == ["site-00299.example"])
        // Those without a certificate come last in both orders.
        let ascending = try domains("sort=certificate&limit=500")
        let descending = try domains("sort=certificate&order=desc&limit=500")
        for domains in [ascending, descending] {
            #expect(Set(domains.suffix(2)) == ["site-00131.example", "site-00262.example"])
        }
        #expect(ascending.first != descending.first)
        #expect(try domains("state=no-certificate") == ["site-00131.example", "site-00262.example"])
        let states = try domains("sort=state&limit=500")
        #expect(states.first == "site-00001.example" && states.last == "site-00262.example")
        let first = try #require((try answer("GET", "sites?q=00007").1["sites"] as? [[String: Any]])?.first)
        #expect(first["warnings"] as? Int == 1 && first["errors"] as? Int == 0 && first["generation"] is NSNull)
        for query in [
            "limit=0", "limit=501", "sort=x", "order=up", "state=x", "offset=-1", "offset=01", "x=1", "q", "q=%zz",
            "q=a&q=b",
        ] {
            let (status, object) = try answer("GET", "sites?\(query)")
            #expect(status == 400 && object["code"] as? String == "bad-request", "\(query)")
        }
    }

    @Test("a name in Unicode is found by a part of it")
    func unicode() throws {
        let site = SampleServer.site("xn--bcher-kva.example", .published, loadedAt: 0)
        let content = ConsoleContent.server(FewSites(facts: HealthFacts(sites: [site])))
        for query in ["%C3%BCch", "B%C3%9CCH", "xn--b", "KVA.ex", ""] {
            let request = try #require(
                ConsoleRequest(parsing: "GET /api/v1/sites?q=\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            let answer = Self.responder.answer(request, content, now: 0)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""matching":1"#), "\(query)")
        }
    }

    @Test("a site is found in any case, and a wildcard by either of its names")
    func site() throws {
        let (status, object) = try answer("GET", "sites/SITE-00001.Example")
        #expect(status == 200 && object["text"] as? String == SampleServer.file && object["rejected"] is NSNull)
        #expect((object["versions"] as? [[String: Any]])?.first?["number"] as? Int == 7)
        for name in ["_wildcard.wild.example", "*.wild.example", "%2A.wild.example"] {
            #expect(try answer("GET", "sites/\(name)").0 == 200, "\(name)")
        }
        #expect(try answer("GET", "sites/site-00003.example").1["storeError"] != nil)
        for name in ["nobody.example", "a%20b", "..%5C"] {
            #expect(try answer("GET", "sites/\(name)").0 == 404, "\(name)")
        }
    }

    @Test("certificates and the last hour, and what a server makes itself")
    func others() throws {
        let certificates = try answer("GET", "certificates?limit=500").1["certificates"] as? [[String: Any]] ?? []
        let days = certificates.compactMap { $0["daysLeft"] as? Int }
        #expect(days.count > 100 && days == days.sorted())
        let series = try answer("GET", "metrics-history").1["series"] as? [String: [Int]] ?? [:]
        #expect(series.count == 4 && series.values.allSatisfy { $0.count == 60 })
        #expect(try answer("GET", "status?certificateDays=7").1["status"] as? String == "critical")
        let one = try answer("GET", "status?domain=site-00088.example").1
        #expect(one["status"] as? String == "ok" && (one["sites"] as? [String: Any])?["total"] as? Int == 1)
        #expect(try answer("GET", "status?domain=nobody.example").0 == 404)
        #expect(try answer("GET", "status?certificateDays=x").0 == 400)
        #expect(try answer("POST", "doctor", #"{"domain":"site-00001.example"}"#).1["tool"] as? String == "aasa doctor")
        #expect(try answer("POST", "doctor", #"{"domain":"a.wild.example"}"#).0 == 200)
        for name in ["example.com", "wild.example", "a.b.wild.example", "*.wild.example", ""] {
            #expect(try answer("POST", "doctor", Self.json(["domain": name])).0 == 404, "\(name)")
        }
    }
}

/// A server of a few sites, of which nothing else is known.
private struct FewSites: ConsoleSource {
    let facts: HealthFacts
    var certificates: [CertificateFacts] { [] }
    var metricsHistory: MetricsHistory {
        MetricsHistory(end: 0, requests: [], appleFetches: [], handshakes: [], handshakeFailures: [])
    }

    func siteDocuments(of domain: String) -> SiteDocuments? { nil }
    func versions(of domain: String) -> ConsoleVersions { .none }
    func doctor(_ domain: String) -> DoctorAnswer { .busy(retryAfter: 60) }
}
