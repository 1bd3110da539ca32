internal import ACME
internal import Diagnostics
internal import DomainNames
internal import SiteStore
internal import SystemSupport

/// Whether a server and its sites are healthy, and what is wrong if they are not (server.md, section 9).
///
/// It is a pure function of what is known. Every command, endpoint, page and metric that speaks of health renders it, and
/// decides nothing.
package struct SiteHealth: Equatable, Sendable {
    /// The number of sites in each state.
    package struct Sites: Equatable, Sendable {
        package var total = 0
        package var published = 0
        package var stale = 0
        package var refused = 0
        package var withoutCertificate = 0
        /// Those with a critical problem.
        package var broken = 0
        /// Those with warnings only.
        package var attention = 0

        package init() {}

        package var fine: Int { total - broken - attention }

        package var byState: [(state: SiteState.State, count: Int)] {
            [(.published, published), (.stale, stale), (.refused, refused), (.noCertificate, withoutCertificate)]
        }
    }

    /// The certificate that expires first of those that sites are served with.
    package struct Expiry: Equatable, Sendable {
        package let domain: String
        /// The last second in which it is valid, since 1970.
        package let notAfter: Int64
        package let daysLeft: Int
        /// The days left below which it is to be looked at.
        package let warningDays: Int
        /// The days left below which it is to be acted on.
        package let criticalDays: Int
    }

    /// The options of a judgement.
    package struct Options: Sendable {
        /// Warn of certificates that the server does not renew when fewer days are left, instead of the usual number.
        package var certificateDays: Int?
        /// Whether what the validator warns of is a warning here, too.
        package var isStrict = false

        package init(certificateDays: Int? = nil, isStrict: Bool = false) {
            (self.certificateDays, self.isStrict) = (certificateDays, isStrict)
        }
    }

    /// The time without a fetch after which Apple is silent, in days.
    private static let silentDays: Int64 = 14

    /// As `/readyz` says it.
    package let serving: String
    package let severity: HealthSeverity
    package let sites: Sites
    /// Worse problems come first, then those of the whole server, then by domain.
    package let problems: [HealthProblem]
    /// The number of problems that are known and not among `problems`.
    package let more: Int
    /// Remarks, which change no severity.
    package let remarks: [HealthProblem]
    /// The number of warnings of the validator in files that are served.
    package let fileWarnings: Int
    package let nextExpiry: Expiry?
    package let program: HealthFacts.Program?
}

extension SiteHealth {
    /// The part that `aasa certificates` shows.
    package var ofCertificates: SiteHealth {
        let problems = problems.filter(\.kind.isAboutCertificates)
        return SiteHealth(
            serving: serving, severity: problems.map(\.severity).max() ?? .ok, sites: sites, problems: problems,
            more: 0,
            remarks: [], fileWarnings: 0, nextExpiry: nextExpiry, program: nil)
    }

    /// The severity of each site with which something is not right, by domain.
    package var severities: [String: HealthSeverity] {
        problems.reduce(into: [:]) { severities, problem in
            guard let domain = problem.domain else { return }
            severities[domain] = max(severities[domain] ?? .ok, problem.severity)
        }
    }

    // MARK: The server

    /// The problems of the whole server.
    package static func problems(of facts: HealthFacts) -> [HealthProblem] {
        let stale = facts.sites.filter { $0.site.files.contains { $0.state == .stale } }
        return problems(of: facts, stale: stale.first.map { ($0.domain, stale.count) })
    }

    /// - Parameter stale: the first of the sites with a file that is stale, and their number.
    static func problems(of facts: HealthFacts, stale: (first: String, count: Int)?) -> [HealthProblem] {
        var problems: [HealthProblem] = []
        if facts.isStuck {
            problems.append(
                HealthProblem(
                    nil, .loopStuck, .critical, "an event loop has not answered within a second",
                    help: "see the log; restart the server if this stays"))
        }
        switch facts.serving {
        case .ready: break
        case .starting: problems.append(HealthProblem(nil, .notReady, .critical, "the server is starting"))
        case .nothingPublished: problems.append(HealthProblem(nil, .notReady, .critical, "no site has a valid file"))
        case .draining: problems.append(HealthProblem(nil, .notReady, .warning, "the server is stopping"))
        }
        if let refused = facts.refusedConfiguration {
            problems.append(
                HealthProblem(
                    refused.finding, as: .configurationRefused, .warning,
                    "the last reload was not taken up: \(refused.finding.message)", since: refused.since))
        }
        for pair in facts.pairs where pair.state == .refused {
            guard let finding = pair.finding else { continue }
            problems.append(
                HealthProblem(
                    finding, as: .certificateRefused, .critical,
                    "the certificate in '\(VisibleText.escaped(pair.folder))' cannot be used: \(finding.message)"))
        }
        problems += facts.certificateFindings.map { HealthProblem($0, as: .certificateFinding) }
        problems += facts.findings.map { HealthProblem($0) }
        problems += facts.store.map { HealthProblem($0.finding, since: $0.since) }
        if !facts.remembersFiles, let stale { problems.append(staleUntilRestart(stale.first, of: stale.count)) }
        return problems + nodes(facts)
    }

    private static func staleUntilRestart(_ first: String, of count: Int) -> HealthProblem {
        let others = count > 1 ? " and of \(counted(count - 1, "other site"))" : ""
        return HealthProblem(
            nil, .staleUntilRestart, .warning,
            "the last good file of \(first)\(others) is in memory only: after a restart clients get 503",
            help:
                "correct the newest file, and set 'stateFolder' in server.json; if it is set, the log says why it cannot "
                + "be used")
    }

    /// The problems of the nodes that follow the store.
    package static func nodes(_ facts: HealthFacts) -> [HealthProblem] {
        var problems = facts.nodes.compactMap { node -> HealthProblem? in
            switch node.state {
            case .current: return nil
            case .behind:
                return HealthProblem(
                    nil, .nodeBehind, .warning, "node \(quoted(node.name)) is behind, at generation \(node.generation)",
                    help: "run 'aasa status' on that machine, and see its log")
            case .silent:
                return HealthProblem(
                    nil, .nodeSilent, .warning, "node \(quoted(node.name)) does not report itself",
                    since: node.seenAt / 1_000_000,
                    help:
                        "start it, or run 'aasa store nodes --forget \(VisibleText.escaped(node.name))' if it is gone "
                        + "for good")
            }
        }
        // Without any, none was read yet: this node would be among them.
        if let expected = facts.expectedNodes, !facts.nodes.isEmpty, facts.nodes.count < expected {
            problems.append(
                HealthProblem(
                    nil, .nodeMissing, .warning,
                    "\(facts.nodes.count) of \(counted(expected, "expected node")) follow the store",
                    help: "start the others, or correct 'storeNodes' in server.json"))
        }
        return problems
    }

    // MARK: A site

    /// The problems of a site, and with severity `ok` what is good to know about it.
    package static func problems(
        of site: SiteFacts, _ options: Options = Options(), now: Int64
    ) -> [HealthProblem] {
        var problems = site.site.files.compactMap { problem(of: $0, of: site.domain) }
        if let problem = certificate(site, certificateDays: options.certificateDays, now: now) {
            problems.append(problem)
        }
        if let problem = fetch(site, now: now) { problems.append(problem) }
        for (name, findings) in warnings(of: site.site) {
            let others = findings.count > 1 ? ", and \(counted(findings.count - 1, "more warning"))" : ""
            problems.append(
                HealthProblem(
                    findings[0], of: site.domain, as: .fileWarnings, options.isStrict ? .warning : .ok,
                    "\(name): \(findings[0].message)\(others)"))
        }
        return problems
    }

    private static func problem(of file: SiteState.File, of domain: String) -> HealthProblem? {
        guard let error = file.error else { return nil }
        let isAssociation = file.name == SiteState.File.association
        let isStale = file.served != nil
        let name = VisibleText.escaped(file.name)
        let what =
            isStale
            ? "an older \(isAssociation ? "file" : name) is served"
            : file.name == SiteState.File.links
                ? "\(name) is not used" : (isAssociation ? "" : "\(name) ") + "answers 503"
        let kind: HealthKind = isStale ? .stale : isAssociation ? .refused : .fileRefused
        let severity: HealthSeverity = isStale ? .warning : .critical
        let message = "\(what): \(error.message)"
        guard let finding = file.findings.first(where: \.isError) else {
            return HealthProblem(domain, kind, severity, message, since: error.at)
        }
        return HealthProblem(finding, of: domain, as: kind, severity, message, since: error.at)
    }

    /// The warnings of the validator in the files that are served, by their names.
    static func warnings(of site: SiteState) -> [(name: String, findings: [LocatedDiagnostic])] {
        site.files.compactMap { file in
            guard file.refusedSince == nil, !file.findings.isEmpty else { return nil }
            let warnings = file.findings.filter { $0.severity == .warning }
            return warnings.isEmpty ? nil : (file.name, warnings)
        }
    }

    private static func certificate(_ site: SiteFacts, certificateDays: Int?, now: Int64) -> HealthProblem? {
        var judgement = site.judgement
        if let certificateDays, let certificate = site.certificate, certificate.source == .folder,
            judgement.state == .ok || judgement.state == .expires, site.issuance?.isRenewal != true
        {
            judgement = CertificateJudgement(
                byTime: certificate.validity, warningSeconds: Int64(certificateDays) * CertificateValidity.day,
                now: now)
        }
        let kind: HealthKind? =
            switch judgement.state {
            case .ok, .notNeeded, .unused: nil
            case .expired, .notYetValid: .certificateExpired
            case .expires: .certificateExpires
            case .renewalOverdue, .renewalFailed, .blocked:
                judgement.isServed
                    ? .certificateExpires : site.certificate == nil ? .noCertificate : .certificateExpired
            case .awaited, .orderFailed, .missing, .partial: .noCertificate
            }
        guard let kind, judgement.severity > .ok else { return nil }
        let reasons = site.issuanceFindings.map { "; \($0.message)" }.joined()
        let since: Int64? = judgement.state == .expired ? site.certificate?.notAfter : site.issuance?.lastError?.at
        return HealthProblem(
            site.domain, kind, judgement.severity, judgement.clause + reasons, since: since,
            path: site.certificate?.folder, help: judgement.advice ?? site.issuanceFindings.first?.diagnostic.advice)
    }

    private static func fetch(_ site: SiteFacts, now: Int64) -> HealthProblem? {
        guard site.site.association?.served != nil, let fetch = site.lastFetch else { return nil }
        guard fetch.status == 200 || fetch.status == 304 else {
            return HealthProblem(
                site.domain, .appleError, .warning,
                "Apple's last fetch got \(fetch.status) (\(InternetDate.string(fetch.at)))",
                help: "run 'aasa doctor \(Domain(site.domain)?.exampleHost ?? site.domain)'")
        }
        let days = wholeDays(now - fetch.at)
        guard days >= silentDays else { return nil }
        return HealthProblem(
            site.domain, .appleSilent, .warning, "Apple's last fetch was \(counted(days, "day")) ago",
            help: "run 'aasa doctor \(Domain(site.domain)?.exampleHost ?? site.domain)'")
    }
}

extension DomainStatus {
    /// Whether the server orders a certificate that replaces the present one.
    fileprivate var isRenewal: Bool { state != .excluded && state != .covered }
}

extension SiteHealth.Expiry {
    init(_ site: SiteFacts, _ certificate: CertificateFacts, _ now: Int64) {
        let days = CertificateJudgement.days(certificate.validity, certificate.source, site.issuance)
        domain = site.domain
        notAfter = certificate.notAfter
        daysLeft = certificate.validity.daysLeft(at: now)
        (warningDays, criticalDays) = (days.warning, days.critical)
    }
}
