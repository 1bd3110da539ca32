internal import CertificateHealth
internal import Diagnostics
internal import EventLoops
internal import OpenSSL

/// All that was read from disk: what every loop serves until the next one is made.
final class ServerSnapshot: Sendable {
    /// The configuration in force: at a reload a new one comes with the snapshot.
    let configuration: ServerConfiguration
    let loadedSites: [LoadedSite]
    let allPairs: [CertificatePair]
    /// The pairs that are retried until their other half comes.
    let pendingPairs: [PendingPair]
    /// The problems of the present files of pairs.
    let pairProblems: [PairProblem]
    /// Those of all these that are on disk, and not in a store.
    let certificatesOnDisk: LoadedCertificates
    let sites: SiteTable
    let identities: IdentityTable
    /// Which certificates are not used because of others.
    let choiceFindings: [LocatedDiagnostic]
    /// The findings that are not about the file of a site.
    let otherFindings: [LocatedDiagnostic]
    /// Those of the other findings that concern neither whether a site can be fetched nor how long its certificate is
    /// valid.
    let generalFindings: [LocatedDiagnostic]
    /// The findings in the folder of sites that are not about the file of one.
    let siteFindings: [LocatedDiagnostic]
    /// The number of folders that can be no site.
    let refusedFolders: Int
    private let refusedPairs: Int
    /// Which sites can be asked for.
    let coverage: SiteCoverage
    let numbers: SiteNumbers
    /// The rules whose codes an `.aasa.json` may name.
    let rules: RuleCatalogue

    init(_ parts: SnapshotParts, sites: SiteTable, identities: IdentityTable) {
        configuration = parts.configuration
        loadedSites = parts.sites.sites
        allPairs = parts.certificates.pairs
        pendingPairs = parts.certificates.waiting
        pairProblems = parts.certificates.problems
        self.sites = sites
        self.identities = identities
        numbers = parts.numbers
        rules = parts.rules
        choiceFindings = parts.choiceFindings
        siteFindings = parts.sites.findings
        refusedFolders = parts.sites.refusedFolders
        refusedPairs = parts.certificates.refused
        certificatesOnDisk = parts.certificatesOnDisk ?? parts.certificates
        var findings = parts.sites.findings + parts.certificates.findings + parts.choiceFindings
        findings += IssuanceFindings.settings(configuration, loadedSites.map(\.domain))
        if configuration.needsCertificates, let site = configuration.defaultSite, identities.fallback == nil {
            findings.append(
                .warning(site, "no certificate covers the default site; clients without a name are refused"))
        }
        generalFindings = findings
        coverage =
            parts.coverage ?? SiteCoverage(configuration, loadedSites, identities, parts.certificates.pairs)
        otherFindings = coverage.findings.isEmpty ? findings : findings + coverage.findings
    }

    /// The same with other identities.
    init(_ other: ServerSnapshot, identities: IdentityTable) {
        configuration = other.configuration
        loadedSites = other.loadedSites
        allPairs = other.allPairs
        pendingPairs = other.pendingPairs
        pairProblems = other.pairProblems
        sites = other.sites
        self.identities = identities
        choiceFindings = other.choiceFindings
        otherFindings = other.otherFindings
        generalFindings = other.generalFindings
        siteFindings = other.siteFindings
        refusedFolders = other.refusedFolders
        refusedPairs = other.refusedPairs
        coverage = other.coverage
        certificatesOnDisk = other.certificatesOnDisk
        numbers = other.numbers
        rules = other.rules
    }

    /// The site that answers for a host: that of this name, else the wildcard that covers it.
    func site(forHost host: String) -> LoadedSite? {
        guard let index = sites.index(of: host), loadedSites.indices.contains(index) else { return nil }
        return loadedSites[index]
    }

    /// The pairs that a client which asks for a domain is served, the preferred one first; for a wildcard site those of
    /// the same wildcard.
    func certificates(for domain: String) -> [CertificatePair] { identities.pairs(for: domain).map { allPairs[$0] } }

    /// The certificates that clients of sites are served, as they are judged, for the log.
    func servedCertificates(_ issuance: IssuanceReport?, now: Int64) -> [ExpiryNotices.Certificate] {
        zip(allPairs, judged(issuance, now: now).certificates).filter { $1.state != .unused }.map { pair, judgement in
            ExpiryNotices.Certificate(
                path: pair.chainPath, names: pair.certificate.names, validity: pair.validity, judgement: judgement,
                digest: pair.digest)
        }
    }

    var findings: [LocatedDiagnostic] { loadedSites.flatMap(\.findings) + otherFindings }

    /// The sites and pairs whose present files are not used, and folders that can be no site.
    var refusedCount: Int { loadedSites.count(where: \.hasRefusedFile) + refusedFolders + refusedPairs }

    /// Whether any site has something to serve.
    var isPublished: Bool { loadedSites.contains(where: \.servesSomething) }

    /// For example `2 of 3 sites (1 at its last good version), 1 certificate`; without certificates if none is needed.
    var summary: String {
        let published = loadedSites.count(where: \.isPublished)
        let stale = loadedSites.count(where: \.isStale)
        let some = published == loadedSites.count ? "" : "\(published) of "
        let late = stale == 0 ? "" : " (\(stale) at \(stale == 1 ? "its" : "their") last good version)"
        let certificates = configuration.needsCertificates ? ", \(counted(allPairs.count, "certificate"))" : ""
        return "\(some)\(counted(loadedSites.count, "site"))\(late)\(certificates)"
    }
}

/// The parts that a snapshot is made of.
struct SnapshotParts {
    var configuration: ServerConfiguration
    let numbers: SiteNumbers
    let rules: RuleCatalogue
    var sites: SiteLoad
    var certificates: LoadedCertificates
    /// Those that are on disk; nil if all are.
    var certificatesOnDisk: LoadedCertificates?
    /// Which sites can be asked for; nil if that is to be found out.
    var coverage: SiteCoverage?
    /// Which certificates are not used because of others.
    var choiceFindings: [LocatedDiagnostic] = []
}
