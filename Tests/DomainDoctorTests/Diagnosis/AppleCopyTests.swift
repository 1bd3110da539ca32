import AssociationLint
import Diagnostics
import DomainDoctor
import HTTPClient
import Testing

@Suite("Apple's copy")
struct AppleCopyTests {
    private func diagnosis(
        _ copy: Result<Response, Observation.CopyFailure>, change: (inout Observation) -> Void = { _ in }
    ) throws -> Diagnosis {
        try GoodDomain.observation().diagnosis { seen, _ in
            seen.appleCopy = copy
            change(&seen)
        }
    }

    /// The finding for a failure, with a host that had the fault, too: then the help is about that fault.
    private func failure(_ reason: String) throws -> Diagnostic {
        try diagnosis(.appleFailure(reason)) { $0.wellKnown = .status(500) }.finding("cdn-failure")
    }

    private static let reasons: [(reason: String, cause: String, remedy: String)] = [
        ("SWCERR00101 Bad HTTP Response: 403 Forbidden", "bot protection", "AASA-Bot"),
        ("SWCERR00101 Bad HTTP Response: 401 Unauthorized", "bot protection", "AASA-Bot"),
        ("SWCERR00101 Bad HTTP Response: 429 Too Many Requests", "bot protection", "AASA-Bot"),
        ("SWCERR00101 Bad HTTP Response: 404 Not Found", "not there when Apple asked", "put it there"),
        ("SWCERR00101 Bad HTTP Response: 301 Moved Permanently", "redirect (301)", "without one"),
        ("SWCERR00101 Bad HTTP Response: 503 Service Unavailable", "failed when Apple asked (503)", "log"),
        ("SWCERR00101 Bad HTTP Response: 204 No Content", "with 204", "status 200"),
        ("SWCERR00101 Bad HTTP Response", "a status other than 200", "access log"),
        ("SWCERR00202 Unauthorized address", "private or reserved address", "public addresses"),
        ("SWCERR00301 Timeout", "no answer in time", "every address"),
        ("SWCERR00401 Bad JSON", "not to be JSON", "AASA-Bot"),
    ]

    @Test("known reasons have a cause and a remedy", arguments: reasons)
    func known(reason: String, cause: String, remedy: String) throws {
        let finding = try failure(reason)
        #expect(finding.message == "Apple could not fetch the file: '\(reason)'")
        #expect(finding.notes.first?.contains(cause) == true, "\(finding.notes)")
        #expect(finding.help?.contains(remedy) == true, "\(finding.help ?? "")")
    }

    @Test("an unknown reason is shown as it came", arguments: ["SWCERR99999 Something else", "\u{1b}[2J", ""])
    func unknown(reason: String) throws {
        let copy = Result<Response, Observation.CopyFailure>.appleFailure(
            reason.isEmpty ? " " : reason, [("Apple-Failure-Details", "cause: \"x\"")])
        let diagnosis = try diagnosis(copy) { $0.wellKnown = .status(500) }
        let finding = try diagnosis.finding("cdn-failure")
        #expect(finding.notes == ["the meaning of this code is not known"])
        #expect(finding.help != nil && !finding.message.contains("\u{1b}"))
        #expect(diagnosis.findings.last?.located.evidence.contains("apple-failure-details: cause: \"x\"") == true)
    }

    @Test("the evidence has what Apple says, word by word")
    func evidence() throws {
        let copy = Result<Response, Observation.CopyFailure>.appleFailure(
            "SWCERR00301 Timeout", [("Apple-Failure-Details", "{\"a\":1}"), ("Apple-Try-Direct", "true")])
        let diagnosis = try diagnosis(copy)
        let evidence = try diagnosis.evidence(.cdn)
        #expect(
            evidence["failure"]?.text
                == #"{"code":"SWCERR00301","details":"{\"a\":1}","from":["https://shop.example.com/a","https://b"],"#
                + #""reason":"Timeout","tryDirect":true}"#)
        #expect(evidence["status"]?.text == "404" && evidence["age"]?.text == "3600")
        #expect(evidence["maxAge"]?.text == "7500" && evidence["expiresAt"]?.text == #""2026-11-21T13:05:00Z""#)
        #expect(evidence["sameMeaning"]?.text == "null" && evidence["changes"]?.text == "null")
        #expect(try diagnosis.finding("cdn-failure").notes.contains { $0.contains("devices ask the host itself") })
        #expect(diagnosis.step(.cdn)?.summary == "404, SWCERR00301 Timeout")
    }

    @Test("a failure from before the last change only takes time")
    func olderThanTheChange() throws {
        let copy = Result<Response, Observation.CopyFailure>.appleFailure("SWCERR00101 Bad HTTP Response: 404")
        let changed = try diagnosis(copy) {
            $0.serve([("Last-Modified", "Sat, 21 Nov 2026 11:30:00 GMT")])
        }.finding("cdn-failure")
        #expect(
            changed.help
                == "wait: the file has changed after that (11:30 UTC); Apple keeps a failure for 2 h and asks again "
                + "after that, here after 13:05 UTC at the earliest")
        // The failure is of 11:00.
        let unchanged = try diagnosis(copy) {
            $0.serve([("Last-Modified", "Sat, 21 Nov 2026 10:30:00 GMT")])
        }.finding("cdn-failure")
        #expect(unchanged.help?.hasPrefix("the host is fine from here; if it was fixed just now, wait: ") == true)
        #expect(unchanged.help?.hasSuffix("; if not, put it there, and wait until Apple asks again") == true)
        let withoutTimes = try diagnosis(
            .success(.sample("", status: 404, [("Apple-Failure-Reason", "SWCERR00301 Timeout")]))
        ).finding("cdn-failure")
        #expect(withoutTimes.help?.contains("keeps a failure for 1 h and asks again after that; if not, let") == true)
    }

    @Test("up to three links show how a copy differs")
    func witnesses() throws {
        func file(_ patterns: [String]) -> String {
            let rules = patterns.map { #"{ "/": "\#($0)" }"# }.joined(separator: ", ")
            return GoodDomain.file.replacing(#"{ "/": "/buy/*" }"#, with: rules)
        }
        let diagnosis = try diagnosis(.copy(file(["/old/*"]))) {
            $0.serve([], file(["/a/*", "/b/*", "/c/*", "/d/*"]))
            $0.others = []
            $0.handshakes = [.good(GoodDomain.ipv4)]
        }
        let finding = try diagnosis.finding("cdn-stale")
        let links = finding.notes.filter { $0.contains("https://shop.example.com/") }
        #expect(links.count == 3)
        #expect(
            links.first == "'https://shop.example.com/a' opens '\(GoodDomain.app)' at the origin, not in Apple's copy")
        #expect(finding.notes.contains("2 more differences of this kind"))
        #expect(finding.help?.hasPrefix("wait: the copy is renewed after 13:05 UTC at the earliest; ") == true)
        let evidence = try diagnosis.evidence(.cdn)
        #expect(evidence["sameMeaning"]?.text == "false")
        guard case .array(let changes)? = evidence["changes"] else {
            Issue.record("there are no changes")
            return
        }
        #expect(changes.count == 5)
        #expect(diagnosis.step(.cdn)?.summary.hasPrefix("other rules than the file; 1 h old, ") == true)
    }

    @Test("other bytes with the same meaning are the same, and a file is compared with what the host sends")
    func sameMeaning() throws {
        let other = GoodDomain.file.replacing("  ", with: "\t")
        let same = try diagnosis(.copy(other))
        #expect(same.findings.isEmpty && same.step(.cdn)?.summary.hasPrefix("same rules; ") == true)
        #expect(try same.evidence(.cdn)["sameMeaning"]?.text == "true")
        #expect(try same.evidence(.cdn)["changes"]?.text == "[]")
        // A file in which something is an error, and its copy.
        let broken = GoodDomain.file.replacing("/buy/*", with: "/buy/*?x=1")
        let both = try diagnosis(.copy(broken)) { $0.serve([], broken) }
        #expect(both.codes.contains("query-in-path") && !both.codes.contains { $0.hasPrefix("cdn") })
        let repaired = try diagnosis(.copy()) { $0.serve([], broken) }
        #expect(repaired.codes.contains("cdn-still-serves") && !repaired.codes.contains("cdn-stale"))
    }

    @Test("severities that the user has changed do not change what is compared")
    func settings() throws {
        var seen = try GoodDomain.observation()
        seen.wellKnown = .success(.sample(GoodDomain.file, after: .seconds(4)))
        seen.appleCopy = .copy(GoodDomain.file("/old/*"))
        var options = DiagnosisOptions()
        options.settings = FindingSettings([DiagnosticCode(rawValue: "http-slow"): .error])
        #expect(Diagnosis(seen, options).codes == ["http-slow", "cdn-stale"])
    }
}
