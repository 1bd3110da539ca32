internal import ACME
package import ServiceHealth
internal import SystemSupport

/// The certificates of a server as they are judged: each by itself, and that of each site.
///
/// `/sites`, `/metrics`, the log, `aasa serve --check` and `aasa certificates` take what they say from here.
package struct JudgedCertificates: Sendable {
    package struct Site: Sendable {
        package let judgement: CertificateJudgement
        /// The index of the certificate that was judged: of several the worst, then the one that expires first; nil if
        /// there is none.
        package let certificate: Int?
    }

    /// By domain.
    package let sites: [String: Site]
    /// In the order of the certificates: the worst that one is for any site.
    package let certificates: [CertificateJudgement]

    /// - Parameters:
    ///   - issuance: what is known of orders; nil if nothing is known yet.
    ///   - now: seconds since 1970.
    ///   - presented: the indices of the certificates that a client is presented which asks for a name.
    package init(
        _ certificates: [CertificateChoice.Candidate], of domains: [String], _ configuration: ServerConfiguration,
        issuance: IssuanceReport?, now: Int64, presented: (String) -> [Int]
    ) {
        let scope = IssuanceScope(configuration.acme)
        let known = Set(domains)
        let below =
            domains.contains { $0.hasPrefix("*.") }
            ? CertificateChoice.namesBelowWildcards(certificates.flatMap(\.names), isSite: known.contains) : [:]
        var sites: [String: Site] = [:]
        sites.reserveCapacity(domains.count)
        var worst: [CertificateJudgement?] = Array(repeating: nil, count: certificates.count)
        /// Judges the certificates for a name.
        func judge(_ name: String, _ status: DomainStatus?) -> Site? {
            var site: Site?
            for index in presented(name) {
                let certificate = certificates[index]
                let judgement = CertificateJudgement(
                    certificate.validity, certificate.source, of: name, status, now: now)
                if worst[index].map({ $0.severity < judgement.severity }) ?? true { worst[index] = judgement }
                let isWorse =
                    site.map { other in
                        let before = other.certificate.map { certificates[$0].notAfter } ?? .max
                        return (other.judgement.severity, -before) < (judgement.severity, -certificate.notAfter)
                    } ?? true
                if isWorse { site = Site(judgement: judgement, certificate: index) }
            }
            return site
        }
        for domain in domains {
            let status = Self.status(of: domain, scope, configuration, issuance, now)
            guard configuration.needsCertificates else {
                sites[domain] = Site(judgement: .notNeeded, certificate: nil)
                continue
            }
            let names = below[domain] ?? []
            let parts = names.sorted().compactMap { judge($0, nil) }
            if let site = judge(domain, status) {
                sites[domain] = site
            } else if let site = parts.first(where: { $0.judgement.severity == .critical }) {
                // Worse than the names that have none.
                sites[domain] = site
            } else if let example = names.min() {
                sites[domain] = Site(judgement: .partial(example), certificate: nil)
            } else {
                sites[domain] = Site(
                    judgement: CertificateJudgement(withoutCertificateFor: domain, status), certificate: nil)
            }
        }
        self.sites = sites
        self.certificates = zip(worst, certificates).map { $0 ?? .unused($1.validity, now: now) }
    }

    /// The state of the orders for a site; nil if none would be made.
    private static func status(
        of domain: String, _ scope: IssuanceScope, _ configuration: ServerConfiguration, _ issuance: IssuanceReport?,
        _ now: Int64
    ) -> DomainStatus? {
        guard configuration.acme.isOn else { return nil }
        let known = issuance?.domains[domain]
        // A certificate of another source covers it, and no other one will follow.
        if known?.state == .covered, !scope.includes(domain) { return nil }
        if let known { return known }
        if scope.isExcluded(domain) { return DomainStatus(.excluded) }
        guard scope.isPrivateName(domain) else { return DomainStatus(.waiting) }
        var status = DomainStatus(.blocked)
        status.lastError = RecordedError(
            at: now, type: .acmeName, message: "'\(domain)' is not a name in the public DNS")
        return status
    }
}

extension CertificateChoice.Candidate {
    var validity: CertificateValidity { CertificateValidity(notBefore: notBefore, notAfter: notAfter) }
}

extension ServerSnapshot {
    /// The certificates of this snapshot as they are judged now.
    func judged(_ issuance: IssuanceReport?, now: Int64) -> JudgedCertificates {
        JudgedCertificates(
            allPairs.map(CertificateChoice.Candidate.init), of: loadedSites.map(\.domain), configuration,
            issuance: issuance, now: now, presented: identities.pairs)
    }
}
