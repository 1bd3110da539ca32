internal import ACME
internal import BoundedText
internal import Diagnostics
internal import EventLoops
internal import HTTP1
internal import HTTP2
internal import OpenSSL
internal import ServiceHealth
internal import SystemSupport

/// The answer of `/metrics` (server.md, section 9), in Prometheus' text format, version 0.0.4.
///
/// A series that can grow is there from the start, as 0: `rate()` does not see a series that begins with 1.
package struct MetricsDocument {
    /// The most series with the name of a site, or of a certificate, that each metric has: about 5 MB in all.
    package static let maxNames = 10_000

    private let source: any AdminSource
    private let loops: LoopReport
    private let process: ProcessFacts
    private let facts: HealthFacts
    private let health: SiteHealth

    /// - Parameters:
    ///   - loops: what all of them have counted.
    ///   - now: seconds since 1970.
    package init(_ source: any AdminSource, _ loops: LoopReport, _ process: ProcessFacts, now: Int64) {
        self.source = source
        self.loops = loops
        self.process = process
        facts = source.facts.with(loops)
        health = SiteHealth(facts, now: now)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let issuance = source.issuanceReport.map { IssuanceMetrics($0, loops).all } ?? []
        let store = source.storeReport?.metrics ?? []
        for metric in traffic + problems + SiteMetrics(facts.sites, health, loops).all + state + issuance + store {
            metric.write(to: &bytes)
        }
        return bytes
    }

    private var traffic: [PrometheusMetric] {
        var requests = PrometheusMetric("aasa_requests_total", .counter, "Requests answered.")
        for status in Status.allCases { requests.add(["code": status.code], .request(status), loops) }
        requests.add(["code": RedirectResponse.code], .redirects, loops)
        var open = PrometheusMetric("aasa_connections", .gauge, "Open connections.")
        open.add([:], Int64(loops.connections))
        var connections = PrometheusMetric("aasa_connections_total", .counter, "Connections accepted.")
        connections.add([:], .connections, loops)
        var refused = PrometheusMetric(
            "aasa_connections_refused_total", .counter, "Connections closed at once, or for those that came later.")
        for reason in ConnectionRefusal.allCases { refused.add(["reason": reason.rawValue], .refused(reason), loops) }
        var timeouts = PrometheusMetric("aasa_timeouts_total", .counter, "Connections closed by a timeout.")
        for phase in TimeoutPhase.allCases { timeouts.add(["phase": phase.rawValue], .timeout(phase), loops) }
        var sent = PrometheusMetric("aasa_sent_bytes_total", .counter, "Bytes sent, including TLS.")
        sent.add([:], .sentBytes, loops)
        return [requests, open, connections, refused] + handshakes + [timeouts, sent] + versions
    }

    private var versions: [PrometheusMetric] {
        var requests = PrometheusMetric("aasa_http_requests_total", .counter, "Requests answered, by version of HTTP.")
        for version in HTTPVersion.allCases { requests.add(["version": "\(version.text)"], .request(version), loops) }
        var open = PrometheusMetric("aasa_http2_connections", .gauge, "Open connections that speak HTTP/2.")
        open.add([:], Int64(loops.http2Connections))
        var errors = PrometheusMetric(
            "aasa_http2_errors_total", .counter, "HTTP/2 connections ended and streams reset for an error.")
        for fault in StreamFault.allCases { errors.add(["reason": fault.rawValue], .http2Error(fault), loops) }
        return [requests, open, errors]
    }

    private var handshakes: [PrometheusMetric] {
        var done = PrometheusMetric("aasa_handshakes_total", .counter, "TLS handshakes completed.")
        for (version, isTLS13) in [("1.2", false), ("1.3", true)] {
            for isResumed in [false, true] {
                done.add(
                    ["version": version, "resumed": "\(isResumed)"],
                    .handshake(isTLS13: isTLS13, isResumed: isResumed), loops)
            }
        }
        var failed = PrometheusMetric(
            "aasa_handshake_failures_total", .counter, "TLS handshakes failed.")
        for reason in HandshakeFailure.allCases {
            failed.add(["reason": reason.rawValue], .handshakeFailed(reason), loops)
        }
        return [done, failed]
    }

    private var problems: [PrometheusMetric] {
        var severity = PrometheusMetric(
            "aasa_health_severity", .gauge, "The health of the server and its sites: 0 ok, 1 warning, 2 critical.")
        severity.add([:], Int64(health.severity.rawValue))
        var problems = PrometheusMetric(
            "aasa_problems", .gauge, "Problems of the server (without a site) and of its sites, by kind and severity.")
        let listed = health.problems.prefix(Self.maxNames).map { problem -> PrometheusLabels in
            ["kind": problem.kind.rawValue, "severity": problem.severity.word, "site": problem.domain ?? ""]
        }
        var counts = listed.reduce(into: [:] as [PrometheusLabels: Int64]) { $0[$1, default: 0] += 1 }
        for labels in listed {
            if let count = counts.removeValue(forKey: labels) { problems.addUnique(labels, count) }
        }
        var warnings = PrometheusMetric(
            "aasa_file_warnings", .gauge, "Warnings of the validator in files that are served.")
        warnings.add([:], Int64(health.fileWarnings))
        return [severity, problems, warnings]
    }

    private var state: [PrometheusMetric] {
        var certificates = PrometheusMetric(
            "aasa_certificate_not_after_seconds", .gauge,
            "The last second in which the certificate for a name is valid, since 1970.")
        for certificate in source.certificates.first(Self.maxNames, by: { $0.notAfter < $1.notAfter }) {
            certificates.add(["name": certificate.name, "key_type": certificate.keyType], certificate.notAfter)
        }
        var pairs = PrometheusMetric(
            "aasa_certificate_pairs", .gauge,
            "Folders of certificates by the state of their present files: loaded, waiting for the other half, refused."
        )
        let states = facts.pairs.map(\.state)
        for state in PairFacts.State.allCases {
            pairs.add(["state": state.rawValue], Int64(states.count { $0 == state }))
        }
        var dropped = PrometheusMetric(
            "aasa_log_dropped_total", .counter, "Lines of the access log dropped because its sink was too slow.")
        dropped.add([:], Int64(clamping: source.droppedLogLines))
        var build = PrometheusMetric("aasa_build_info", .gauge, "The version of the program.")
        build.add(["version": source.programVersion], 1)
        return [certificates, pairs, reloads, dropped, build] + processMetrics
    }

    private var reloads: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_reloads_total", .counter, "Reloads of sites, certificates or the configuration.")
        let counts = source.reloadCounts
        for what in ReloadCounts.What.allCases {
            for result in ReloadCounts.Result.allCases {
                metric.add(["what": what.rawValue, "result": result.rawValue], Int64(clamping: counts[what, result]))
            }
        }
        return metric
    }

    private var processMetrics: [PrometheusMetric] {
        var start = PrometheusMetric(
            "process_start_time_seconds", .gauge, "When the process was started, in seconds since 1970.")
        if let time = process.startTime { start.add([:], time) }
        var memory = PrometheusMetric("process_resident_memory_bytes", .gauge, "Resident memory of the process.")
        if let bytes = process.residentBytes { memory.add([:], bytes) }
        var descriptors = PrometheusMetric("process_open_fds", .gauge, "Open file descriptors.")
        if let count = process.openDescriptors { descriptors.add([:], count) }
        return [start, memory, descriptors]
    }
}

extension PrometheusMetric {
    fileprivate mutating func add(_ labels: PrometheusLabels, _ counter: Counter, _ loops: LoopReport) {
        add(labels, Int64(clamping: loops[counter]))
    }
}

extension Status {
    /// The status code as a label.
    var code: String { String(rawValue) }
}

/// The metrics of certificates that the server gets by itself (acme.md, section 9).
private struct IssuanceMetrics {
    private let report: IssuanceReport
    private let loops: LoopReport

    init(_ report: IssuanceReport, _ loops: LoopReport) {
        self.report = report
        self.loops = loops
    }

    var all: [PrometheusMetric] { [orders, domains, renewals, errors, challenges, holder] }

    private var orders: PrometheusMetric {
        var metric = PrometheusMetric("aasa_acme_orders_total", .counter, "Certificate orders finished.")
        let orders = report.orders
        for (result, count) in [("issued", orders.issued), ("renewed", orders.renewed), ("failed", orders.failed)] {
            metric.add(["result": result], Int64(clamping: count))
        }
        return metric
    }

    private var domains: PrometheusMetric {
        var metric = PrometheusMetric("aasa_acme_domains", .gauge, "Sites by the state of their certificates.")
        for state in DomainState.allCases {
            metric.add(["state": state.rawValue], Int64(report.domains.values.count { $0.state == state }))
        }
        return metric
    }

    private var renewals: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_acme_next_renewal_seconds", .gauge,
            "When the certificate of a site is renewed next, in seconds since 1970.")
        let times = report.domains.compactMap { name, domain in domain.nextRenewal.map { (name: name, time: $0) } }
        for (name, time) in times.first(MetricsDocument.maxNames, by: { $0.time < $1.time })
            .sorted(by: { $0.name < $1.name })
        {
            metric.addUnique(["name": name], time)
        }
        return metric
    }

    private var errors: PrometheusMetric {
        var metric = PrometheusMetric("aasa_acme_errors_total", .counter, "Errors of certificate orders.")
        for (type, count) in report.errors.sorted(by: { $0.key < $1.key }) {
            metric.addUnique(["type": type], Int64(clamping: count))
        }
        return metric
    }

    private var challenges: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_acme_challenges_total", .counter, "Challenges requested at the listeners.")
        for type in AnsweredChallenge.allCases {
            for isAnswered in [true, false] {
                metric.add(
                    ["type": type.rawValue, "result": isAnswered ? "answered" : "refused"],
                    .challenge(type, isAnswered: isAnswered), loops)
            }
        }
        return metric
    }

    private var holder: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_acme_holder", .gauge, "1 if this process orders certificates, 0 if another one does.")
        metric.add([:], report.ownsLock ? 1 : 0)
        return metric
    }
}

extension Array {
    /// At most that many of them: those that an order has first; in their own order if there are no more.
    fileprivate func first(_ most: Int, by isBefore: (Element, Element) -> Bool) -> [Element] {
        count <= most ? self : Array(sorted(by: isBefore).prefix(most))
    }
}

/// The metrics that each site has. No name from outside becomes a label: sites are those on disk.
struct SiteMetrics {
    private let loops: LoopReport
    /// All sites by their states.
    private let counts: [SiteState.State: Int]
    /// Each with the label that it has everywhere.
    private let sites: [(facts: SiteFacts, label: PrometheusLabels)]
    private let severities: [String: HealthSeverity]

    /// - Parameter sites: no two of the same domain.
    init(_ sites: [SiteFacts], _ health: SiteHealth, _ loops: LoopReport) {
        self.loops = loops
        counts = sites.reduce(into: [:]) { $0[$1.site.state, default: 0] += 1 }
        let severities = health.severities
        let most = MetricsDocument.maxNames
        // Of more than a scrape can carry those with which something is not right.
        let listed = sites.count <= most ? sites : sites.filter { severities[$0.domain] != nil }
        self.sites = listed.prefix(most).map { ($0, ["site": $0.domain]) }
        self.severities = severities
    }

    var all: [PrometheusMetric] { [totals, requests, states, severity, files, certificates] + appleFetches }

    private var severity: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_site_severity", .gauge, "The health of a site: 0 ok, 1 warning, 2 critical.")
        for (site, label) in sites { metric.addUnique(label, Int64((severities[site.domain] ?? .ok).rawValue)) }
        return metric
    }

    private var totals: PrometheusMetric {
        var metric = PrometheusMetric("aasa_sites", .gauge, "All sites by their states.")
        for state in SiteState.State.allCases { metric.add(["state": state.rawValue], Int64(counts[state] ?? 0)) }
        return metric
    }

    private var requests: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_site_requests_total", .counter, "Requests answered for a site.")
        for (site, label) in sites {
            for status in SiteStatus.all {
                let count = loops.count(site: site.site.number, status)
                // The others are too many to be listed for each site as long as they are 0.
                guard count > 0 || status == .ok && site.site.association?.served != nil else { continue }
                metric.addUnique(label.with("code", status.code), Int64(clamping: count))
            }
            let redirects = loops.redirects(site: site.site.number)
            if redirects > 0 { metric.addUnique(label.with("code", RedirectResponse.code), Int64(clamping: redirects)) }
        }
        return metric
    }

    private var states: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_site_state", .gauge,
            "1 for the state that a site is in: published, stale (an earlier file is served), refused, no-certificate.")
        for (site, label) in sites {
            for state in SiteState.State.allCases {
                metric.addUnique(label.with("state", state.rawValue), site.site.state == state ? 1 : 0)
            }
        }
        return metric
    }

    private var files: PrometheusMetric {
        var metric = PrometheusMetric("aasa_site_info", .gauge, "The association file that a site serves.")
        for (site, label) in sites {
            if let sha256 = site.site.association?.served?.sha256 { metric.addUnique(label.with("sha256", sha256), 1) }
        }
        return metric
    }

    private var certificates: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_site_certificate_severity", .gauge,
            "The judgement of a site's certificate: 0 ok, 1 warning, 2 critical.")
        for (site, label) in sites where site.judgement.state != .notNeeded {
            let judgement = site.judgement
            metric.addUnique(label.with("state", judgement.state.rawValue), Int64(judgement.severity.rawValue))
        }
        return metric
    }

    private var appleFetches: [PrometheusMetric] {
        var counts = PrometheusMetric(
            "aasa_apple_fetches_total", .counter, "Requests of Apple's programs for the files of a site.")
        var last = PrometheusMetric(
            "aasa_apple_last_fetch_seconds", .gauge, "When one of Apple's programs last asked, in seconds since 1970.")
        var doctor = PrometheusMetric(
            "aasa_doctor_fetches_total", .counter, "Requests of aasa doctor in the name of Apple's programs.")
        for (site, label) in sites {
            let fetches = loops.fetches(site: site.site.number)
            for (status, count) in fetches.doctorCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                doctor.addUnique(label.with("code", status.code), Int64(clamping: count))
            }
            guard let fetch = fetches.last else { continue }
            last.addUnique(label, fetch.at)
            let sorted = fetches.counts.sorted {
                ($0.key.agent.rawValue, $0.key.status.rawValue) < ($1.key.agent.rawValue, $1.key.status.rawValue)
            }
            for (kind, count) in sorted {
                counts.addUnique(
                    label.with("agent", kind.agent.rawValue).with("code", kind.status.code), Int64(clamping: count))
            }
        }
        return [counts, last, doctor]
    }
}
