internal import Diagnostics
internal import HTTP1

/// The metrics that each site has. No name from outside becomes a label: sites are those on disk.
struct SiteMetrics {
    private let loops: LoopReport
    /// Each with the label that it has everywhere.
    private let sites: [(report: SiteReport, label: PrometheusLabels)]

    /// - Parameter sites: no two of the same domain.
    init(_ sites: [SiteReport], _ loops: LoopReport) {
        self.loops = loops
        self.sites = sites.map { ($0, ["site": $0.domain]) }
    }

    var all: [PrometheusMetric] { [requests, states, files] + appleFetches }

    private var requests: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_site_requests_total", .counter, "Requests that were answered for a site.")
        for (site, label) in sites {
            for status in SiteStatus.all {
                let count = loops.count(site: site.number, status)
                // The others are too many to be listed for each site as long as they are 0.
                guard count > 0 || status == .ok && site.sha256 != nil else { continue }
                metric.addUnique(label.with("code", status.code), Int64(clamping: count))
            }
        }
        return metric
    }

    private var states: PrometheusMetric {
        var metric = PrometheusMetric(
            "aasa_site_state", .gauge,
            "1 for the state that a site is in: published, stale (an earlier file is served), refused, no-certificate.")
        for (site, label) in sites {
            for state in LoadedSite.State.allCases {
                metric.addUnique(label.with("state", state.rawValue), site.state == state ? 1 : 0)
            }
        }
        return metric
    }

    private var files: PrometheusMetric {
        var metric = PrometheusMetric("aasa_site_info", .gauge, "The association file that a site serves.")
        for (site, label) in sites {
            if let sha256 = site.sha256 { metric.addUnique(label.with("sha256", sha256), 1) }
        }
        return metric
    }

    private var appleFetches: [PrometheusMetric] {
        var counts = PrometheusMetric(
            "aasa_apple_fetches_total", .counter, "Requests of Apple's programs for the files of a site.")
        var last = PrometheusMetric(
            "aasa_apple_last_fetch_seconds", .gauge, "When one of Apple's programs last asked, in seconds since 1970.")
        for (site, label) in sites {
            let fetches = loops.fetches(site: site.number)
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
        return [counts, last]
    }
}
