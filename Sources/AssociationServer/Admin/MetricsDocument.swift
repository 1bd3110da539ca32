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
    /// The most bytes of a document.
    package static let maxBytes = 5_000_000
    /// The most bytes of the problems, of the certificates and of the renewals each.
    static let maxPart = maxBytes / 5
    /// The most names that are kept until it is known which of them are written.
    static let maxNames = 10_000
    /// The number of sites up to which each has its own series where server.json does not say it.
    static let maxListed = 1_000

    private let source: any AdminSource
    private let loops: LoopReport
    private let process: ProcessFacts
    /// All of them but the sites.
    private let facts: HealthFacts
    private let health: SiteHealth
    /// Those with series of their own, the worst ones first.
    private let sites: [SiteMetrics.Site]

    /// - Parameters:
    ///   - loops: what all of them have counted.
    ///   - now: seconds since 1970.
    package init(_ source: any AdminSource, _ loops: LoopReport, _ process: ProcessFacts, now: Int64) {
        (self.source, self.loops, self.process) = (source, loops, process)
        let wanted = source.configuration.metricSites
        var judge = HealthJudge(now: now, most: Self.maxNames)
        var (sites, count) = (Foremost(Self.maxNames, by: SiteMetrics.Site.isBefore), 0)
        facts = source.facts { site in
            var site = site
            site.lastFetch = loops.fetches(site: site.site.number).last
            let severity = judge.add(site)
            count += 1
            let isListed =
                switch wanted {
                case .all: true
                case .problems: severity > .ok
                case .some(.none): false
                case nil: severity > .ok || count <= Self.maxListed
                }
            if isListed { sites.add(SiteMetrics.Site(facts: site, severity: severity)) }
        }
        health = judge.health(facts)
        let takesAll = wanted == .all || count <= Self.maxListed
        self.sites = sites.sorted.filter { takesAll || $0.severity > .ok }
    }

    package var bytes: [UInt8] {
        let issuance = source.issuanceReport.map { IssuanceMetrics($0, loops).all } ?? []
        let first = traffic + problems + [totals]
        let last = [fetches] + state + issuance + (source.storeReport?.metrics ?? [])
        let size = (first + last).reduce(0) { $0 + $1.size }
        let own = SiteMetrics(sites, loops, most: Self.maxBytes - size).all
        var bytes: [UInt8] = []
        bytes.reserveCapacity(own.reduce(size) { $0 + $1.size })
        for metric in first + own + last { metric.write(to: &bytes) }
        return bytes
    }

    private var totals: PrometheusMetric {
        var metric = PrometheusMetric("aasa_sites", .gauge, "All sites by their states.")
        for (state, count) in health.sites.byState { metric.add(["state": state.rawValue], Int64(count)) }
        return metric
    }

    private var fetches: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_apple_requests_total", .counter, "Requests of Apple's programs for the files of all sites.")
        for agent in AppleAgent.allCases {
            for status in SiteStatus.all {
                guard let counter = Counter.appleFetch(agent, status) else { continue }
                metric.add(["agent": agent.rawValue, "code": status.code], counter, loops)
            }
        }
        return metric
    }

    private var traffic: [PrometheusMetric] {
        var requests = PrometheusMetric("aasa_requests_total", .counter, "Requests answered.")
        for status in Status.allCases { requests.add(["code": status.code], .request(status), loops) }
        requests.add(["code": RedirectResponse.code], .redirects, loops)
        for status in LinkStatus.redirects { requests.add(["code": "\(status.rawValue)"], .request(status), loops) }
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
        let listed = health.problems.map { problem -> PrometheusLabels in
            ["kind": problem.kind.rawValue, "severity": problem.severity.word, "site": problem.domain ?? ""]
        }
        var counts = listed.reduce(into: [:] as [PrometheusLabels: Int64]) { $0[$1, default: 0] += 1 }
        for labels in listed where problems.size < Self.maxPart {
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
        for certificate in source.certificates.first(Self.maxNames, by: { $0.notAfter < $1.notAfter })
        where certificates.size < Self.maxPart {
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
        let times = report.domains.lazy.compactMap { name, domain in domain.nextRenewal.map { (name: name, time: $0) } }
        for (name, time) in times.first(MetricsDocument.maxNames, by: { $0.time < $1.time })
        where metric.size < MetricsDocument.maxPart {
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

extension Sequence {
    /// At most that many of them: those that an order has first.
    fileprivate func first(_ most: Int, by isBefore: @escaping (Element, Element) -> Bool) -> [Element] {
        reduce(into: Foremost(most, by: isBefore)) { $0.add($1) }.sorted
    }
}
