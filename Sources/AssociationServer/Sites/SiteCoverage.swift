internal import Diagnostics
internal import OpenSSL

/// Which sites clients can ask for, as certificates cover them.
///
/// It has a part for each chunk of the list of sites, so that a change costs the parts that it concerns.
struct SiteCoverage: Sendable {
    /// The sites of a chunk that not every client can ask for.
    private final class Part: Sendable {
        /// Nobody can ask for these, or only for some names below them, such as this one.
        let uncovered: [String: String?]
        /// Those of them that get a certificate by themselves.
        let awaited: Set<String>
        /// The findings about the others, by domain.
        let findings: [LocatedDiagnostic]

        static let none = Part([:], awaited: [])

        init(_ uncovered: [String: String?], awaited: Set<String>) {
            self.uncovered = uncovered
            self.awaited = awaited
            findings = uncovered.filter { !awaited.contains($0.key) }.sorted { $0.key < $1.key }.map(Self.finding)
        }

        private static func finding(_ domain: String, _ example: String?) -> LocatedDiagnostic {
            guard let example else {
                return .error(domain, "no certificate covers this site, so nobody can fetch its file")
            }
            let rest = "its file can be fetched only from those that one covers, like \(quoted(example))"
            return .warning(domain, "no certificate covers all names of this site: \(rest)")
        }
    }

    private var parts: [Part]

    init(
        _ configuration: ServerConfiguration, _ sites: SiteTable, _ identities: IdentityTable,
        _ pairs: [CertificatePair]
    ) {
        parts = []
        let all = configuration.needsCertificates ? Array(sites.sites.chunks.indices) : []
        update(all, configuration, sites, identities, pairs)
    }

    /// The same after a change of sites, with the same certificates.
    ///
    /// - Parameters:
    ///   - changed: the indices of the sites that are others than before.
    ///   - domains: those that are new or gone.
    init(
        _ other: SiteCoverage, changed: Set<Int>, domains: [String], _ configuration: ServerConfiguration,
        _ sites: SiteTable, _ identities: IdentityTable, _ pairs: [CertificatePair]
    ) {
        parts = other.parts
        guard configuration.needsCertificates else { return }
        let wildcards = domains.compactMap { domain -> Int? in
            let wildcard = CertificateChoice.wildcard(of: domain)
            return sites.index(of: wildcard).flatMap { sites.sites[$0].domain == wildcard ? $0 : nil }
        }
        let chunks = Set((changed + wildcards).map { $0 >> SiteList.chunkBits })
        update(chunks.sorted(), configuration, sites, identities, pairs)
    }

    private mutating func update(
        _ chunks: [Int], _ configuration: ServerConfiguration, _ sites: SiteTable, _ identities: IdentityTable,
        _ pairs: [CertificatePair]
    ) {
        let list = sites.sites.chunks
        if parts.count > list.count { parts.removeLast(parts.count - list.count) }
        let scope = IssuanceScope(configuration.acme)
        var examples: [String: String]?
        for chunk in chunks where chunk < list.count {
            var uncovered: [String: String?] = [:]
            for site in list[chunk] where !identities.covers(site.domain) {
                let isWildcard = site.domain.hasPrefix("*.")
                if isWildcard, examples == nil { examples = Self.wildcardExamples(pairs, besides: sites) }
                uncovered[site.domain] = .some(isWildcard ? examples?[site.domain] : nil)
            }
            let part =
                uncovered.isEmpty ? Part.none : Part(uncovered, awaited: Set(uncovered.keys.filter(scope.includes)))
            if chunk < parts.count { parts[chunk] = part } else { parts.append(part) }
        }
    }

    /// The number of sites that nobody can ask for, now and later.
    var sitesWithoutCertificate: Int {
        parts.reduce(0) { sum, part in
            sum + part.uncovered.count { $0.value == nil && !part.awaited.contains($0.key) }
        }
    }

    /// The findings, by domain.
    var findings: [LocatedDiagnostic] { parts.flatMap(\.findings).sorted { $0.path < $1.path } }

    /// The findings that were not there before.
    func findings(since other: SiteCoverage) -> [LocatedDiagnostic] {
        var known: Set<LocatedDiagnostic> = []
        var new: [LocatedDiagnostic] = []
        for index in 0..<max(parts.count, other.parts.count) {
            let part = index < parts.count ? parts[index] : .none
            let before = index < other.parts.count ? other.parts[index] : .none
            guard part !== before else { continue }
            known.formUnion(before.findings)
            new += part.findings
        }
        return new.filter { !known.contains($0) }.sorted { $0.path < $1.path }
    }

    /// Whether nobody can ask for a site.
    ///
    /// - Parameter index: that of the site in the list of sites.
    func isWithoutCertificate(_ domain: String, at index: Int) -> Bool {
        guard parts.indices.contains(index >> SiteList.chunkBits),
            let example = parts[index >> SiteList.chunkBits].uncovered[domain]
        else { return false }
        return example == nil
    }

    /// A name below each wildcard that a certificate is for, if no site of its own answers for that.
    private static func wildcardExamples(_ pairs: [CertificatePair], besides sites: SiteTable) -> [String: String] {
        let below = CertificateChoice.namesBelowWildcards(pairs.flatMap(\.certificate.names)) { name in
            sites.index(of: name).map { sites.sites[$0].domain == name } ?? false
        }
        return below.compactMapValues { $0.min() }
    }
}

extension SiteCoverage: Equatable {
    /// Whether there are the same findings.
    static func == (left: SiteCoverage, right: SiteCoverage) -> Bool {
        left.parts.count == right.parts.count
            && zip(left.parts, right.parts).allSatisfy { $0 === $1 || $0.findings == $1.findings }
    }
}
