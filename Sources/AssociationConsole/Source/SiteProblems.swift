internal import ServiceHealth

/// The health of a server with the sites that each kind of problem is about: one judgement for all that a page shows.
///
/// Problems are looked at where they are: thousands of copies would take longer than the judgement.
struct SiteProblems {
    let health: SiteHealth
    /// The domains of the sites with a problem or remark of each kind.
    let domains: [HealthKind: Set<String>]
    /// The worst severity of those of each kind.
    let severities: [HealthKind: HealthSeverity]

    /// - Parameter now: In seconds since 1970.
    init(_ facts: HealthFacts, now: Int64) {
        health = SiteHealth(facts, now: now)
        var domains: [HealthKind: Set<String>] = [:]
        var severities: [HealthKind: HealthSeverity] = [:]
        for list in [health.problems, health.remarks] {
            for index in list.indices {
                guard let domain = list[index].domain else { continue }
                domains[list[index].kind, default: []].insert(domain)
                severities[list[index].kind] = max(severities[list[index].kind] ?? .ok, list[index].severity)
            }
        }
        // The problem is that of the whole server; these are the sites that are served with an earlier pair.
        let refused = Set(facts.pairs.lazy.filter { $0.state == .refused }.map(\.folder))
        if !refused.isEmpty {
            severities[.certificateRefused] = .critical
            for index in facts.sites.indices {
                guard let folder = facts.sites[index].certificate?.folder, refused.contains(folder) else { continue }
                domains[.certificateRefused, default: []].insert(facts.sites[index].domain)
            }
        }
        (self.domains, self.severities) = (domains, severities)
    }

    /// The kinds that sites have, those to be acted on first before others.
    var kinds: [HealthKind] { HealthKind.known.filter { domains[$0] != nil } }

    /// The problems of a severity.
    subscript(severity: HealthSeverity) -> ArraySlice<HealthProblem> {
        let problems = health.problems
        let start = problems.firstIndex { $0.severity <= severity } ?? problems.endIndex
        let end = problems[start...].firstIndex { $0.severity < severity } ?? problems.endIndex
        return problems[start..<end]
    }

    /// The worst problem of each of these sites that has any.
    func worst(of sites: [SiteFacts]) -> [String: HealthProblem] {
        var missing = Set(sites.map(\.domain))
        var worst: [String: HealthProblem] = [:]
        for index in health.problems.indices {
            guard let domain = health.problems[index].domain, missing.remove(domain) != nil else { continue }
            worst[domain] = health.problems[index]
        }
        return worst
    }
}
