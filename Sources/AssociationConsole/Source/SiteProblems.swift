internal import ServiceHealth

/// The health of a server with the sites that each kind of problem is about: one judgement for all that a page shows.
struct SiteProblems {
    let health: SiteHealth
    /// The domains of the sites with a problem or remark of each kind.
    let domains: [HealthKind: Set<String>]

    /// - Parameter now: In seconds since 1970.
    init(_ facts: HealthFacts, now: Int64) {
        health = SiteHealth(facts, now: now)
        var domains: [HealthKind: Set<String>] = [:]
        for problem in [health.problems, health.remarks].joined() {
            if let domain = problem.domain { domains[problem.kind, default: []].insert(domain) }
        }
        // The problem is that of the whole server; these are the sites that are served with an earlier pair.
        let refused = Set(facts.pairs.lazy.filter { $0.state == .refused }.map(\.folder))
        if !refused.isEmpty {
            for site in facts.sites where site.certificate.map({ refused.contains($0.folder) }) == true {
                domains[.certificateRefused, default: []].insert(site.domain)
            }
        }
        self.domains = domains
    }

    /// The kinds that sites have, those to be acted on first before others.
    var kinds: [HealthKind] { HealthKind.known.filter { domains[$0] != nil } }

    /// The problems of each site, the worst first.
    var bySite: [String: [HealthProblem]] {
        Dictionary(grouping: health.problems.lazy.filter { $0.domain != nil }) { $0.domain ?? "" }
    }
}
