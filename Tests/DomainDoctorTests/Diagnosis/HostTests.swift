import Diagnostics
import DomainDoctor
import DomainNames
import HTTPClient
import OpenSSL
import Testing

@Suite("The host, step by step")
struct HostTests {
    private func diagnosis(
        _ change: (inout Observation, inout DiagnosisOptions) throws -> Void
    ) throws -> Diagnosis {
        try GoodDomain.observation().diagnosis(change)
    }

    @Test("one family that could not be looked up is no finding, and not taken for one that is not there")
    func halfResolved() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.names?.a = .failure(.timedOut)
            seen.addresses = [GoodDomain.ipv6]
            seen.handshakes = [.good(GoodDomain.ipv6)]
            seen.others = []
        }
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.step(.dns)?.summary == "2001:db8::10; A: the name service did not answer in time")
    }

    @Test("a target that is an address has no name")
    func address() throws {
        let diagnosis = try diagnosis { seen, options in
            seen.target = try Target("192.0.2.10", allowsAddresses: true)
            seen.names = nil
            seen.addresses = [GoodDomain.ipv4]
            seen.handshakes = [.good(GoodDomain.ipv4)]
            seen.others = []
            options.allowsPrivateAddresses = true
            options.appIDs = [GoodDomain.app]
        }
        #expect(diagnosis.codes == ["dns-private-address"])
        #expect(diagnosis.step(.app)?.reason == "no app has an entry for an IP address")
    }

    @Test("a host that refuses HTTP/1.1 by ALPN is said to speak only HTTP/2")
    func onlyHTTP2() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.loseFile(.failure(.tls(.alert(120)), .handshaking))
            seen.root = .failure(.tls(.alert(120)), .handshaking)
        }
        #expect(
            try diagnosis.finding("http-protocol-error").message
                == "the host speaks only HTTP/2: it refuses HTTP/1.1 (TLS alert no_application_protocol)")
    }

    @Test("a file in the folder of a project is named where the file is missing")
    func fileInFolder() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.target = try Target(
                "https://shop.example.com/Repo/.well-known/apple-app-site-association", allowsAddresses: false)
            seen.loseFile(.status(404, "Not Found"))
        }
        #expect(
            try diagnosis.finding("http-not-found").notes == [
                "'/Repo/.well-known/apple-app-site-association' does not count: Apple and Google look only at the root "
                    + "of a host"
            ])
    }

    @Test("the message about addresses says why each fails")
    func perAddress() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.loseAnswers()
            seen.handshakes = [
                .failed(GoodDomain.ipv4, .notConnected(.refused)), .failed(GoodDomain.ipv6, .timedOut),
            ]
        }
        #expect(
            try diagnosis.finding("connect-failed").message
                == "no address accepts a connection to port 443: 192.0.2.10: connection refused; "
                + "2001:db8::10: no connection in time")
        #expect(try diagnosis.evidence(.tls)["versions"]?.text == "[]")
        #expect(
            diagnosis.steps.filter { $0.reason == "there is no connection" }.map(\.id) == [
                .http, .agents, .addresses, .file, .assetlinks, .google,
            ])
    }

    /// Days and seconds left, the lifetime in days, and whether that is soon.
    private static let expiries: [(days: Int64, seconds: Int64, lifetime: Int64, isSoon: Bool)] = [
        (30, 0, 398, false), (29, 86_399, 398, true), (22, 43_200, 90, false), (22, 43_199, 90, true), (2, 0, 6, false),
        (1, 43_199, 6, true), (9, 86_399, 40, true), (10, 0, 40, false), (0, 7_200, 90, true), (0, 50_000, 1, false),
    ]

    @Test("a certificate expires soon by days, or by a quarter of its lifetime", arguments: expiries)
    func expiry(days: Int64, seconds: Int64, lifetime: Int64, isSoon: Bool) throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.handshakes[0] = .judged(GoodDomain.ipv4, days: days, lifetime: lifetime, seconds: seconds)
        }
        #expect(diagnosis.codes == (isSoon ? ["tls-expires-soon"] : []))
        #expect(try diagnosis.evidence(.tls)["daysLeft"]?.text == "\(days)")
    }

    @Test("the days that somebody asks for count as they are")
    func certificateDays() throws {
        func diagnosis(_ days: Int64, lifetime: Int64, limit: Int) throws -> Diagnosis {
            try self.diagnosis { seen, options in
                seen.handshakes[0] = .judged(GoodDomain.ipv4, days: days, lifetime: lifetime)
                options.certificateDays = limit
            }
        }
        let early = try diagnosis(59, lifetime: 90, limit: 90)
        #expect(early.codes == ["tls-expires-soon"] && early.findings.first?.diagnostic.severity == .warning)
        #expect(try early.evidence(.tls)["warningDays"]?.text == "90")
        #expect(try diagnosis(9, lifetime: 398, limit: 8).codes == [])
        // Somebody has to act now, whatever was asked for.
        let late = try diagnosis(2, lifetime: 398, limit: 0)
        #expect(late.findings.first?.diagnostic.severity == .error)
        #expect(try late.evidence(.tls)["state"]?.text == #""expires""#)
    }

    @Test("a certificate of a day has hours left")
    func shortLived() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.handshakes[0] = .judged(GoodDomain.ipv4, days: 0, lifetime: 1, seconds: 50_400)
        }
        #expect(diagnosis.codes == [])
        #expect(diagnosis.step(.tls)?.summary.contains("14 hours left") == true)
    }

    @Test("the message about the expiry has the days, and hours on the last one")
    func expiryMessage() throws {
        func message(_ days: Int64, _ seconds: Int64) throws -> String {
            try diagnosis { seen, _ in
                seen.handshakes[0] = .judged(GoodDomain.ipv4, days: days, seconds: seconds)
            }.finding("tls-expires-soon").message
        }
        #expect(try message(9, 0) == "the certificate expires in 9 days")
        #expect(try message(1, 0) == "the certificate expires in 1 day")
        #expect(try message(0, 7_200) == "the certificate expires in 2 hours")
    }

    @Test("of several certificates the good one counts, and the other address fails")
    func otherCertificate() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.handshakes = [.judged(GoodDomain.ipv4, .expired(0), days: -2), .good(GoodDomain.ipv6)]
            seen.wellKnown = .file(from: GoodDomain.ipv6)
            seen.others = []
        }
        #expect(diagnosis.codes == ["address-failed"])
        #expect(
            try diagnosis.finding("address-failed").message
                == "192.0.2.10 fails (the certificate expired on 1970-01-01), while 2001:db8::10 sends the file")
        #expect(try diagnosis.evidence(.tls)["address"]?.text == #""2001:db8::10""#)
    }

    @Test("a certificate for other names shows the first five")
    func names() throws {
        let names = (1...7).map { "host\($0).example.com" }
        let diagnosis = try diagnosis { seen, _ in
            seen.loseAnswers()
            seen.handshakes = [.judged(GoodDomain.ipv4, .nameMismatch(names), names: names)]
        }
        #expect(
            try diagnosis.finding("tls-name-mismatch").notes == [
                "it is for 'host1.example.com', 'host2.example.com', 'host3.example.com', 'host4.example.com', "
                    + "'host5.example.com' and 2 more"
            ])
        #expect(diagnosis.step(.http)?.reason == "the certificate is not accepted")
    }

    @Test("a time limit says what was missing, and how much had come")
    func timeouts() throws {
        let head = ResponseHead(status: 200, statusLine: Array("HTTP/1.1 200 OK".utf8), fields: [])
        let failures: [(Observation.Exchange, String)] = [
            (.failure(.timedOut, .header, headerBytes: 17), "the header was not complete, 17 bytes of it had come"),
            (.failure(.timedOut, .waiting), "the header was not complete, 0 bytes of it had come"),
            (
                .failure(.timedOut, .body, headerBytes: 90, bodyBytes: 1, head: head),
                "the header was there, and 1 byte of the body"
            ),
            (.failure(.timedOut, .connecting), "there was no connection"),
            (.failure(.timedOut, .handshaking), "the TLS handshake was not done"),
        ]
        for (exchange, missing) in failures {
            let diagnosis = try diagnosis { seen, _ in
                seen.loseFile(exchange)
                seen.root = exchange
            }
            #expect(try diagnosis.finding("http-timeout").message == "no complete answer after 10 s: \(missing)")
        }
    }

    @Test("where Apple's fetcher is blocked, the evidence of its request stays")
    func blocked() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.blockRobots(
                .status(403, "Forbidden", [("CF-Mitigated", "challenge"), ("Content-Type", "text/html")]))
        }
        #expect(diagnosis.codes == ["agent-blocked"])
        #expect(diagnosis.step(.http)?.status == .skipped && diagnosis.step(.file)?.status == .skipped)
        #expect(try diagnosis.evidence(.http)["status"]?.text == "403")
        let finding = try #require(diagnosis.findings.first)
        #expect(finding.located.evidence == ["AASA-Bot: 403", "CFNetwork: 200, 318 bytes", "browser: 200, 318 bytes"])
        #expect(
            finding.diagnostic.notes == ["the answer is a page of the bot protection of Cloudflare, not of the website"]
        )
        guard case .array(let answers)? = try diagnosis.evidence(.agents)["answers"] else {
            Issue.record("there are no answers")
            return
        }
        #expect(answers.first?.text == #"{"agent":"AASA-Bot","error":null,"sha256":null,"status":403}"#)
        #expect(answers.count == 3)
    }

    @Test("a host that answers some connections is reported with what failed, and how often")
    func dropped() throws {
        let lost = Failure(.tls(.reset), phase: .handshaking, address: GoodDomain.ipv4)
        let one = try diagnosis { seen, _ in seen.failedConnections = [lost] }.finding("connections-dropped")
        #expect(
            one.message
                == "1 connection to \(GoodDomain.ipv4) failed (reset during the TLS handshake), others were answered")
        #expect(one.notes == ["each request was sent again, over another connection"])
        let both = try diagnosis { seen, _ in
            seen.failedConnections = [Failure(.timedOut, phase: .connecting, address: GoodDomain.ipv4), lost]
            seen.blockRobots(.failure(.tls(.reset), .handshaking))
        }
        #expect(
            try both.finding("connections-dropped").message
                == "3 connections to \(GoodDomain.ipv4) failed (no connection in time, reset during the TLS handshake), "
                + "others were answered")
        #expect(both.step(.http)?.summary == "reset during the TLS handshake" && both.step(.http)?.status == .error)
        #expect(both.step(.agents)?.status == .skipped && both.step(.file)?.status == .skipped)
        let others = try diagnosis { seen, _ in
            seen.failedConnections = [lost, lost]
            (seen.device, seen.browser) = (.failure(.tls(.reset), .handshaking), .failure(.tls(.reset), .handshaking))
        }
        #expect(others.step(.agents)?.status == .skipped && others.step(.file)?.status == .ok)
    }

    @Test("where connections are dropped, one without an answer says nothing about its version of TLS")
    func droppedVersion() throws {
        let lost = Failure(.tls(.reset), phase: .handshaking, address: GoodDomain.ipv4)
        for (tls12, tls13) in [(false, true), (true, false)] {
            let diagnosis = try diagnosis { seen, _ in
                (seen.versions.tls12, seen.versions.tls13) = (tls12, tls13)
                seen.failedConnections = [lost]
            }
            #expect(diagnosis.codes == ["connections-dropped"], "\(diagnosis.codes)")
        }
    }

    private static let challenges: [(status: Int, body: String, code: String)] = [
        (200, #"<html><script src="/cdn-cgi/challenge-platform/h/b"></script>"#, "html-instead-of-json"),
        (403, #"<html><script src="/_Incapsula_Resource?x"></script>"#, "http-forbidden"),
        (503, "<html><title>Attention Required! | Cloudflare</title>", "http-server-error"),
        (429, #"<html><div id="px-captcha">"#, "http-unexpected-status"),
    ]

    @Test("a challenge for everybody is distinguished from an answer of the website", arguments: challenges)
    func challenge(status: Int, body: String, code: String) throws {
        let diagnosis = try diagnosis { seen, _ in seen.loseFile(.page(status, body)) }
        #expect(diagnosis.codes == [code])
        #expect(try diagnosis.finding(code).notes.contains { $0.contains("bot protection of") })
        let plain = try self.diagnosis { seen, _ in seen.loseFile(.page(status)) }
        #expect(plain.codes == [code])
        #expect(try !plain.finding(code).notes.contains { $0.contains("bot protection of") })
    }

    @Test("a page in place of the file is the only finding, at its beginning, and says where it may come from")
    func page() throws {
        let diagnosis = try diagnosis { seen, _ in seen.loseFile(.page()) }
        let finding = try #require(diagnosis.findings.first)
        #expect(diagnosis.codes == ["html-instead-of-json"] && finding.located.path == GoodDomain.fileURL)
        #expect(
            finding.located.source?.position(at: finding.diagnostic.range.start)
                == SourcePosition(line: 1, column: 1, offset: 0))
        #expect(
            finding.diagnostic.notes == [
                "single-page hosts answer every path that they do not know with their start page"
            ])
        #expect(diagnosis.step(.file)?.summary == "an HTML page" && diagnosis.step(.http)?.status == .ok)
    }

    @Test("a file that is too large has one finding, and no hash of what was read of it")
    func tooLarge() throws {
        let body = GoodDomain.file + String(repeating: " ", count: 131_073 - GoodDomain.file.utf8.count)
        let diagnosis = try diagnosis { seen, _ in
            seen.loseFile(.success(.sample(body, isTruncated: true)))
            seen.target.urls = ["https://shop.example.com/buy/7"]
        }
        #expect(diagnosis.codes == ["file-too-large"])
        #expect(diagnosis.step(.http)?.summary == "200 after 84 ms, application/json, more than 131,072 bytes")
        #expect(try diagnosis.evidence(.http)["bytes"]?.text == "131073")
        #expect(try diagnosis.evidence(.http)["sha256"]?.text == "null")
        #expect(diagnosis.step(.link)?.status == .skipped)
        // The largest one that is read as a whole.
        let largest = try self.diagnosis { seen, _ in seen.serve([], String(body.dropLast())) }
        #expect(!largest.codes.contains("file-too-large"))
    }

    @Test("a file with a slip in its syntax is a file, but nothing can be decided by it")
    func syntax() throws {
        let diagnosis = try diagnosis { seen, options in
            seen.loseFile(.file(GoodDomain.file.replacing("],", with: "],,")))
            seen.appleCopy = .copy()
            seen.target.urls = ["https://shop.example.com/buy/7"]
            options.appIDs = [GoodDomain.app]
        }
        #expect(Set(diagnosis.codes) == ["extra-comma", "cdn-still-serves"])
        #expect(diagnosis.step(.file)?.summary == "not valid JSON" && diagnosis.step(.http)?.status == .ok)
        for id in [Step.ID.app, .link] { #expect(diagnosis.step(id)?.reason == "the file cannot be read") }
    }

    @Test("values of a header are cut at 300 bytes")
    func longValues() throws {
        let diagnosis = try diagnosis { seen, _ in
            let type = "text/" + String(repeating: "ü", count: 400)
            seen.serve([("Content-Type", type), ("Cache-Control", "\u{202e}x")])
        }
        #expect(diagnosis.codes == ["http-content-type"])
        guard case .string(let type)? = try diagnosis.evidence(.http)["contentType"] else {
            Issue.record("there is no content type")
            return
        }
        #expect(type.utf8.count <= 303 && type.hasSuffix("ü…"))
        #expect(try diagnosis.finding("http-content-type").message.utf8.count < 250)
    }

    @Test("agents that get the same rules in other bytes get the same rules")
    func otherBytes() throws {
        let diagnosis = try diagnosis { seen, _ in
            seen.device = .file(GoodDomain.file.replacing("  ", with: " "))
            seen.browser = .status(403)
        }
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.step(.agents)?.summary == "AASA-Bot and CFNetwork get the same rules; a browser gets 403")
    }

    @Test("a signed file may have its type, and its content counts")
    func signed() throws {
        let signed = """
            -----BEGIN CMS-----
            MF8GCSqGSIb3DQEHAqBSMFACAQExADBHBgkqhkiG9w0BBwGgOgQ4eyJ3ZWJjcmVk
            ZW50aWFscyI6eyJhcHBzIjpbIjdLM1FXWjlQTE0uY29tLnNob3AuYXBwIl19fQox
            AA==
            -----END CMS-----

            """
        let diagnosis = try diagnosis { seen, _ in
            seen.loseFile(.answer(signed, [("Content-Type", "application/pkcs7-mime")]))
        }
        #expect(diagnosis.codes == ["signed-file"])
        #expect(diagnosis.step(.file)?.summary == "1 app, 0 rules, service webcredentials")
    }

    @Test("what was not finished is named, and what depends on it is not judged")
    func incomplete() throws {
        let diagnosis = try diagnosis { seen, options in
            seen.target.urls = ["https://shop.example.com/buy/7"]
            (seen.wellKnown, seen.assetLinks) = (nil, nil)
            seen.unfinished = [.http, .file, .assetlinks]
            options.appIDs = [GoodDomain.app]
        }
        #expect(
            try diagnosis.finding("check-incomplete").message
                == "the time for this domain was over after 50 s; not finished: http, file, assetlinks")
        #expect(
            diagnosis.steps.filter { $0.status == .skipped }.map { "\($0.id): \($0.reason ?? "")" } == [
                "http: the time was over", "agents: the time was over", "addresses: the time was over",
                "file: the time was over", "assetlinks: the time was over", "google: the time was over",
                "app: the time was over", "link: the time was over",
            ])
        #expect(diagnosis.step(.cdn)?.summary.hasPrefix("a usable copy; ") == true)
        #expect(diagnosis.links.count == 1 && diagnosis.links[0].answer == nil)
    }
}
