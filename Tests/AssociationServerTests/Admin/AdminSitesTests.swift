import ACME
import AssociationLint
import AssociationServer
import Diagnostics
import Foundation
import HTTP1
import ServiceHealth
import SystemSupport
import TestSupport
import Testing

/// `/sites` (server.md, section 9).
@Suite("The admin listener's sites", .waiting)
struct AdminSitesTests {
    private static let digest = SiteFacts.sampleDigest
    /// The end of a certificate: 2026-01-01T00:00:00Z.
    private static let newYear: Int64 = 1_767_225_600

    private static func findings() -> [LocatedDiagnostic] {
        let text = #"{"applinks":{"details":[{"appIDs":["com.example.app"],"components":[]}]}}"#
        let result = Linter(LintOptions()).check(Array(text.utf8), path: "sites/b/apple-app-site-association")
        return result.diagnostics.map { LocatedDiagnostic($0, in: result.source) }
    }

    private static var status: DomainStatus {
        var status = DomainStatus(.backoff)
        status.nextRenewal = newYear - 1
        status.nextAttempt = newYear
        status.lastAttempt = newYear - 60
        status.failures = 3
        status.lastError = RecordedError(at: newYear - 60, type: .dns, message: "no \"address\"")
        return status
    }

    private static let judgement = CertificateJudgement(
        CertificateValidity(notBefore: newYear - 90 * 86_400, notAfter: newYear), .acme, of: "*.example.com", status,
        now: newYear - 20 * 86_400)

    private func source() -> FakeAdminSource {
        let counters = LoopCounters()
        counters.keep(sites: 8)
        counters.countFetch(site: 7, .bot, "AASA-Bot/1.0.0 \"\u{7}", .notModified, at: Self.newYear)
        return FakeAdminSource {
            $0.loops = [counters.report(connections: 0)]
            $0.sites = [
                .sample(
                    "*.example.com", number: 7, since: Self.newYear + 1, findings: [.warning("a", "m")],
                    others: [.sample("security.txt"), .sample("assetlinks.json")],
                    certificate: CertificateFacts(
                        name: "*.example.com", keyType: "ECDSA",
                        validity: CertificateValidity(notBefore: Self.newYear - 90 * 86_400, notAfter: Self.newYear),
                        folder: "certs/a", source: .acme),
                    judgement: Self.judgement, issuance: Self.status),
                .sample(
                    "broken.example", number: 3, .refused, since: Self.newYear + 59,
                    findings: [.error("sites/broken.example", "the file cannot be read: permission denied")]),
            ]
            $0.issuance = IssuanceReport(directory: "https://ca.example/")
            $0.pairs = [
                PairFacts(folder: "certs/a", state: .loaded),
                PairFacts(
                    folder: "certs/b", state: .waiting, finding: .error("certs/b/privkey.pem", "the keys differ"),
                    retriedUntil: Self.newYear + 60),
            ]
            $0.served = [
                ServedSite(domain: "*.example.com", file: nil), ServedSite(domain: "broken.example", file: nil),
            ]
        }
    }

    @Test("every key, sorted, absent values null")
    func golden() throws {
        let admin = try RunningAdmin(source())
        let (status, body) = try admin.get("/sites")
        let days = Int((Double(Self.newYear) - Date().timeIntervalSince1970) / 86_400 - 1)
        #expect(status == 200)
        #expect(
            body == """
                {"certificateProblems":[{"folder":"certs/b","message":"the keys differ","path":"certs/b/privkey.pem",\
                "retriedUntil":"2026-01-01T00:01:00Z","state":"waiting"}],"sites":[{"acme":{"directory":"https://ca.example/",\
                "failures":3,"lastAttempt":"2025-12-31T23:59:00Z","lastError":{"at":"2025-12-31T23:59:00Z",\
                "message":"no \\"address\\"","type":"dns"},"nextAttempt":"2026-01-01T00:00:00Z",\
                "nextRenewal":"2025-12-31T23:59:59Z","state":"backoff"},"bytes":1234,"certificate":{"daysLeft":\(days),\
                "folder":"certs/a","keyType":"ECDSA","name":"*.example.com","notAfter":"2026-01-01T00:00:00Z",\
                "source":"acme"},"certificateStatus":{"help":"correct the cause (dns); the next attempt is at \
                2026-01-01T00:00:00Z, or at once with 'aasa certificates --renew _wildcard.example.com'",\
                "message":"certificate was not renewed: dns","severity":"warning","state":"renewal-failed"},\
                "domain":"*.example.com",\
                "files":["assetlinks.json","security.txt"],"findings":1,"lastAppleFetch":{"at":"2026-01-01T00:00:00Z",\
                "status":304,"userAgent":"AASA-Bot/1.0.0 \\"\\u0007"},"lastError":null,"links":null,"loadedAt":"2026-01-01T00:00:01Z",\
                "problems":[{"column":null,"domain":"*.example.com","help":"correct the cause (dns); the next attempt is at \
                2026-01-01T00:00:00Z, or at once with 'aasa certificates --renew _wildcard.example.com'",\
                "kind":"certificate-expires","line":null,"message":"certificate was not renewed: dns","path":"certs/a",\
                "severity":"warning","since":"2025-12-31T23:59:00Z"},{"column":null,"domain":"*.example.com",\
                "help":"run 'aasa doctor www.example.com'","kind":"apple-silent","line":null,\
                "message":"Apple's last fetch was \(-days - 1) days ago","path":null,"severity":"warning","since":null},\
                {"column":null,"domain":"*.example.com","help":null,\
                "kind":"file-warnings","line":null,"message":"apple-app-site-association: m","path":"a","severity":"ok",\
                "since":null}],"severity":"warning","sha256":"\(Self.digest)","state":"published"},\
                {"acme":null,"bytes":null,"certificate":null,"certificateStatus":{"help":null,\
                "message":"no certificate is needed","severity":"ok","state":"not-needed"},"domain":"broken.example","files":[],"findings":1,"lastAppleFetch":null,\
                "lastError":{"at":"2026-01-01T00:00:59Z","diagnostics":[{"code":null,"fixIts":[],\
                "message":"the file cannot be read: permission denied","notes":[],"path":"sites/broken.example",\
                "pointer":null,"range":null,"severity":"error"}],"message":"the file cannot be read: permission denied"},\
                "links":null,"loadedAt":null,"problems":[{"column":null,"domain":"broken.example","help":null,"kind":"refused","line":null,\
                "message":"answers 503: the file cannot be read: permission denied","path":"sites/broken.example",\
                "severity":"critical","since":"2026-01-01T00:00:59Z"}],"severity":"critical","sha256":null,\
                "state":"refused"}],"version":1}

                """)
    }

    @Test("no sites are an empty list")
    func none() throws {
        #expect(try RunningAdmin().get("/sites") == (200, #"{"certificateProblems":[],"sites":[],"version":1}"# + "\n"))
    }

    @Test(
        "one site is found by its domain or by a host that it answers for",
        arguments: [
            ("*.example.com", ["*.example.com"]), ("www.example.com", ["*.example.com"]),
            ("WWW.Example.COM", ["*.example.com"]), ("broken.example", ["broken.example"]),
            ("%2A.example.com", ["*.example.com"]), ("www.example.com&state=published", ["*.example.com"]),
            ("www.example.com&state=stale", []),
        ])
    func filter(host: String, domains: [String]) throws {
        let (status, members) = try RunningAdmin(source()).object("/sites?domain=\(host)")
        #expect(status == 200)
        let sites = try #require(members["sites"] as? [[String: Any]])
        #expect(sites.map { $0["domain"] as? String } == domains)
    }

    @Test(
        "a domain that no site answers for is 404", arguments: ["example.com", "a.b.example.com", "", "brokn.example"])
    func unknown(host: String) throws {
        let (status, members) = try RunningAdmin(source()).object("/sites?domain=\(host)")
        #expect(status == 404)
        #expect(members["error"] as? String == "no site answers for '\(host)'; /sites lists all")
        #expect(members["version"] as? Int == 1 && (members["sites"] as? [Any])?.isEmpty == true)
        if host == "brokn.example" { #expect(members["nearby"] as? [String] == ["broken.example"]) }
    }

    @Test(
        "the sites in a state",
        arguments: [
            ("published", ["*.example.com"]), ("refused", ["broken.example"]), ("no-certificate", []), ("stale", []),
        ])
    func states(state: String, domains: [String]) throws {
        let (status, members) = try RunningAdmin(source()).object("/sites?state=\(state)")
        #expect(status == 200)
        #expect((members["sites"] as? [[String: Any]])?.map { $0["domain"] as? String } == domains)
    }

    @Test("a state that there is not is answered with those that there are", arguments: ["", "Published", "x"])
    func unknownState(state: String) throws {
        let (status, members) = try RunningAdmin(source()).object("/sites?state=\(state)")
        #expect(status == 400)
        let known = "'published', 'stale', 'refused', 'no-certificate'"
        #expect(members["error"] as? String == "parameter 'state' is '\(state)'; expected one of \(known)")
    }

    @Test("a parameter that there is not is named", arguments: ["site=a", "domain", "domain=a&domain=b", "domain=%4"])
    func parameters(query: String) throws {
        let (status, members) = try RunningAdmin(source()).object("/sites?\(query)")
        #expect(status == 400)
        #expect((members["error"] as? String)?.contains("parameter") == true)
    }

    @Test("the diagnostics of a site are those of 'aasa validate', twenty at most")
    func diagnostics() throws {
        let findings = Self.findings()
        let many = [[LocatedDiagnostic]](repeating: findings, count: 30).flatMap(\.self)
        let admin = try RunningAdmin(
            FakeAdminSource {
                $0.sites = [.sample("a.example", .stale, findings: many)]
            })
        let site = try #require((admin.object("/sites").members["sites"] as? [[String: Any]])?.first)
        #expect(site["findings"] as? Int == many.count)
        let shown = try #require((site["lastError"] as? [String: Any])?["diagnostics"] as? [[String: Any]])
        #expect(shown.count == 20)
        let folder = try TemporaryFolder()
        let path = try folder.write(
            #"{"applinks":{"details":[{"appIDs":["com.example.app"],"components":[]}]}}"#,
            to: "apple-app-site-association")
        let validated = try Shell.run([RunningServer.executable, "validate", "--format", "json", path]).output
        let report = try #require(JSONSerialization.jsonObject(with: validated) as? [String: Any])
        let expected = try #require(report["diagnostics"] as? [[String: Any]])
        try #require(!expected.isEmpty && expected.count == findings.count)
        for (var expected, shown) in zip(expected, shown) {
            expected["path"] = "sites/b/apple-app-site-association"
            #expect(NSDictionary(dictionary: expected) == NSDictionary(dictionary: shown))
        }
    }

    @Test("without an answer of the loops the sites are told all the same, and that something is missing")
    func incomplete() throws {
        let admin = try RunningAdmin(source())
        admin.source.state.withLock { $0.loops = nil }
        let (status, members) = try admin.object("/sites")
        #expect(status == 200)
        let problem = "an event loop has not answered within a second: the counters of the loops are missing"
        #expect(members["error"] as? String == problem)
        #expect((members["sites"] as? [[String: Any]])?.count == 2)
    }
}
