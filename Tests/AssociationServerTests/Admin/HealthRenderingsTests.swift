import AssociationServer
import Diagnostics
import Foundation
import HTTP1
import ServiceHealth
import TestSupport
import Testing

/// All that speaks of the health of a server says the same of the same values (server.md, section 9).
@Suite("The renderings of the health", .waiting)
struct HealthRenderingsTests {
    /// A rendering: its severity as far as it tells one, and those of sites that are not well.
    private struct Rendering: CustomStringConvertible {
        let name: String
        var severity: HealthSeverity?
        var sites: [String: HealthSeverity]?

        var description: String { "\(name): \(severity.map(\.word) ?? "-"), \(sites ?? [:])" }
    }

    private static func severity(_ word: some StringProtocol) -> HealthSeverity {
        switch word {
        case "critical", "CRITICAL", "x": .critical
        case "warning", "WARNING", "!": .warning
        default: .ok
        }
    }

    /// The admin listener of a server in this situation.
    private static func admin(_ facts: HealthFacts) throws -> RunningAdmin {
        let counters = LoopCounters()
        counters.keep(sites: facts.sites.count)
        let age = Int64(Date().timeIntervalSince1970) - HealthSituation.now
        for site in facts.sites {
            guard let fetch = site.lastFetch, let status = Status.allCases.first(where: { $0.rawValue == fetch.status })
            else { continue }
            counters.countFetch(
                site: site.site.number, .bot, fetch.userAgent, status, at: fetch.at + age)
        }
        return try RunningAdmin(
            FakeAdminSource {
                ($0.servingState, $0.sites, $0.pairs, $0.others) = (facts.serving, facts.sites, facts.pairs, facts)
                $0.others.isStuck = false
                $0.loops = facts.isStuck ? nil : [counters.report(connections: 0)]
            })
    }

    private static func objects(_ list: Any?, _ key: String) -> [String: HealthSeverity] {
        let entries = (list as? [[String: Any]] ?? []).compactMap { entry in
            (entry["domain"] as? String).map { ($0, severity(entry[key] as? String ?? "")) }
        }
        return Dictionary(entries, uniquingKeysWith: max).filter { $0.value > .ok }
    }

    private static func renderings(_ health: SiteHealth, _ admin: RunningAdmin) throws -> [Rendering] {
        let text = HealthText(health, now: HealthSituation.now)
        let marked = text.lines(hasRemarks: true).filter { $0.hasPrefix("x ") || $0.hasPrefix("! ") }
        let ofSites = marked.compactMap { line in
            line.firstMatch(of: #/^(.) ([a-z.]+\.[a-z]+): /#).map { (String($0.2), severity($0.1)) }
        }
        let plugin = text.nagios()[0].split(separator: " ")[1]
        let status = try admin.object("/api/v1/status").members
        let page = try admin.get("/console/sites").body
        let rows = page.matches(of: #/<tr data-domain="([^"]+)" data-state="[^"]+" data-severity="([a-z]+)"/#)
        let listed = try admin.get("/console/").body.matches(
            of: #/<li data-severity="([a-z]+)" data-kind="[^"]+"(?: data-domain="([^"]+)")?/#)
        let ofPage = Dictionary(
            listed.compactMap { entry in entry.2.map { (String($0), severity(entry.1)) } }, uniquingKeysWith: max
        ).filter { $0.value > .ok }
        let ofRows = Dictionary(
            rows.map { (String($0.1), severity($0.2)) }, uniquingKeysWith: max
        ).filter { $0.value > .ok }
        let metrics = try admin.get("/metrics")
        var all = [
            Rendering(
                name: "text of 'aasa status' and 'aasa serve --check'",
                severity: marked.first.map { severity($0.prefix(1)) } ?? .ok,
                sites: Dictionary(ofSites, uniquingKeysWith: max)),
            Rendering(name: "nagios", severity: severity(plugin)),
            Rendering(
                name: "/api/v1/status", severity: severity(status["status"] as? String ?? ""),
                sites: objects(status["problems"], "severity")),
            Rendering(name: "/sites", sites: objects(try admin.object("/sites").members["sites"], "severity")),
            Rendering(
                name: "the first page of the console", severity: listed.map { severity($0.1) }.max() ?? .ok,
                sites: ofPage),
            Rendering(name: "the console's table of sites", sites: ofRows),
        ]
        if metrics.status == 200 {
            let samples = try PrometheusText(metrics.body)
            let value = try #require(samples.value("aasa_health_severity"))
            all.append(
                Rendering(
                    name: "/metrics", severity: HealthSeverity(rawValue: Int(value)),
                    sites: Dictionary(
                        uniqueKeysWithValues: health.severities.keys.map { domain in
                            let value = samples.value("aasa_site_severity", ["site": domain]) ?? -1
                            return (domain, HealthSeverity(rawValue: Int(value)) ?? .ok)
                        })))
        }
        return all
    }

    @Test("no two of them disagree in severity, or in which site", arguments: HealthSituation.all)
    func agreement(situation: HealthSituation) throws {
        let health = SiteHealth(situation.facts, now: HealthSituation.now)
        let admin = try Self.admin(situation.facts)
        defer { withExtendedLifetime(admin) {} }
        for rendering in try Self.renderings(health, admin) {
            if let severity = rendering.severity {
                #expect(severity == health.severity, "\(situation.name): \(rendering), not \(health.severity.word)")
            }
            if let sites = rendering.sites {
                #expect(sites == health.severities, "\(situation.name): \(rendering), not \(health.severities)")
            }
        }
        // A load balancer must not take away a server of which one site is broken.
        let isReady = !health.problems.contains { $0.kind == .notReady }
        #expect(try admin.get("/readyz").status == (isReady ? 200 : 503))
        let certificates = health.problems.filter { $0.kind.rawValue.contains("certificate") }
        #expect(health.ofCertificates.problems == certificates, "\(situation.name)")
        // Other programs read the same.
        #expect(SiteHealth(Array(JSONOutput.object(health.members).text.utf8)) == health)
    }

    @Test("strictness makes a warning of what the validator warns of, in each of them alike")
    func strict() throws {
        for situation in HealthSituation.all {
            let options = SiteHealth.Options(isStrict: true)
            let usual = SiteHealth(situation.facts, now: HealthSituation.now)
            let strict = SiteHealth(situation.facts, options, now: HealthSituation.now)
            #expect(strict.fileWarnings == usual.fileWarnings)
            #expect(
                strict.severity == max(usual.severity, usual.fileWarnings > 0 ? .warning : .ok), "\(situation.name)")
            #expect(SiteHealth(Array(JSONOutput.object(strict.members).text.utf8))?.severity == strict.severity)
        }
        let warned = try #require(HealthSituation.all.first { $0.name == "warnings of the validator" })
        let admin = try Self.admin(warned.facts)
        #expect(try admin.object("/api/v1/status").members["status"] as? String == "ok")
        #expect(try admin.object("/api/v1/status?strict=1").members["status"] as? String == "warning")
        #expect(try admin.object("/api/v1/status?strict=0").members["fileWarnings"] as? Int == 2)
    }

    @Test("there are at least 40 situations, each with a name of its own, and of each severity several")
    func situations() {
        let names = Set(HealthSituation.all.map(\.name))
        #expect(names.count == HealthSituation.all.count && names.count >= 40)
        let severities = HealthSituation.all.map { SiteHealth($0.facts, now: HealthSituation.now).severity }
        for severity in HealthSeverity.allCases { #expect(severities.count { $0 == severity } >= 8) }
    }

    @Test("the admin listener answers for one site, and names a parameter that cannot be used")
    func endpoint() throws {
        let admin = try RunningAdmin(
            FakeAdminSource { $0.sites = [.sample("a.example"), .sample("b.example", .refused)] })
        let all = try #require(SiteHealth(Array(try admin.get("/api/v1/status").body.utf8)))
        #expect(all.sites.total == 2 && all.severity == .critical)
        let one = try #require(SiteHealth(Array(try admin.get("/api/v1/status?domain=a.example").body.utf8)))
        #expect(one.sites.total == 1 && one.severity == .ok)
        #expect(try admin.get("/api/v1/status?domain=c.example").status == 404)
        for (query, message) in [
            ("certificateDays=x", "parameter 'certificateDays' is 'x'; expected a number from 0 to 10,000"),
            ("certificateDays=-1", "parameter 'certificateDays' is '-1'; expected a number from 0 to 10,000"),
            ("strict=2", "parameter 'strict' is '2'; expected a number from 0 to 1"),
            ("days=1", "unknown parameter 'days'"),
        ] {
            let (status, members) = try admin.object("/api/v1/status?\(query)")
            #expect(status == 400 && members["error"] as? String == message)
        }
    }
}
