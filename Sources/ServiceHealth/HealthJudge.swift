internal import Diagnostics

/// Judges a server site by site: its sites need not be in memory at the same time.
package struct HealthJudge {
    private let options: SiteHealth.Options
    private let now: Int64
    private var problems: Foremost<HealthProblem>
    private var remarks: Foremost<HealthProblem>
    private var severity = HealthSeverity.ok
    private var sites = SiteHealth.Sites()
    private var fileWarnings = 0
    private var stale: (first: String, count: Int)?
    private var next: SiteHealth.Expiry?

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - most: the most problems that are kept, and the most remarks.
    package init(_ options: SiteHealth.Options = SiteHealth.Options(), now: Int64, most: Int = .max) {
        (self.options, self.now) = (options, now)
        problems = Foremost(most, by: HealthProblem.isBefore)
        remarks = Foremost(most, by: HealthProblem.isBefore)
    }

    /// Judges a site: each of them once, by domain.
    @discardableResult
    package mutating func add(_ site: SiteFacts) -> HealthSeverity {
        var worst = HealthSeverity.ok
        for problem in SiteHealth.problems(of: site, options, now: now) {
            worst = max(worst, problem.severity)
            if problem.severity > .ok { problems.add(problem) } else { remarks.add(problem) }
        }
        severity = max(severity, worst)
        sites.count(site.site.state, worst)
        fileWarnings += SiteHealth.warnings(of: site.site).reduce(0) { $0 + $1.findings.count }
        if site.site.files.contains(where: { $0.state == .stale }) {
            stale = (stale?.first ?? site.domain, (stale?.count ?? 0) + 1)
        }
        if let certificate = site.certificate, certificate.notAfter < next?.notAfter ?? .max {
            next = SiteHealth.Expiry(site, certificate, now)
        }
        return worst
    }

    /// The health of the server with these sites.
    ///
    /// - Parameter facts: the sites in them are not looked at.
    package func health(_ facts: HealthFacts) -> SiteHealth {
        var (problems, worst) = (problems, severity)
        for problem in SiteHealth.problems(of: facts, stale: stale) {
            problems.add(problem)
            worst = max(worst, problem.severity)
        }
        let sorted = problems.sorted
        return SiteHealth(
            serving: facts.serving.rawValue, severity: worst, sites: sites, problems: sorted,
            more: problems.count - sorted.count, remarks: remarks.sorted, fileWarnings: fileWarnings, nextExpiry: next,
            program: facts.program)
    }
}

extension SiteHealth {
    /// Judges a server.
    ///
    /// - Parameter now: seconds since 1970.
    package init(_ facts: HealthFacts, _ options: Options = Options(), now: Int64) {
        var judge = HealthJudge(options, now: now)
        for site in facts.sites { judge.add(site) }
        self = judge.health(facts)
    }
}

extension SiteHealth.Sites {
    fileprivate mutating func count(_ state: SiteState.State, _ severity: HealthSeverity) {
        total += 1
        switch state {
        case .published: published += 1
        case .stale: stale += 1
        case .refused: refused += 1
        case .noCertificate: withoutCertificate += 1
        }
        switch severity {
        case .ok: break
        case .warning: attention += 1
        case .critical: broken += 1
        }
    }
}
