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
        issuance: IssuanceReport?, now: Int64, presented: @escaping (String) -> [Int]
    ) {
        var judge = CertificateJudge(
            certificates, of: domains, configuration, issuance: issuance, now: now, presented: presented)
        var sites: [String: Site] = [:]
        sites.reserveCapacity(domains.count)
        for domain in domains { sites[domain] = judge.judge(domain) }
        self.sites = sites
        self.certificates = zip(judge.worst, certificates).map { $0 ?? .unused($1.validity, now: now) }
    }
}

/// Judges the certificates of a server site by site: the judgements need not be in memory at the same time.
struct CertificateJudge {
    private let certificates: [CertificateChoice.Candidate]
    private let configuration: ServerConfiguration
    private let scope: IssuanceScope
    private let issuance: IssuanceReport?
    private let now: Int64
    private let presented: (String) -> [Int]
    /// The names of certificates below each wildcard site.
    private let below: [String: [String]]
    /// In the order of the certificates: the worst that one is for any site so far; nil for one that was not looked at.
    private(set) var worst: [CertificateJudgement?]

    init(
        _ certificates: [CertificateChoice.Candidate], of domains: [String], _ configuration: ServerConfiguration,
        issuance: IssuanceReport?, now: Int64, presented: @escaping (String) -> [Int]
    ) {
        (self.certificates, self.configuration) = (certificates, configuration)
        (self.issuance, self.now, self.presented) = (issuance, now, presented)
        scope = IssuanceScope(configuration.acme)
        worst = Array(repeating: nil, count: certificates.count)
        guard domains.contains(where: { $0.hasPrefix("*.") }) else {
            below = [:]
            return
        }
        let known = Set(domains)
        below = CertificateChoice.namesBelowWildcards(certificates.flatMap(\.names), isSite: known.contains)
    }

    /// The judgement of the certificate of a site, or of the lack of one.
    mutating func judge(_ domain: String) -> JudgedCertificates.Site {
        typealias Site = JudgedCertificates.Site
        guard configuration.needsCertificates else { return Site(judgement: .notNeeded, certificate: nil) }
        let status = Self.status(of: domain, scope, configuration, issuance, now)
        let names = below[domain] ?? []
        let parts = names.sorted().compactMap { judge($0, nil) }
        if let site = judge(domain, status) { return site }
        // Worse than the names that have none.
        if let site = parts.first(where: { $0.judgement.severity == .critical }) { return site }
        if let example = names.min() { return Site(judgement: .partial(example), certificate: nil) }
        return Site(judgement: CertificateJudgement(withoutCertificateFor: domain, status), certificate: nil)
    }

    /// Judges the certificates for a name.
    private mutating func judge(_ name: String, _ status: DomainStatus?) -> JudgedCertificates.Site? {
        var site: JudgedCertificates.Site?
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
            if isWorse { site = JudgedCertificates.Site(judgement: judgement, certificate: index) }
        }
        return site
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

    /// Judges these certificates now, for one site after the other.
    func certificateJudge(_ issuance: IssuanceReport?, now: Int64) -> CertificateJudge {
        CertificateJudge(
            allPairs.map(CertificateChoice.Candidate.init), of: loadedSites.map(\.domain), configuration,
            issuance: issuance, now: now, presented: identities.pairs)
    }
}
