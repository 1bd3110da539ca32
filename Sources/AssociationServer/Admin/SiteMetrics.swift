internal import Diagnostics
internal import HTTP1
internal import ServiceHealth

/// The metrics that single sites have. No name from outside becomes a label: sites are those that are served.
struct SiteMetrics {
    /// A site with its severity.
    struct Site {
        let facts: SiteFacts
        let severity: HealthSeverity

        static func isBefore(_ one: Site, _ other: Site) -> Bool {
            one.severity == other.severity ? one.facts.domain < other.facts.domain : one.severity > other.severity
        }
    }

    /// More bytes than the series of one site have: about 70 of them, with names of 255 bytes.
    private static let maxSite = 32_768

    private let loops: LoopReport
    private var requests = PrometheusMetric(
        "aasa_site_requests_total", .counter, "Requests answered for a site.")
    private var links = PrometheusMetric(
        "aasa_link_answers_total", .counter, "Requests answered by the links and pages of a site.")
    private var states = PrometheusMetric(
        "aasa_site_state", .gauge,
        "1 for the state that a site is in: published, stale (an earlier file is served), refused, no-certificate.")
    private var severity = PrometheusMetric(
        "aasa_site_severity", .gauge, "The health of a site: 0 ok, 1 warning, 2 critical.")
    private var files = PrometheusMetric("aasa_site_info", .gauge, "The association file that a site serves.")
    private var certificates = PrometheusMetric(
        "aasa_site_certificate_severity", .gauge, "The judgement of a site's certificate: 0 ok, 1 warning, 2 critical.")
    private var fetches = PrometheusMetric(
        "aasa_apple_fetches_total", .counter, "Requests of Apple's programs for the files of a site.")
    private var lastFetch = PrometheusMetric(
        "aasa_apple_last_fetch_seconds", .gauge, "When one of Apple's programs last asked, in seconds since 1970.")
    private var doctor = PrometheusMetric(
        "aasa_doctor_fetches_total", .counter, "Requests of aasa doctor in the name of Apple's programs.")

    /// - Parameters:
    ///   - sites: no two of the same domain; those that do not fit are left out.
    ///   - most: the bytes of all metrics, whatever they are of.
    init(_ sites: [Site], _ loops: LoopReport, most: Int) {
        self.loops = loops
        for site in sites {
            guard all.reduce(Self.maxSite, { $0 + $1.size }) <= most else { break }
            add(site.facts, site.severity, ["site": site.facts.domain])
        }
    }

    var all: [PrometheusMetric] {
        [requests, links, states, severity, files, certificates, fetches, lastFetch, doctor]
    }

    private mutating func add(_ site: SiteFacts, _ worst: HealthSeverity, _ label: PrometheusLabels) {
        severity.addUnique(label, Int64(worst.rawValue))
        for state in SiteState.State.allCases {
            states.addUnique(label.with("state", state.rawValue), site.site.state == state ? 1 : 0)
        }
        let served = site.site.association?.served
        if let served { files.addUnique(label.with("sha256", served.sha256), 1) }
        if site.judgement.state != .notNeeded {
            certificates.addUnique(
                label.with("state", site.judgement.state.rawValue), Int64(site.judgement.severity.rawValue))
        }
        for status in SiteStatus.all {
            let count = loops.count(site: site.site.number, status)
            // The others are too many to be listed for each site as long as they are 0.
            guard count > 0 || status == .ok && served != nil else { continue }
            requests.addUnique(label.with("code", status.code), Int64(clamping: count))
        }
        let redirects = loops.redirects(site: site.site.number)
        if redirects > 0 { requests.addUnique(label.with("code", RedirectResponse.code), Int64(clamping: redirects)) }
        addLinks(site, label)
        addFetches(loops.fetches(site: site.site.number), label)
    }

    private mutating func addLinks(_ site: SiteFacts, _ label: PrometheusLabels) {
        for status in LinkStatus.redirects {
            let count = loops.count(site: site.site.number, status)
            if count > 0 { requests.addUnique(label.with("code", "\(status.rawValue)"), Int64(clamping: count)) }
        }
        for kind in LinkAnswerKind.allCases {
            let count = loops.count(site: site.site.number, kind)
            guard count > 0 || kind == .page && site.site[SiteState.File.links]?.served != nil else { continue }
            links.addUnique(label.with("kind", kind.rawValue), Int64(clamping: count))
        }
    }

    private mutating func addFetches(_ all: AppleFetches, _ label: PrometheusLabels) {
        for (status, count) in all.doctorCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            doctor.addUnique(label.with("code", status.code), Int64(clamping: count))
        }
        guard let fetch = all.last else { return }
        lastFetch.addUnique(label, fetch.at)
        let sorted = all.counts.sorted {
            ($0.key.agent.rawValue, $0.key.status.rawValue) < ($1.key.agent.rawValue, $1.key.status.rawValue)
        }
        for (kind, count) in sorted {
            fetches.addUnique(
                label.with("agent", kind.agent.rawValue).with("code", kind.status.code), Int64(clamping: count))
        }
    }
}
