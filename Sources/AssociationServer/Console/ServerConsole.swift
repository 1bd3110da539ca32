internal import AssociationConsole
internal import Diagnostics
internal import HTTP1
internal import ServiceHealth
internal import SystemSupport

/// A server as its console shows it, at one moment.
///
/// Each thing is asked for when it is first needed, and once: most requests need nothing of the server.
final class ServerConsole: ConsoleSource {
    private struct Kept {
        var facts: HealthFacts?
        /// The outer one is `nil` before the loops were asked, the inner one if one of them did not answer.
        var loops: LoopReport??
    }

    private let source: any AdminSource
    private let ask: @Sendable () -> LoopReport?
    private let doctorInUse: ExclusiveUse
    /// Seconds since 1970.
    private let now: Int64
    private let kept = Locked(Kept())

    /// - Parameters:
    ///   - ask: asks the loops what they have counted; `nil` if one of them does not answer.
    ///   - now: seconds since 1970.
    init(
        _ source: any AdminSource, doctorInUse: ExclusiveUse, now: Int64, ask: @escaping @Sendable () -> LoopReport?
    ) {
        self.source = source
        self.ask = ask
        self.doctorInUse = doctorInUse
        self.now = now
    }

    private var facts: HealthFacts {
        let loops = loops
        return kept.withLock { kept in
            let facts = kept.facts ?? source.facts.with(loops)
            kept.facts = facts
            return facts
        }
    }

    private var loops: LoopReport? {
        kept.withLock { kept in
            let loops = kept.loops ?? ask()
            kept.loops = .some(loops)
            return loops
        }
    }

    var sites: [ConsoleSite] { facts.sites.map(site) }

    private func site(_ facts: SiteFacts) -> ConsoleSite {
        let errors = facts.site.findings.count(where: \.isError)
        return ConsoleSite(
            domain: facts.domain, state: facts.site.state, problems: SiteHealth.problems(of: facts, now: now),
            errors: errors, warnings: facts.site.findings.count - errors,
            generation: facts.site.association?.storeVersion, loadedAt: facts.site.association?.served?.since,
            certificateNotAfter: facts.certificate?.notAfter, urgency: facts.judgement.severity,
            lastFetch: facts.lastFetch)
    }

    private func facts(of domain: String) -> SiteFacts? {
        let sites = facts.sites
        var low = 0
        var high = sites.count
        while low < high {
            let middle = (low + high) / 2
            if sites[middle].domain < domain { low = middle + 1 } else { high = middle }
        }
        return low < sites.count && sites[low].domain == domain ? sites[low] : nil
    }

    func members(of site: ConsoleSite) -> [String: JSONOutput] {
        guard let facts = facts(of: site.domain) else { return [:] }
        return SitesDocument(
            sites: [], pairs: [], directory: source.issuanceReport?.directory ?? "", problem: nil, store: nil, now: now
        ).members(of: facts)
    }

    func detail(of domain: String) -> ConsoleSiteDetail? {
        guard let facts = facts(of: domain), let documents = source.siteDocuments(of: domain) else { return nil }
        let site = site(facts)
        return ConsoleSiteDetail(
            site: site, served: documents.served, rejected: documents.rejected, assetLinks: documents.assetLinks,
            files: facts.otherServedFiles,
            certificate: facts.certificate.flatMap { wanted in certificates.first { $0.folder == wanted.folder } },
            fetches: [site.lastFetch].compactMap { $0 }, versions: source.consoleFeatures.versions?(domain) ?? .none)
    }

    var certificates: [ConsoleCertificate] {
        let sites = Dictionary(grouping: facts.sites.filter { $0.certificate != nil }) { $0.certificate?.folder ?? "" }
        var order: [String] = []
        var parts: [String: [CertificateFacts]] = [:]
        for certificate in source.certificates {
            if parts[certificate.folder] == nil { order.append(certificate.folder) }
            parts[certificate.folder, default: []].append(certificate)
        }
        return order.compactMap { folder in
            guard let parts = parts[folder], let first = parts.first else { return nil }
            return ConsoleCertificate(
                names: parts.map(\.name), keyType: first.keyType, notBefore: first.validity.notBefore,
                notAfter: first.notAfter, folder: folder, sites: (sites[folder] ?? []).map(\.domain),
                urgency: sites[folder]?.map(\.judgement.severity).max() ?? .ok)
        }
    }

    var metricsHistory: MetricsHistory {
        let (last, minutes) = (now / 60, loops?.minutes ?? [:])
        let counts = (0..<MetricsHistory.minutes).map { offset in
            minutes[last - Int64(MetricsHistory.minutes - 1 - offset)] ?? MinuteCounts()
        }
        func series(_ part: (MinuteCounts) -> UInt64) -> [Int] {
            counts.map { Int(clamping: part($0)) }
        }
        return MetricsHistory(
            end: (last + 1) * 60, requests: series(\.requests), appleFetches: series(\.appleFetches),
            handshakes: series(\.handshakes), handshakeFailures: series(\.handshakeFailures))
    }

    var health: SiteHealth { SiteHealth(facts, now: now) }

    func status(_ options: SiteHealth.Options, of domain: String?) -> [String: JSONOutput] {
        var facts = facts
        if let domain { facts.sites.removeAll { $0.domain != domain } }
        return SiteHealth(facts, options, now: now).members
    }

    func doctor(_ domain: String) -> DoctorAnswer {
        guard let doctor = source.consoleFeatures.doctor else { return .unavailable }
        guard doctorInUse.begin() else { return .busy(retryAfter: Self.secondsBetweenTries) }
        defer { doctorInUse.end() }
        return .report(doctor(domain, source.configuration.doctor))
    }

    private static let secondsBetweenTries = 5
}
