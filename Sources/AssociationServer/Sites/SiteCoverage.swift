internal import Diagnostics
internal import OpenSSL

/// Which sites clients can ask for, as certificates cover them.
struct SiteCoverage: Sendable {
    /// The sites that not every client can ask for: nobody can, or only for some names below them, such as this one.
    let uncovered: [String: String?]
    /// Those of them that get a certificate by themselves.
    let awaited: Set<String>
    /// The findings about the others.
    let findings: [LocatedDiagnostic]

    init(
        _ configuration: ServerConfiguration, _ sites: [LoadedSite], _ identities: IdentityTable,
        _ pairs: [CertificatePair]
    ) {
        let uncovered = configuration.needsCertificates ? Self.uncovered(sites, identities, pairs) : [:]
        let scope = IssuanceScope(configuration.acme)
        let awaited = Set(uncovered.keys.filter(scope.includes))
        self.uncovered = uncovered
        self.awaited = awaited
        findings = Self.findings(uncovered.filter { !awaited.contains($0.key) })
    }

    /// The number of sites that nobody can ask for, now and later.
    var sitesWithoutCertificate: Int { uncovered.count { $0.value == nil && !awaited.contains($0.key) } }

    func isWithoutCertificate(_ domain: String) -> Bool {
        if let example = uncovered[domain] { example == nil } else { false }
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
