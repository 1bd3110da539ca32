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
    /// The sites that not every client can ask for: nobody can, or only for some names below them, such as this one.
    let uncoveredSites: [String: String?]
    /// Those of them that get a certificate by themselves.
    let awaitedSites: Set<String>
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
        var findings = parts.sites.findings + parts.certificates.findings + parts.choiceFindings
        findings += IssuanceFindings.settings(configuration, loadedSites.map(\.domain))
        if configuration.needsCertificates, let site = configuration.defaultSite, identities.fallback == nil {
            findings.append(
                .warning(site, "no certificate covers the default site; clients without a name are refused"))
        }
        generalFindings = findings
        uncoveredSites =
            configuration.needsCertificates
            ? Self.uncovered(loadedSites, identities, parts.certificates.pairs) : [:]
        let scope = IssuanceScope(configuration.acme)
        let awaited = Set(uncoveredSites.keys.filter(scope.includes))
        awaitedSites = awaited
        let missing = uncoveredSites.filter { !awaited.contains($0.key) }
        otherFindings = findings + Self.findings(missing)
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
        awaitedSites = other.awaitedSites
        uncoveredSites = other.uncoveredSites
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
        let published = loadedSites.count { $0.file != nil }
        let stale = loadedSites.count(where: \.isStale)
        let some = published == loadedSites.count ? "" : "\(published) of "
        let late = stale == 0 ? "" : " (\(stale) at \(stale == 1 ? "its" : "their") last good version)"
        let certificates = configuration.needsCertificates ? ", \(counted(allPairs.count, "certificate"))" : ""
        return "\(some)\(counted(loadedSites.count, "site"))\(late)\(certificates)"
    }

    private static func uncovered(
        _ sites: [LoadedSite], _ identities: IdentityTable, _ pairs: [CertificatePair]
    ) -> [String: String?] {
        let uncovered = sites.map(\.domain).filter { !identities.covers($0) }
        guard !uncovered.isEmpty else { return [:] }
        let examples = wildcardExamples(pairs, besides: Set(sites.map(\.domain)))
        return Dictionary(uncovered.map { ($0, examples[$0]) }) { first, _ in first }
    }

    private static func findings(_ uncovered: [String: String?]) -> [LocatedDiagnostic] {
        uncovered.sorted { $0.key < $1.key }.map { domain, example in
            guard let example else {
                return .error(domain, "no certificate covers this site, so nobody can fetch its file")
            }
            let rest = "its file can be fetched only from those that one covers, like \(quoted(example))"
            return .warning(domain, "no certificate covers all names of this site: \(rest)")
        }
    }

    /// The sites that nobody can ask for, now and later.
    var sitesWithoutCertificate: Int { uncoveredSites.count { $0.value == nil && !awaitedSites.contains($0.key) } }

    func isWithoutCertificate(_ domain: String) -> Bool {
        if let example = uncoveredSites[domain] { example == nil } else { false }
    }

    /// A name below each wildcard that a certificate is for, if no site of its own answers for that.
    private static func wildcardExamples(_ pairs: [CertificatePair], besides domains: Set<String>) -> [String: String] {
        var examples: [String: String] = [:]
        for name in pairs.flatMap(\.certificate.names) where !domains.contains(name) {
            guard let dot = name.firstIndex(of: "."), name[..<dot] != "*" else { continue }
            let wildcard = "*\(name[dot...])"
            examples[wildcard] = min(name, examples[wildcard] ?? name)
        }
        return examples
    }
}

/// The parts that a snapshot is made of.
struct SnapshotParts {
    var configuration: ServerConfiguration
    let numbers: SiteNumbers
    let rules: RuleCatalogue
    var sites: SiteLoad
    var certificates: LoadedCertificates
    /// Which certificates are not used because of others.
    var choiceFindings: [LocatedDiagnostic] = []
}
