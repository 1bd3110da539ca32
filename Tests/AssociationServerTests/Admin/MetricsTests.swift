import ACME
import AssociationServer
import Foundation
import HTTP1
import OpenSSL
import ServiceHealth
import TestSupport
import Testing

/// The metrics of server.md, section 9.
@Suite("Metrics", .waiting)
struct MetricsTests {
    private static let digest = SiteFacts.sampleDigest
    private static let facts = ProcessFacts(startTime: 1_700_000_000, residentBytes: 20_000_000, openDescriptors: 12)

    private func text(
        _ loops: LoopReport = LoopReport(), _ facts: ProcessFacts = facts,
        _ change: (inout FakeAdminSource.State) -> Void = { _ in }
    ) -> String {
        String(
            decoding: MetricsDocument(FakeAdminSource(change), loops, facts, now: 1_750_000_000).bytes, as: UTF8.self)
    }

    private static let sites = [
        SiteFacts.sample("*.b.example", number: 1, .stale), .sample("a.example"),
        .sample("c.example", number: 2, .refused),
    ]

    @Test("every series that can grow is there from the start")
    func zeros() throws {
        let metrics = try PrometheusText(text())
        for status in Status.allCases {
            #expect(metrics.value("aasa_requests_total", ["code": "\(status.rawValue)"]) == 0)
        }
        for reason in HandshakeFailure.allCases {
            #expect(metrics.value("aasa_handshake_failures_total", ["reason": reason.rawValue]) == 0)
        }
        for reason in ConnectionRefusal.allCases {
            #expect(metrics.value("aasa_connections_refused_total", ["reason": reason.rawValue]) == 0)
        }
        for phase in TimeoutPhase.allCases {
            #expect(metrics.value("aasa_timeouts_total", ["phase": phase.rawValue]) == 0)
        }
        for version in ["1.2", "1.3"] {
            for resumed in ["true", "false"] {
                #expect(metrics.value("aasa_handshakes_total", ["version": version, "resumed": resumed]) == 0)
            }
        }
        for what in ["sites", "certificates", "configuration"] {
            for result in ["changed", "unchanged", "failed"] {
                #expect(metrics.value("aasa_reloads_total", ["what": what, "result": result]) == 0)
            }
        }
        for name in ["aasa_connections", "aasa_connections_total", "aasa_sent_bytes_total", "aasa_log_dropped_total"] {
            #expect(metrics.value(name) == 0)
        }
    }

    @Test("certificates that the server gets, if it does")
    func issuance() throws {
        #expect(!text().contains("aasa_acme"))
        let counters = LoopCounters()
        counters.count(.challenge(.tlsALPN01, isAnswered: true), 5)
        counters.count(.challenge(.http01, isAnswered: false), 3)
        var valid = DomainStatus(.valid)
        valid.nextRenewal = 1_800_000_000
        var report = IssuanceReport(
            domains: [
                "a.example": valid, "b.example": DomainStatus(.backoff), "*.c.example": DomainStatus(.backoff),
            ], ownsLock: true)
        (report.orders.issued, report.orders.failed) = (7, 2)
        report.errors = ["unauthorized": 2, "dns": 0]
        let metrics = try PrometheusText(text(counters.report(connections: 0)) { $0.issuance = report })
        for (result, count) in [("issued", 7.0), ("renewed", 0), ("failed", 2)] {
            #expect(metrics.value("aasa_acme_orders_total", ["result": result]) == count)
        }
        for state in DomainState.allCases {
            let count: Double = state == .valid ? 1 : state == .backoff ? 2 : 0
            #expect(metrics.value("aasa_acme_domains", ["state": state.rawValue]) == count)
        }
        #expect(metrics.value("aasa_acme_next_renewal_seconds", ["name": "a.example"]) == 1_800_000_000)
        #expect(metrics.families["aasa_acme_next_renewal_seconds"]?.samples.count == 1)
        #expect(metrics.value("aasa_acme_errors_total", ["type": "unauthorized"]) == 2)
        #expect(metrics.value("aasa_acme_errors_total", ["type": "dns"]) == 0)
        for (type, result, count) in [
            ("tls-alpn-01", "answered", 5.0), ("tls-alpn-01", "refused", 0), ("http-01", "answered", 0),
            ("http-01", "refused", 3),
        ] {
            #expect(metrics.value("aasa_acme_challenges_total", ["type": type, "result": result]) == count)
        }
        #expect(metrics.value("aasa_acme_holder") == 1)
    }

    @Test("redirects are counted as requests, of the server and of their sites")
    func redirects() throws {
        let counters = LoopCounters()
        counters.keep(sites: 3)
        counters.count(site: 0, .ok)
        for site in [0, 0, 1, 3, -1] { counters.countRedirect(site: site) }
        let metrics = try PrometheusText(text(counters.report(connections: 0)) { $0.sites = Self.sites })
        #expect(metrics.value("aasa_requests_total", ["code": "308"]) == 5)
        #expect(metrics.value("aasa_site_requests_total", ["site": "a.example", "code": "308"]) == 2)
        #expect(metrics.value("aasa_site_requests_total", ["site": "a.example", "code": "200"]) == 1)
        #expect(metrics.value("aasa_site_requests_total", ["site": "*.b.example", "code": "308"]) == 1)
        #expect(metrics.value("aasa_site_requests_total", ["site": "c.example", "code": "308"]) == nil)
        #expect(try PrometheusText(text()).value("aasa_requests_total", ["code": "308"]) == 0)
    }

    @Test("all metrics are described, also those without a series yet, and what counts is a counter")
    func names() throws {
        let metrics = try PrometheusText(text(LoopReport(), ProcessFacts()))
        #expect(
            metrics.names == [
                "aasa_requests_total", "aasa_connections", "aasa_connections_total", "aasa_connections_refused_total",
                "aasa_handshakes_total", "aasa_handshake_failures_total", "aasa_timeouts_total",
                "aasa_sent_bytes_total", "aasa_http_requests_total", "aasa_http2_connections",
                "aasa_http2_errors_total", "aasa_health_severity", "aasa_problems", "aasa_file_warnings", "aasa_sites",
                "aasa_site_requests_total", "aasa_link_answers_total", "aasa_site_state", "aasa_site_severity",
                "aasa_site_info",
                "aasa_site_certificate_severity",
                "aasa_apple_fetches_total",
                "aasa_apple_last_fetch_seconds", "aasa_doctor_fetches_total", "aasa_apple_requests_total",
                "aasa_certificate_not_after_seconds", "aasa_certificate_pairs", "aasa_reloads_total",
                "aasa_log_dropped_total", "aasa_build_info", "process_start_time_seconds",
                "process_resident_memory_bytes", "process_open_fds",
            ])
        for name in metrics.names {
            #expect(metrics.families[name]?.type == (name.hasSuffix("_total") ? "counter" : "gauge"))
        }
    }

    @Test("alerts and the dashboard ask for metrics that there are")
    func alerts() throws {
        let text = text { $0.issuance = IssuanceReport(directory: "https://ca.example/") }
        let names = Set(try PrometheusText(text).names)
        for expression in Alert.all.map(\.expression) + Dashboard.expressions {
            for match in expression.matches(of: #/(aasa|process)_[a-z0-9_]+/#) where !match.0.hasPrefix("aasa_store_") {
                #expect(names.contains(String(match.0)), "\(expression)")
            }
        }
    }

    @Test("what the loops have counted")
    func counted() throws {
        let counters = LoopCounters()
        counters.keep(sites: 3)
        counters.count(.request(.ok), 5)
        counters.count(.request(.requestTimeout))
        counters.count(.connections, 7)
        counters.count(.refused(.perAddress), 2)
        counters.count(.handshake(isTLS13: true, isResumed: true), 3)
        counters.count(.handshakeFailed(.protocolName))
        counters.count(.timeout(.idle), 4)
        counters.count(.sentBytes, 123_456)
        for _ in 0..<5 { counters.count(site: 0, .ok) }
        counters.count(site: 1, .notFound)
        var loops = counters.report(connections: 9)
        loops.add(counters.report(connections: 1))
        let metrics = try PrometheusText(text(loops) { $0.sites = Self.sites })
        #expect(metrics.value("aasa_requests_total", ["code": "200"]) == 10)
        #expect(metrics.value("aasa_requests_total", ["code": "408"]) == 2)
        #expect(metrics.value("aasa_connections") == 10)
        #expect(metrics.value("aasa_connections_total") == 14)
        #expect(metrics.value("aasa_connections_refused_total", ["reason": "per_address"]) == 4)
        #expect(metrics.value("aasa_handshakes_total", ["version": "1.3", "resumed": "true"]) == 6)
        #expect(metrics.value("aasa_handshakes_total", ["version": "1.2", "resumed": "true"]) == 0)
        #expect(metrics.value("aasa_handshake_failures_total", ["reason": "alpn"]) == 2)
        #expect(metrics.value("aasa_timeouts_total", ["phase": "idle"]) == 8)
        #expect(metrics.value("aasa_sent_bytes_total") == 246_912)
        #expect(
            metrics.families["aasa_site_requests_total"]?.samples == [
                PrometheusText.Sample(labels: ["site": "*.b.example", "code": "200"], value: 0),
                PrometheusText.Sample(labels: ["site": "*.b.example", "code": "404"], value: 2),
                PrometheusText.Sample(labels: ["site": "a.example", "code": "200"], value: 10),
            ])
    }

    @Test("sites, certificates and reloads")
    func state() throws {
        let metrics = try PrometheusText(
            text {
                $0.sites = Self.sites
                $0.certificates = [
                    ("ECDSA", 1_800_000_000 as Int64), ("RSA", 1_700_000_000), ("RSA", 1),
                ].map { type, end in
                    CertificateFacts(
                        name: "a.example", keyType: type, validity: CertificateValidity(notBefore: 0, notAfter: end),
                        folder: "certs/a")
                }
                for _ in 0..<3 { $0.reloads.add(.sites, .changed) }
                $0.reloads.add(.configuration, .failed)
                $0.droppedLogLines = 17
            })
        #expect(metrics.families["aasa_site_state"]?.samples.count == 12)
        for (site, state) in [("*.b.example", "stale"), ("a.example", "published"), ("c.example", "refused")] {
            for other in ["published", "stale", "refused", "no-certificate"] {
                #expect(metrics.value("aasa_site_state", ["site": site, "state": other]) == (state == other ? 1 : 0))
            }
        }
        #expect(metrics.value("aasa_site_info", ["site": "a.example", "sha256": Self.digest]) == 1)
        #expect(metrics.families["aasa_site_info"]?.samples.count == 2)
        let name = "aasa_certificate_not_after_seconds"
        #expect(metrics.value(name, ["name": "a.example", "key_type": "ECDSA"]) == 1_800_000_000)
        // Of two with the same labels the one that expires first.
        #expect(metrics.value(name, ["name": "a.example", "key_type": "RSA"]) == 1)
        #expect(metrics.value("aasa_reloads_total", ["what": "sites", "result": "changed"]) == 3)
        #expect(metrics.value("aasa_reloads_total", ["what": "configuration", "result": "failed"]) == 1)
        #expect(metrics.value("aasa_log_dropped_total") == 17)
        #expect(metrics.value("aasa_build_info", ["version": "1.2.3"]) == 1)
        #expect(metrics.value("process_start_time_seconds") == 1_700_000_000)
        #expect(metrics.value("process_resident_memory_bytes") == 20_000_000)
        #expect(metrics.value("process_open_fds") == 12)
    }

    @Test("what Apple's programs asked, and when last")
    func apple() throws {
        let loops = [(1_000, Status.ok, 2), (900, .notModified, 1)].map { time, status, count in
            let counters = LoopCounters()
            counters.keep(sites: 3)
            for second in 0..<count {
                counters.countFetch(site: 0, .bot, "AASA-Bot/1.0.0", status, at: Int64(time + second))
                counters.countDoctorFetch(site: 0, status)
                counters.countDoctorFetch(site: 2, .ok)
            }
            return counters.report(connections: 0)
        }.reduce(into: LoopReport()) { $0.add($1) }
        let metrics = try PrometheusText(text(loops) { $0.sites = Self.sites })
        let fetches = "aasa_apple_fetches_total"
        #expect(metrics.value(fetches, ["site": "a.example", "agent": "AASA-Bot", "code": "200"]) == 2)
        #expect(metrics.value(fetches, ["site": "a.example", "agent": "AASA-Bot", "code": "304"]) == 1)
        #expect(metrics.families[fetches]?.samples.count == 2)
        #expect(metrics.value("aasa_apple_last_fetch_seconds", ["site": "a.example"]) == 1_001)
        #expect(metrics.families["aasa_apple_last_fetch_seconds"]?.samples.count == 1)
        let ofAll = "aasa_apple_requests_total"
        #expect(metrics.value(ofAll, ["agent": "AASA-Bot", "code": "200"]) == 2)
        #expect(metrics.value(ofAll, ["agent": "AASA-Bot", "code": "304"]) == 1)
        #expect(metrics.value(ofAll, ["agent": "swcd", "code": "200"]) == 0)
        // Those of aasa doctor are not among them.
        let doctor = "aasa_doctor_fetches_total"
        #expect(metrics.value(doctor, ["site": "a.example", "code": "200"]) == 2)
        #expect(metrics.value(doctor, ["site": "a.example", "code": "304"]) == 1)
        #expect(metrics.value(doctor, ["site": "c.example", "code": "200"]) == 3)
        #expect(metrics.families[doctor]?.samples.count == 3)
    }

    @Test(
        "the start of a process, from the system's own words",
        arguments: [
            ("1 (a) S 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 2250 21", Int64?.some(1_022)),
            ("1 (a b) c) R) S 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 2250 21", 1_022),
            ("1 (a) S 2 3", nil), ("", nil), ("1 (a) S 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 x 21", nil),
            ("1 (a) S 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 9223372036854775807 21", nil),
        ])
    func startTime(stat: String, expected: Int64?) {
        #expect(ProcessFacts.startTime(stat: stat, boot: 1_000_400, ticksPerSecond: 100) == expected)
        #expect(ProcessFacts.startTime(stat: stat, boot: 1_000_400, ticksPerSecond: 0) == nil)
    }

    @Test("resident pages, from the system's own words")
    func residentPages() {
        #expect(ProcessFacts.residentPages(statm: "100 42 3 4 5 6 7\n") == 42)
        #expect(ProcessFacts.residentPages(statm: "100") == nil)
        #expect(ProcessFacts.residentPages(statm: "") == nil)
    }

    @Test("promtool finds nothing to complain about", .enabled(if: Self.hasPromtool))
    func promtool() throws {
        let counters = LoopCounters()
        counters.keep(sites: 3)
        counters.countFetch(site: 0, .daemon, "swcd", .ok, at: 1)
        for text in [text(), text(counters.report(connections: 1)) { $0.sites = Self.sites }] {
            let outcome = try Shell.run(["promtool", "check", "metrics"], input: Data(text.utf8))
            #expect(outcome.status == 0)
            #expect(outcome.text + outcome.errors == "")
        }
    }

    private static let hasPromtool = (try? Shell.run(["promtool", "--version"]).status) == 0
}
