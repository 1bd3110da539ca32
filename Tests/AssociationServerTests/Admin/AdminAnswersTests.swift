import ACME
import AssociationServer
import Foundation
import ServiceHealth
import SystemSupport
import TestSupport
import Testing

/// The answers of the admin listener (server.md, section 9), asked by curl and by bytes.
@Suite("The admin listener's answers")
struct AdminAnswersTests {
    private static let close = "Connection: close\r\n\r\n"

    private func status(_ answer: String) -> Int? { Int(answer.dropFirst(9).prefix(3)) }

    @Test("healthy while every loop answers")
    func health() throws {
        let admin = try RunningAdmin()
        #expect(try admin.get("/healthz") == (200, "ok\n"))
        admin.source.state.withLock { $0.loops = nil }
        #expect(try admin.get("/healthz") == (503, "an event loop has not answered within a second\n"))
        // Nobody waits a second for each question.
        let asked = admin.source.state.withLock { $0.questions }
        for path in ["/healthz", "/metrics", "/healthz"] { #expect(try admin.get(path).status == 503) }
        #expect(admin.source.state.withLock { $0.questions } == asked)
    }

    @Test("a loop that answers again is noticed")
    func recovery() throws {
        let admin = try RunningAdmin(FakeAdminSource { $0.loops = nil })
        #expect(try admin.get("/healthz").status == 503)
        admin.source.state.withLock { $0.loops = [] }
        #expect(try Waiting.until { try admin.get("/healthz").status == 200 })
    }

    @Test(
        "ready, or the reason why not",
        arguments: [
            (ServingState.ready, 200, "ready\n"), (.starting, 503, "starting\n"),
            (.nothingPublished, 503, "nothing published\n"), (.draining, 503, "draining\n"),
        ])
    func readiness(state: ServingState, status: Int, body: String) throws {
        let admin = try RunningAdmin(FakeAdminSource { $0.servingState = state })
        #expect(try admin.get("/readyz") == (status, body))
    }

    @Test(
        "ready does not wait for certificates, but says how many there are while some are missing",
        arguments: [
            ([], "ready\n"), ([(DomainState.valid, true)], "ready\n"),
            ([(.valid, true), (.ordering, false), (.covered, true)], "ready\ncertificates: 2 of 3\n"),
            ([(.excluded, false), (.valid, true)], "ready\n"),
            ([(.backoff, true), (.blocked, false)], "ready\ncertificates: 1 of 2\n"),
        ])
    func certificates(domains: [(state: DomainState, isThere: Bool)], body: String) throws {
        let report = IssuanceReport(
            domains: Dictionary(
                uniqueKeysWithValues: domains.enumerated().map { index, domain in
                    var status = DomainStatus(domain.state)
                    status.validUntil = domain.isThere ? 1_800_000_000 : nil
                    return ("\(index).example", status)
                }))
        let admin = try RunningAdmin(FakeAdminSource { $0.issuance = report })
        #expect(try admin.get("/readyz") == (200, body))
        admin.source.state.withLock { $0.servingState = .draining }
        #expect(try admin.get("/readyz") == (503, "draining\n"))
    }

    @Test(
        "types, and nothing is kept by caches",
        arguments: [
            ("/", 200, "text/plain; charset=utf-8"), ("/healthz", 200, "text/plain; charset=utf-8"),
            ("/readyz", 200, "text/plain; charset=utf-8"), ("/sites", 200, "application/json"),
            ("/route", 400, "application/json"), ("/sites?x=1", 400, "application/json"),
            ("/metrics", 200, "text/plain; version=0.0.4; charset=utf-8"),
            ("/Healthz", 404, "text/plain; charset=utf-8"),
            ("/healthz/", 404, "text/plain; charset=utf-8"), ("//healthz", 404, "text/plain; charset=utf-8"),
        ])
    func types(path: String, status: Int, type: String) throws {
        let admin = try RunningAdmin()
        let whole = try admin.curl(path, ["-i"]).text
        #expect(whole.hasPrefix("HTTP/1.1 \(status) "))
        #expect(whole.contains("\r\nContent-Type: \(type)\r\n"))
        #expect(whole.contains("\r\nCache-Control: no-store\r\n"))
        #expect(whole.contains("\r\nDate: "))
        #expect(whole.contains("\r\nConnection: close\r\n") == (status == 400))
        // The same head for HEAD, and no body.
        let head = try admin.curl(path, ["-I"]).text
        #expect(head.hasSuffix("\r\n\r\n"))
        func lines(_ text: String) -> [Substring] {
            text.split(separator: "\r\n\r\n", maxSplits: 1)[0].split(separator: "\r\n").filter {
                !$0.hasPrefix("Date:") && !(path == "/metrics" && $0.hasPrefix("Content-Length:"))
            }
        }
        #expect(lines(whole) == lines(head))
    }

    @Test("the index names every path")
    func index() throws {
        let (status, body) = try RunningAdmin().get("/")
        #expect(status == 200)
        let names = body.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(names == ["/healthz", "/readyz", "/sites", "/route", "/metrics", "/console/", "/api/v1/status"])
    }

    @Test("other methods are told which there are", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"])
    func methods(method: String) throws {
        let admin = try RunningAdmin()
        let answer = try admin.exchange("\(method) /healthz HTTP/1.1\r\nHost: localhost\r\n\(Self.close)")
        #expect(status(answer) == 405)
        #expect(answer.contains("\r\nAllow: GET, HEAD\r\n"))
    }

    @Test(
        "only this machine is answered for: a foreign name is that of a page that had it resolved to 127.0.0.1",
        arguments: [
            ("localhost", 200), ("LocalHost", 200), ("localhost:9443", 200), ("localhost.", 200), ("127.0.0.1", 200),
            ("127.0.0.1:1", 200), ("127.1.2.3:80", 200), ("[::1]", 200), ("[::1]:9443", 200),
            ("[0:0:0:0:0:0:0:1]", 200),
            ("evil.example", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421),
            ("notlocalhost", 421), ("10.0.0.1", 421), ("0.0.0.0", 421), ("[::]", 421), ("[::2]:80", 421),
            ("127.1", 421),
            ("2130706433", 421), ("localhost@evil.example", 400), ("", 400),
        ])
    func rebinding(host: String, expected: Int) throws {
        let admin = try RunningAdmin()
        let answer = try admin.exchange("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\(Self.close)")
        #expect(status(answer) == expected)
        #expect(answer.hasSuffix("\r\n\r\nok\n") == (expected == 200))
    }

    @Test(
        "requests that a browser makes for a page of another site are not answered, but for a link to the list of paths",
        arguments: [
            ("/healthz", "Sec-Fetch-Site: cross-site", 403), ("/readyz", "Sec-Fetch-Site: same-site", 403),
            ("/sites", "Origin: https://evil.example", 403), ("/metrics", "Origin: null", 403),
            ("/route?url=https://www.example.com/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors", 403),
            ("/sites", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", 403),
            ("/sites", "Sec-Fetch-Site: same-origin", 200), ("/sites", "Sec-Fetch-Site: none", 200),
            ("/metrics", "Origin: http://localhost", 200), ("/metrics", "X: y", 200),
            ("/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", 200),
            ("/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe", 403),
        ])
    func otherSites(path: String, fields: String, expected: Int) throws {
        let answer = try RunningAdmin().exchange(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\(Self.close)")
        #expect(status(answer) == expected)
        if expected == 403 { #expect(answer.hasSuffix("\r\n\r\nrequests from other sites are not allowed\n")) }
    }

    @Test(
        "forms of targets",
        arguments: [
            ("http://127.0.0.1:9443/healthz", 200), ("HTTP://localhost/healthz?x", 200), ("http://localhost", 404),
            ("http://evil.example/healthz", 421), ("http://127.0.0.1@evil.example/healthz", 400),
            ("http://localhost:80:80/healthz", 400), ("https://evil.example/healthz", 421), ("*", 400),
            ("ftp://localhost/healthz", 400), ("healthz", 400), ("localhost:80", 400), ("/healthz?a=b&c", 200),
        ])
    func targets(target: String, expected: Int) throws {
        let answer = try RunningAdmin().exchange("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(Self.close)")
        #expect(status(answer) == expected, "\(answer)")
    }

    @Test("HTTP/1.0 needs no host, and ends")
    func version10() throws {
        let admin = try RunningAdmin()
        #expect(try admin.exchange("GET /healthz HTTP/1.0\r\n\r\n").hasSuffix("\r\nConnection: close\r\n\r\nok\n"))
        let kept = try admin.exchange(
            "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /readyz HTTP/1.0\r\n\r\n")
        #expect(kept.contains("\r\nConnection: keep-alive\r\n\r\nok\n"))
        #expect(kept.hasSuffix("\r\nConnection: close\r\n\r\nready\n"))
    }

    @Test("this process: it has begun, has memory, and descriptors are counted")
    func process() throws {
        func facts() throws -> PrometheusText { try PrometheusText(RunningAdmin().get("/metrics").body) }
        let first = try facts()
        let start = try #require(first.value("process_start_time_seconds"))
        #expect(start <= Date().timeIntervalSince1970 + 2 && start > Date().timeIntervalSince1970 - 86_400)
        #expect(try #require(first.value("process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(first.value("process_open_fds")) >= 3)
        #expect(try facts().value("process_start_time_seconds") == start)
    }
}
