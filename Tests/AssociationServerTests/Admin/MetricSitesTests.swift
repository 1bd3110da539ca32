import AssociationServer
import Foundation
import ServiceHealth
import TestSupport
import Testing

/// The sites that have series of their own in `/metrics` (`metrics.sites` in server.json), and its bounds.
@Suite("Metrics of single sites", .waiting)
struct MetricSitesTests {
    /// The bytes of a document about sites, each of which some name and state is given to.
    private static func bytes(
        _ count: Int, _ listed: ServerConfiguration.MetricSites?, name: (Int) -> String = { "d\($0).example" },
        state: (Int) -> SiteState.State
    ) -> [UInt8] {
        let sites = (0..<count).map { SiteFacts.sample(name($0), number: $0, state($0)) }
        let source = FakeAdminSource {
            $0.sites = sites
            $0.configuration.metricSites = listed
            $0.certificates = (0..<count).map { number in
                CertificateFacts(
                    name: name(number), keyType: "ECDSA",
                    validity: CertificateValidity(notBefore: 0, notAfter: 2_000_000_000 - Int64(number)),
                    folder: "certs/a")
            }
        }
        return MetricsDocument(source, LoopReport(), ProcessFacts(), now: 1_750_000_000).bytes
    }

    private static func text(_ bytes: [UInt8]) throws -> PrometheusText {
        try PrometheusText(String(decoding: bytes, as: UTF8.self))
    }

    @Test(
        "all sites have series, those with a problem, or none; without the setting that depends on their number",
        arguments: [
            (ServerConfiguration.MetricSites?.none, 1_000, true, true), (nil, 1_001, false, true),
            (.all, 1_001, true, true), (.problems, 3, false, true), (.some(.none), 3, false, false),
        ])
    func listed(_ setting: ServerConfiguration.MetricSites?, count: Int, well: Bool, faulty: Bool) throws {
        let metrics = try Self.text(Self.bytes(count, setting) { $0 == 1 ? .stale : .published })
        for (number, isListed) in [(0, well), (1, faulty), (count - 1, well)] {
            let site = "d\(number).example"
            #expect((metrics.value("aasa_site_severity", ["site": site]) != nil) == isListed, "\(site)")
            let state = metrics.value("aasa_site_state", ["site": site, "state": "published"])
            #expect(state == (isListed ? (number == 1 ? 0 : 1) : nil), "\(site)")
        }
        // What alerts ask for is there in any case, and well is what is absent.
        let problem = ["kind": "stale", "severity": "warning", "site": "d1.example"]
        #expect(metrics.value("aasa_problems", problem) == 1)
        #expect(metrics.families["aasa_problems"]?.samples.contains { $0.labels["site"] == "d0.example" } == false)
        #expect(metrics.value("aasa_sites", ["state": "published"]) == Double(count - 1))
        #expect(metrics.value("aasa_sites", ["state": "stale"]) == 1)
        #expect(metrics.value("aasa_sites", ["state": "refused"]) == 0)
    }

    @Test("100,000 sites, some of them with problems, are a document of which little is about single sites")
    func manySites() throws {
        let bytes = Self.bytes(100_000, nil) { $0 % 500 == 0 ? .stale : .published }
        // One buffer, of which nothing is moved while it is filled.
        #expect(bytes.count <= 2_000_000 && bytes.capacity <= bytes.count + 65_536)
        let metrics = try Self.text(bytes)
        #expect(metrics.families["aasa_site_severity"]?.samples.count == 200)
        #expect(metrics.value("aasa_site_state", ["site": "d99500.example", "state": "stale"]) == 1)
        #expect(metrics.value("aasa_sites", ["state": "published"]) == 99_800)
        // The certificate that expires first is there.
        let expiry = "aasa_certificate_not_after_seconds"
        #expect(metrics.value(expiry, ["name": "d99999.example", "key_type": "ECDSA"]) == 1_999_900_001)
        #expect(metrics.families[expiry]?.samples.count == 10_000)
    }

    @Test("the worst of 100,000 sites with long names come first, and a document never has more than 5 MB")
    func worstCase() throws {
        let suffix = (0..<4).map { _ in String(repeating: "a", count: 60) }.joined(separator: ".")
        let bytes = Self.bytes(
            100_000, .all, name: { "d\($0 + 100_000).\(suffix)" }, state: { $0 == 99_999 ? .refused : .stale })
        #expect(bytes.count <= MetricsDocument.maxBytes && bytes.capacity <= MetricsDocument.maxBytes + 65_536)
        let metrics = try Self.text(bytes)
        let severities = metrics.families["aasa_site_severity"]?.samples ?? []
        #expect(severities.count > 500 && severities.first?.value == 2)
        #expect(severities.first?.labels["site"] == "d199999.\(suffix)")
        let problems = metrics.families["aasa_problems"]?.samples ?? []
        // The files in memory only are a problem of the server.
        #expect(problems.count > 1_000 && problems.first?.labels["kind"] == "refused")
        #expect(metrics.value("aasa_sites", ["state": "stale"]) == 99_999)
    }
}
