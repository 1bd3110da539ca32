import ACME
import AssociationServer
import Diagnostics
import Foundation
import HTTP1
import ServiceHealth
import SystemSupport
import TestSupport
import Testing

/// `/api/v1/status` (server.md, section 9).
@Suite("The status of a server", .waiting)
struct ServerStatusTests {
    /// 2026-01-01T00:00:00Z.
    private static let now: Int64 = 1_767_225_600
    private static let day: Int64 = 86_400
    private static let digest = String(repeating: "0123456789abcdef", count: 4)

    /// A site with a certificate of 90 days.
    private static func site(
        _ domain: String, daysLeft: Int64 = 60, source: CertificateSource = .folder, _ status: DomainStatus? = nil,
        _ change: (inout SiteReport) -> Void = { _ in }
    ) -> SiteReport {
        let validity = CertificateValidity(notBefore: now + (daysLeft - 90) * day, notAfter: now + daysLeft * day)
        var report = SiteReport(
            domain: domain, number: 0, state: .published, sha256: digest, bytes: 1, loadedAt: now,
            certificate: CertificateReport(
                name: domain, keyType: "ECDSA", notBefore: validity.notBefore, notAfter: validity.notAfter,
                folder: "certs/a", source: source),
            judgement: CertificateJudgement(validity, source, of: domain, status, now: now), issuance: status)
        change(&report)
        return report
    }

    private static func status(
        _ sites: [SiteReport], _ state: ServingState = .ready, loops: LoopReport? = LoopReport(), days: Int? = nil
    ) -> ServerStatus {
        ServerStatus(state, sites, loops: loops, certificateDays: days, now: now)
    }

    /// The problems as `kind severity: message`.
    private static func lines(_ status: ServerStatus) -> [String] {
        status.problems.map { "\($0.kind.rawValue) \($0.severity.word): \($0.message)" }
    }

    @Test("a server with which all is well has no problems")
    func fine() {
        let status = Self.status([Self.site("a.example"), Self.site("b.example")])
        #expect(status.severity == .ok && status.problems.isEmpty && status.more == 0)
        #expect(status.sites.total == 2 && status.sites.published == 2 && status.sites.broken == 0)
    }

    @Test("the server itself: a loop that hangs, and each state but ready")
    func general() {
        #expect(
            Self.lines(Self.status([], loops: nil)) == [
                "loop-stuck critical: an event loop has not answered within a second"
            ])
        #expect(Self.lines(Self.status([], .starting)) == ["not-ready critical: the server is starting"])
        #expect(Self.lines(Self.status([], .nothingPublished)) == ["not-ready critical: no site has a valid file"])
        let draining = Self.status([], .draining)
        #expect(Self.lines(draining) == ["not-ready warning: the server is stopping"])
        #expect(draining.severity == .warning && draining.serving == "draining")
    }

    @Test("files: one that is refused, and an older one that is served")
    func files() {
        let error = SiteError(at: Self.now, message: "2 errors", diagnostics: [])
        let refused = Self.site("a.example") {
            ($0.state, $0.sha256, $0.lastError) = (.refused, nil, error)
        }
        let stale = Self.site("b.example") { ($0.state, $0.lastError) = (.stale, error) }
        let status = Self.status([refused, stale])
        #expect(
            Self.lines(status) == [
                "refused critical: answers 503: 2 errors", "stale warning: an older file is served: 2 errors",
            ])
        #expect(status.sites.refused == 1 && status.sites.stale == 1)
        #expect(status.sites.broken == 1 && status.sites.attention == 1)
        // In a store a site may have nothing but other files.
        let others = Self.site("d.example") { ($0.sha256, $0.files) = (nil, ["assetlinks.json"]) }
        #expect(Self.status([others]).problems.isEmpty)
        // Both, where a certificate is missing, too: the state tells one of them only.
        let both = Self.site("c.example") {
            ($0.state, $0.sha256, $0.certificate, $0.lastError) = (.noCertificate, nil, nil, error)
            $0.judgement = CertificateJudgement(withoutCertificateFor: "c.example", nil)
        }
        #expect(
            Self.lines(Self.status([both])) == [
                "refused critical: answers 503: 2 errors",
                "no-certificate critical: no certificate: nobody can fetch this file",
            ])
    }

    @Test("a certificate that nobody renews automatically: by the judgement of all commands, or by the days asked for")
    func ownCertificates() {
        #expect(Self.lines(Self.status([Self.site("a.example", daysLeft: 23)])).isEmpty)
        #expect(
            Self.lines(Self.status([Self.site("a.example", daysLeft: 20)])) == [
                "certificate-expires warning: certificate expires in 20 days (2026-01-21)"
            ])
        #expect(Self.lines(Self.status([Self.site("a.example", daysLeft: 20)], days: 14)).isEmpty)
        #expect(
            Self.lines(Self.status([Self.site("a.example", daysLeft: 50)], days: 60)) == [
                "certificate-expires warning: certificate expires in 50 days (2026-02-20)"
            ])
        #expect(
            Self.lines(Self.status([Self.site("a.example", daysLeft: 2)], days: 0)) == [
                "certificate-expires critical: certificate expires in 2 days (2026-01-03)"
            ])
        for days in [nil, 0, 100] {
            #expect(
                Self.lines(Self.status([Self.site("a.example", daysLeft: -1)], days: days)) == [
                    "certificate-expired critical: certificate expired on 2025-12-31"
                ])
        }
    }

    @Test("a certificate that the server renews is a problem when its renewal is")
    func renewedCertificates() {
        var status = DomainStatus(.valid)
        status.nextRenewal = Self.now + Self.day
        #expect(Self.lines(Self.status([Self.site("a.example", daysLeft: 9, source: .acme, status)], days: 60)).isEmpty)
        status = DomainStatus(.backoff)
        status.lastError = RecordedError(at: Self.now, type: .dns, message: "no address")
        #expect(
            Self.lines(Self.status([Self.site("a.example", daysLeft: 20, source: .acme, status)])) == [
                "certificate-expires warning: certificate was not renewed: dns"
            ])
        status.state = .blocked
        #expect(
            Self.lines(Self.status([Self.site("a.example", daysLeft: 20, source: .acme, status)])) == [
                "certificate-expires critical: certificate cannot be renewed: dns"
            ])
        let awaited = Self.site("b.example") {
            ($0.state, $0.certificate) = (.noCertificate, nil)
            $0.judgement = CertificateJudgement(withoutCertificateFor: "b.example", DomainStatus(.waiting))
        }
        #expect(
            Self.lines(Self.status([awaited])) == [
                "no-certificate warning: no certificate yet: the server gets one"
            ])
    }

    @Test(
        "Apple's last fetch: an error, and none for two weeks",
        arguments: [
            (Status.ok, 13 as Int64, nil), (.notModified, 0, nil),
            (.ok, 14, "apple-silent warning: Apple's last fetch was 14 days ago"),
            (.notFound, 1, "apple-error warning: Apple's last fetch got 404 (2025-12-31T00:00:00Z)"),
            (.serviceUnavailable, 30, "apple-error warning: Apple's last fetch got 503 (2025-12-02T00:00:00Z)"),
        ])
    func apple(status: Status, days: Int64, expected: String?) {
        let counters = LoopCounters()
        counters.keep(sites: 1)
        counters.countFetch(
            site: 0, .bot, AppleFetches.Fetch(at: Self.now - days * Self.day, userAgent: "AASA-Bot", status: status))
        let loops = counters.report(connections: 0)
        #expect(Self.lines(Self.status([Self.site("a.example")], loops: loops)) == [expected].compactMap { $0 })
        // The answers of a site that has no file are told as that.
        let refused = Self.site("a.example") { ($0.state, $0.sha256) = (.refused, nil) }
        #expect(Self.status([refused], loops: loops).problems.map(\.kind) == [.refused])
    }

    @Test("problems are sorted: critical ones first, then by domain, and more than a thousand are counted")
    func order() throws {
        let sites = (0..<1_500).map { number in
            Self.site("s\(String(10_000 + number).dropFirst()).example", daysLeft: number % 2 == 0 ? 20 : -1)
        }
        let status = Self.status(sites.reversed(), loops: nil)
        #expect(status.problems.count == ServerStatus.mostProblems && status.more == 501)
        #expect(status.problems.first?.kind == .loopStuck)
        #expect(status.problems[1].domain == "s0001.example" && status.problems[751].domain == "s0000.example")
        #expect(status.sites.broken == 750 && status.sites.attention == 750)
        let text = JSONOutput.object(status.members).text
        #expect(ServerStatus(Array(text.utf8)) == status)
        #expect(ServerStatus(Array(text.dropLast().utf8)) == nil)
    }

    @Test(
        "what is not a status is not taken for one",
        arguments: [
            "", "{}", "ok\n",
            #"{"version":1,"status":"fine","serving":"ready","sites":{},"problems":[],"more":0}"#,
        ])
    func others(text: String) { #expect(ServerStatus(Array(text.utf8)) == nil) }

    @Test("the admin listener answers with it, and names a parameter that cannot be used")
    func endpoint() throws {
        let admin = try RunningAdmin(FakeAdminSource { $0.sites = [Self.site("a.example")] })
        let (status, body) = try admin.get("/api/v1/status")
        #expect(status == 200)
        #expect(ServerStatus(Array(body.utf8))?.sites.total == 1)
        for (query, message) in [
            ("certificateDays=x", "parameter 'certificateDays' is 'x'; expected a number from 0 to 10,000"),
            ("certificateDays=-1", "parameter 'certificateDays' is '-1'; expected a number from 0 to 10,000"),
            ("days=1", "unknown parameter 'days'"),
        ] {
            let (status, members) = try admin.object("/api/v1/status?\(query)")
            #expect(status == 400 && members["error"] as? String == message)
        }
        admin.source.state.withLock { $0.loops = nil }
        #expect(ServerStatus(Array(try admin.get("/api/v1/status").body.utf8))?.problems.first?.kind == .loopStuck)
    }
}
