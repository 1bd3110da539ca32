import ACME
import AutomaticCertificates
import Foundation
import ServiceHealth
import SystemSupport
import TestSupport
import Testing

/// Everything that speaks of certificates says the same of the same folder (acme.md, section 9).
@Suite("What is said of certificates", .waiting)
struct CertificateAgreementTests {
    /// A site with the state and the severity that its certificate has everywhere.
    private typealias Expected = (domain: String, state: CertificateJudgement.State, severity: HealthSeverity)

    private static let sites: [Expected] = [
        ("excluded.example.com", .missing, .critical), ("fail.example.com", .orderFailed, .critical),
        ("late.example.com", .renewalFailed, .warning), ("name.test", .blocked, .critical),
        ("ok.example.com", .ok, .ok), ("old.example.com", .expired, .critical), ("own.example.com", .expires, .warning),
        ("overdue.example.com", .renewalOverdue, .warning), ("wait.example.com", .awaited, .warning),
    ]

    private static func acme(_ names: [String]) -> String {
        let exclude = names.contains("excluded.example.com") ? #", "exclude": ["excluded.example.com"]"# : ""
        return #""agreeToTerms": true"# + exclude
    }

    private func layOut(_ sites: [Expected]) throws -> CertificateSite {
        let names = sites.map(\.domain)
        let site = try CertificateSite(acme: Self.acme(names), sites: names)
        if names.contains("ok.example.com") { try site.install("ok.example.com", key: 301) }
        if names.contains("late.example.com") {
            try site.install("late.example.com", key: 302, notBefore: -70, notAfter: 20)
        }
        if names.contains("overdue.example.com") {
            try site.install("overdue.example.com", key: 303, notBefore: -75, notAfter: 15)
        }
        if names.contains("old.example.com") {
            try site.add("old", ["old.example.com"], notBefore: -90, notAfter: -3)
        }
        try site.add("own", ["own.example.com"], notBefore: -393, notAfter: 5)
        var records = ["fail.example.com", "late.example.com"].filter(names.contains).map {
            CertificateSite.failure($0)
        }
        if names.contains("overdue.example.com") {
            let certificates = try site.run("--format", "json").object()["certificates"] as? [[String: Any]]
            let overdue = certificates?.first { $0["names"] as? [String] == ["overdue.example.com"] }
            let fingerprint = try #require(overdue?["sha256"] as? String)
            let time = InternetDate.string(CertificateSite.now - 20 * 86_400)
            records.append(
                """
                {"domain":"overdue.example.com","failures":0,"renewal":{"certificate":"\(fingerprint)",\
                "time":"\(time)","nextQuestion":"\(time)"}}
                """)
        }
        try site.remember(records.joined(separator: ","))
        return site
    }

    private struct Said: Equatable, CustomStringConvertible {
        let state, severity, message: String?
        let help: String?

        init(_ members: [String: Any]?) {
            state = members?["state"] as? String
            severity = members?["severity"] as? String
            message = members?["message"] as? String
            help = members?["help"] as? String
        }

        var description: String { "\(state ?? "-") \(severity ?? "-") \(message ?? "-") \(help ?? "-")" }
    }

    private func said(_ list: Any?, _ key: String) throws -> [String: Said] {
        let entries = try #require(list as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: entries.map {
                ($0["domain"] as? String ?? "", Said($0[key] as? [String: Any]))
            })
    }

    private func check(_ site: CertificateSite, _ arguments: String...) throws -> Shell.Outcome {
        try Shell.run(
            [site.tool.executable, "serve", "--config", "server.json", "--check"] + arguments,
            in: site.tool.folder.url)
    }

    private func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("both commands and a running server have one state, severity and advice for each site")
    func agreement() throws {
        let site = try layOut(Self.sites)
        // The server orders nothing, and knows what was remembered.
        let lock = try #require(try site.issuance.lock())
        let listed = try site.run("--format", "json")
        let byCertificates = try said(object(listed.output)["domains"], "certificateStatus")
        let checked = try check(site, "--format", "json")
        let byCheck = try said(object(checked.output)["sites"], "certificate")
        let server = try RunningServer(
            site.tool.folder, configuration: "{\"acme\": {\(Self.acme(Self.sites.map(\.domain)))}}",
            arguments: ["--admin", "127.0.0.1:0"])
        var byServer: [String: Said] = [:]
        let isSettled = try Waiting.until {
            byServer = try said(object(server.askAdmin("/sites").output)["sites"], "certificateStatus")
            return byServer["fail.example.com"]?.state == "order-failed"
        }
        #expect(isSettled, "\(byServer)")
        let metrics = try server.askAdmin("/metrics").text
        for (domain, state, severity) in Self.sites {
            let known = try #require(byServer[domain], "\(domain)")
            #expect(known.state == state.rawValue && known.severity == severity.word, "\(domain): \(known)")
            #expect(byCertificates[domain] == known, "\(domain): \(byCertificates[domain].debugDescription) \(known)")
            if severity > .ok {
                #expect(byCheck[domain] == known, "\(domain): \(byCheck[domain].debugDescription) \(known)")
            } else {
                #expect(byCheck[domain] == nil)
            }
            let labels = #"site="\#(domain)",state="\#(state.rawValue)""#
            #expect(metrics.contains("aasa_site_certificate_severity{\(labels)} \(severity.rawValue)\n"), "\(domain)")
        }
        // Four have a certificate that is valid; the excluded one gets none.
        #expect(try server.askAdmin("/readyz").text == "ready\ncertificates: 4 of 8\n")
        #expect(
            server.waitForLog(
                "own/fullchain.pem: the certificate for own.example.com expires in 4 days (\(CertificateSite.date(days: 5)))"
            ))
        #expect(
            server.waitForLog("old/fullchain.pem: the certificate for old.example.com expired on"), "\(server.logText)")
        #expect(listed.status == 1 && checked.status == 1)
        withExtendedLifetime(lock) {}
    }

    @Test(
        "the exit codes of both commands are those of the worst certificate",
        arguments: [(["ok.example.com"], 0, 0), (["late.example.com", "own.example.com"], 0, 1)]
            + sites.map { ([$0.domain], $0.severity == .critical ? 1 : 0, $0.severity > .ok ? 1 : 0) }
            as [([String], Int32, Int32)])
    func exitCodes(domains: [String], status: Int32, strict: Int32) throws {
        let site = try layOut(Self.sites.filter { domains.contains($0.domain) })
        let (listed, checked) = (try site.run(), try check(site))
        #expect(listed.status == status, "\(listed.text)")
        #expect(checked.status == status, "\(checked.text)")
        #expect(try site.run("--strict").status == strict)
        #expect(try check(site, "--strict").status == strict)
    }
}
