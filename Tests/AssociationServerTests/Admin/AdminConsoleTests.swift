import AssociationConsole
import AssociationServer
import Diagnostics
import Dispatch
import Foundation
import HTTP1
import ServiceHealth
import SystemSupport
import TestSupport
import Testing

/// The console and its API on the admin listener (console.md, sections 2 and 6).
@Suite("The console of the admin listener", .waiting)
struct AdminConsoleTests {
    private static let document = #"{"webcredentials":{"apps":["7K3QWZ9PLM.com.shop.app"]}}"#
    private static let body = #"{"text":"{}"}"#

    private static func post(
        _ path: String, _ body: String = body, fields: String = "", length: Int? = nil
    ) -> String {
        """
        POST /\(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(fields)\
        Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)
        """
    }

    /// The answer needs the counts of the loops.
    private static let question = "GET /api/v1/metrics-history HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let last = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    private static func statuses(_ text: String) -> [String] {
        text.split(separator: "HTTP/1.1 ").dropFirst(text.hasPrefix("HTTP/1.1 ") ? 0 : 1).map { String($0.prefix(3)) }
    }

    private static func site(_ domain: String) -> SiteFacts { .sample(domain) }

    @Test("a request with a body is answered, whole or in pieces, and others after it")
    func bodies() throws {
        let admin = try RunningAdmin()
        let requests = Self.post("api/v1/validate") + Self.post("api/v1/validate") + Self.last
        #expect(Self.statuses(try admin.exchange(requests)) == ["200", "200", "200"])
        let socket = try RawSocket(port: admin.port)
        for byte in Self.post("api/v1/validate").utf8 { socket.send(String(UnicodeScalar(byte))) }
        socket.send(Self.last)
        let text = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
        #expect(Self.statuses(text) == ["200", "200"])
        #expect(text.contains(#""tool":"aasa""#) && text.contains("Content-Type: application/json\r\n"))
    }

    @Test("the largest body is read, and one more is refused before it is")
    func largestBody() throws {
        let admin = try RunningAdmin()
        let text = String(repeating: " ", count: RequestGuard.longestBody - 13)
        let whole = #"{"text":"{}\#(text)"}"#
        try #require(whole.utf8.count == RequestGuard.longestBody)
        #expect(Self.statuses(try admin.exchange(Self.post("api/v1/validate", whole) + Self.last)) == ["200", "200"])
        let answer = try admin.exchange(Self.post("api/v1/validate", "", length: RequestGuard.longestBody + 1))
        #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains(#""code":"too-large""#))
        #expect(answer.contains("Connection: close\r\n"))
    }

    @Test("a client that waits for '100 Continue' gets it, and one that may not ask does not")
    func expectations() throws {
        let admin = try RunningAdmin()
        let socket = try RawSocket(port: admin.port)
        let head = Self.post("api/v1/validate", fields: "Expect: 100-continue\r\n").dropLast(Self.body.utf8.count)
        socket.send(String(head))
        guard case .bytes(let bytes) = socket.receive() else { throw TestFailure("no answer") }
        #expect(String(decoding: bytes, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
        socket.send(Self.body + Self.last)
        #expect(Self.statuses(String(decoding: socket.receiveAll().bytes, as: UTF8.self)) == ["200", "200"])
        let foreign = try admin.exchange(
            Self.post("api/v1/validate", "", fields: "Expect: 100-continue\r\nOrigin: https://evil.test\r\n", length: 9)
        )
        #expect(foreign.hasPrefix("HTTP/1.1 403 ") && !foreign.contains("Continue"))
    }

    @Test("a body that does not come is not waited for, and one that is cut off is not answered")
    func shortBodies() throws {
        let admin = try RunningAdmin { $0.header = 0.2 }
        let slow = try admin.exchange(Self.post("api/v1/validate", "{", length: 100))
        #expect(slow.hasPrefix("HTTP/1.1 408 "))
        #expect(try RunningAdmin().exchange(Self.post("api/v1/validate", "{", length: 100), endsSending: true).isEmpty)
    }

    @Test("the other paths of the listener have no bodies, and sites elsewhere get nothing")
    func strangers() throws {
        let admin = try RunningAdmin()
        #expect(try admin.exchange(Self.post("sites")).hasPrefix("HTTP/1.1 405 "))
        for (fields, status) in [
            ("Host: evil.test\r\n", "421"), ("Host: localhost\r\nOrigin: null\r\n", "403"),
            ("Host: localhost\r\nSec-Fetch-Site: cross-site\r\n", "403"),
        ] {
            let answer = try admin.exchange("GET /api/v1/sites HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    @Test("without 'console' its paths are 404, but what 'aasa status' asks for is there")
    func switchedOff() throws {
        let admin = try RunningAdmin(FakeAdminSource { $0.configuration.console = false })
        for path in ["/console", "/console/", "/console/playground", "/api/v1/sites"] {
            #expect(try admin.get(path).status == 404)
        }
        #expect(try admin.get("/api/v1/status").status == 200)
        admin.source.state.withLock { $0.configuration.console = true }
        #expect(try admin.get("/api/v1/sites").status == 200)
    }

    @Test("the list of paths is for programs; who asks for HTML sees what is wrong")
    func root() throws {
        let admin = try RunningAdmin()
        #expect(try admin.get("/").body.hasPrefix("/healthz "))
        let answer = try admin.exchange(
            "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html,*/*;q=0.8\r\nConnection: close\r\n\r\n")
        #expect(answer.contains("Content-Type: text/html; charset=utf-8\r\n"), "\(answer)")
    }

    @Test("at most 8 requests wait, and while they do, others are answered at once")
    func busy() throws {
        let gate = DispatchSemaphore(value: 0)
        let admin = try RunningAdmin(FakeAdminSource { $0.gate = gate })
        let first = try RawSocket(port: admin.port)
        first.send(Self.question)
        #expect(Waiting.until { admin.source.state.withLock { $0.questions } == 1 })
        let others = try (0..<8).map { _ in try RawSocket(port: admin.port) }
        for socket in others {
            socket.send(Self.question)
            // The listener answers in turn: it has seen the request before.
            #expect(try admin.get("/readyz").status == 200)
        }
        let refused = try admin.exchange(
            Self.post("api/v1/validate", fields: "Connection: close\r\n"))
        #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains(#""code":"busy""#), "\(refused)")
        #expect(refused.contains("Retry-After: 1\r\n"))
        // A client that goes away is not worked for.
        others[0].endSending()
        #expect(others[0].receiveAll().bytes.isEmpty)
        for _ in 0..<8 { gate.signal() }
        for socket in others.dropFirst() + [first] {
            socket.send(Self.last)
            #expect(Self.statuses(String(decoding: socket.receiveAll().bytes, as: UTF8.self)) == ["200", "200"])
        }
        #expect(admin.source.state.withLock { $0.questions } == 8)
    }

    @Test("a check of a domain runs one at a time, for sites of the server only, and keeps nobody waiting")
    func doctor() throws {
        let gate = DispatchSemaphore(value: 0)
        let started = DispatchSemaphore(value: 0)
        let admin = try RunningAdmin(
            FakeAdminSource {
                $0.sites = [Self.site("*.example.com"), Self.site("a.example")]
                $0.features.doctor = { domain, settings in
                    started.signal()
                    gate.wait()
                    return #"{"domain":"\#(domain)","allowsPrivate":\#(settings.allowsPrivate)}"#
                }
                $0.configuration.doctor.allowsPrivate = true
            })
        let first = try RawSocket(port: admin.port)
        first.send(Self.post("api/v1/doctor", #"{"domain":"www.example.com"}"#))
        #expect(started.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
        let busy = try admin.exchange(
            Self.post("api/v1/doctor", #"{"domain":"a.example"}"#, fields: "Connection: close\r\n"))
        #expect(busy.hasPrefix("HTTP/1.1 503 ") && busy.contains("Retry-After: 5\r\n"))
        let unknown = try admin.exchange(
            Self.post("api/v1/doctor", #"{"domain":"b.example"}"#, fields: "Connection: close\r\n"))
        #expect(unknown.hasPrefix("HTTP/1.1 404 "))
        #expect(try admin.get("/api/v1/sites").status == 200)
        gate.signal()
        first.send(Self.last)
        let text = String(decoding: first.receiveAll().bytes, as: UTF8.self)
        #expect(text.contains(#"{"domain":"www.example.com","allowsPrivate":true}"#), "\(text)")
    }

    @Test("what the server knows is in the API: sites, one site, certificates and the last hour")
    func server() throws {
        let now = Int64(Date().timeIntervalSince1970)
        let counters = LoopCounters()
        counters.keep(sites: 1)
        counters.begin(minute: now / 60 - 1)
        counters.count(.request(.ok), 3)
        counters.begin(minute: now / 60)
        counters.count(.handshake(isTLS13: true, isResumed: false), 2)
        let certificate = CertificateFacts(
            name: "a.example", keyType: "ECDSA",
            validity: CertificateValidity(notBefore: now - 86_400, notAfter: now + 10 * 86_400 + 60),
            folder: "certs/a")
        let findings = [LocatedDiagnostic.error("a", "1"), .warning("a", "2"), .warning("a", "3")]
        let admin = try RunningAdmin(
            FakeAdminSource {
                $0.loops = [counters.report(connections: 0)]
                $0.sites = [.sample("a.example", .stale, findings: findings, certificate: certificate)]
                $0.certificates = [certificate]
                let links = ConsoleDocument(
                    bytes: Array("[]".utf8), sha256: nil, report: FileReport(SourceText([], path: "file"), []))
                $0.documents = ["a.example": SiteDocuments([SiteFileDocuments("assetlinks.json", served: links)])]
            })
        let sites = try #require(try admin.object("/api/v1/sites").members["sites"] as? [[String: Any]])
        #expect(sites.first?["domain"] as? String == "a.example" && sites.first?["errors"] as? Int == 1)
        #expect(sites.first?["warnings"] as? Int == 2 && sites.first?["findings"] as? Int == 3)
        let one = try admin.object("/api/v1/sites/a.example").members
        #expect(one["assetlinks"] as? String == "[]" && one["versions"] is NSNull)
        let certificates = try admin.object("/api/v1/certificates").members["certificates"] as? [[String: Any]]
        #expect(certificates?.first?["daysLeft"] as? Int == 10)
        #expect(certificates?.first?["sites"] as? [String] == ["a.example"])
        let series = try #require(
            try admin.object("/api/v1/metrics-history").members["series"] as? [String: [Int]])
        // Another minute may have begun meanwhile.
        #expect(series["requests"]?.suffix(3).reduce(0, +) == 3 && series["requests"]?.count == 60)
        #expect(series["handshakes"]?.suffix(2).reduce(0, +) == 2)
    }
}
