internal import Diagnostics
internal import EventLoops
internal import OpenSSL
internal import ServiceHealth

/// All that was read: what every loop serves until the next one is made.
struct ServerSnapshot: Sendable {
    /// The configuration in force: at a reload a new one comes with the snapshot.
    var configuration: ServerConfiguration
    let numbers: SiteNumbers
    /// The rules whose codes an `.aasa.json` may name.
    let rules: RuleCatalogue
    /// The contents of the catalogue of sites.
    var content: SiteCatalog.Content
    /// All that are used, with what was found.
    var certificates: LoadedCertificates
    var sites: SiteTable
    var identities: IdentityTable
    /// Which certificates are not used because of others.
    var choiceFindings: [LocatedDiagnostic] = []
    /// The findings that concern neither the file of a site, nor whether it can be fetched, nor how long its certificate
    /// is valid.
    private(set) var generalFindings: [LocatedDiagnostic] = []
    /// Which sites can be asked for.
    var coverage: SiteCoverage

    var loadedSites: SiteList { content.sites }

    /// Puts the general findings together.
    mutating func collectFindings() {
        generalFindings = content.findings + certificates.findings + choiceFindings
        if configuration.acme.isOn {
            generalFindings += IssuanceFindings.settings(configuration, loadedSites.map(\.domain))
        }
        if configuration.needsCertificates, let site = configuration.defaultSite, identities.fallback == nil {
            generalFindings.append(
                .warning(site, "no certificate covers the default site; clients without a name are refused"))
        }
    }

    /// The site that answers for a host: that of this name, else the wildcard that covers it.
    func site(forHost host: String) -> LoadedSite? {
        guard let index = sites.index(of: host), loadedSites.indices.contains(index) else { return nil }
        return loadedSites[index]
    }

    /// The certificates that clients of sites are served, as they are judged, for the log.
    func servedCertificates(_ issuance: IssuanceReport?, now: Int64) -> [ExpiryNotices.Certificate] {
        Self.served(allPairs, judged(issuance, now: now))
    }

    /// Those of a few sites.
    func servedCertificates(of domains: [String], now: Int64) -> [ExpiryNotices.Certificate] {
        let indices = Set(domains.flatMap(identities.pairs)).sorted()
        guard !indices.isEmpty else { return [] }
        let pairs = indices.map { allPairs[$0] }
        let judged = JudgedCertificates(
            pairs.map(CertificateChoice.Candidate.init), of: domains, configuration, issuance: nil, now: now
        ) { name in
            identities.pairs(for: name).compactMap { indices.firstIndex(of: $0) }
        }
        return Self.served(pairs, judged)
    }

    private static func served(
        _ pairs: [CertificatePair], _ judged: JudgedCertificates
    ) -> [ExpiryNotices.Certificate] {
        zip(pairs, judged.certificates).filter { $1.state != .unused }.map { pair, judgement in
            ExpiryNotices.Certificate(
                path: pair.chainPath, names: pair.certificate.names, validity: pair.validity, judgement: judgement,
                digest: pair.digest)
        }
    }

    var allPairs: [CertificatePair] { certificates.pairs }

    /// The problems of the present files of pairs.
    var pairProblems: [PairProblem] { certificates.problems }

    var findings: [LocatedDiagnostic] { loadedSites.flatMap(\.findings) + otherFindings }

    /// The findings that are not about the file of a site.
    var otherFindings: [LocatedDiagnostic] { generalFindings + coverage.findings }

    /// Those of them that were not there before.
    func otherFindings(since old: ServerSnapshot) -> [LocatedDiagnostic] {
        let isOther = generalFindings != old.generalFindings
        let known = isOther ? Set(old.generalFindings) : []
        return (isOther ? generalFindings.filter { !known.contains($0) } : []) + coverage.findings(since: old.coverage)
    }

    /// Whether nobody can ask for a site, because no certificate covers it.
    func isWithoutCertificate(_ domain: String) -> Bool {
        sites.index(of: domain).map { coverage.isWithoutCertificate(domain, at: $0) } ?? false
    }

    /// The sites and pairs whose present files are not used, and entries of their source that can be no site.
    var refusedCount: Int { loadedSites.refusedCount + content.refusedEntries + certificates.refused }

    /// Whether any site has something to serve.
    var isPublished: Bool { loadedSites.servingCount > 0 }

    /// For example `2 of 3 sites (1 at its last good version), 1 certificate`; without certificates if none is needed.
    var summary: String {
        let published = loadedSites.publishedCount
        let stale = loadedSites.staleCount
        let some = published == loadedSites.count ? "" : "\(published) of "
        let late = stale == 0 ? "" : " (\(stale) at \(stale == 1 ? "its" : "their") last good version)"
        let certificates = configuration.needsCertificates ? ", \(counted(allPairs.count, "certificate"))" : ""
        return "\(some)\(counted(loadedSites.count, "site"))\(late)\(certificates)"
    }
}
