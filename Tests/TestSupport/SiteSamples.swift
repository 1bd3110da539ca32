package import ACME
package import Diagnostics
package import ServiceHealth

extension SiteFacts {
    package static let sampleDigest = String(repeating: "0123456789abcdef", count: 4)

    /// A site with an association file in this state, as far as it is one of a file.
    package static func sample(
        _ domain: String, number: Int = 0, _ state: SiteState.State = .published, since: Int64 = 1,
        findings: [LocatedDiagnostic] = [], others: [SiteState.File] = [], certificate: CertificateFacts? = nil,
        judgement: CertificateJudgement = .notNeeded, issuance: DomainStatus? = nil
    ) -> SiteFacts {
        let file = SiteState.File.sample(SiteState.File.association, state, since: since, findings: findings)
        return SiteFacts(
            SiteState(domain, number: number, files: [file] + others, isWithoutCertificate: state == .noCertificate),
            certificate: certificate, judgement: judgement, issuance: issuance)
    }

    /// The same site with another judgement of its certificate.
    package func with(_ situation: CertificateSituation) -> SiteFacts {
        var site = self
        site.certificate = CertificateFacts(
            name: domain, keyType: "ECDSA", validity: situation.validity, folder: "certs/\(domain)",
            source: situation.source)
        site.judgement = CertificateJudgement(
            situation.validity, situation.source, of: domain, situation.status, now: CertificateSituation.now)
        site.issuance = situation.status
        return site
    }

    /// The same site without any certificate.
    package func withoutCertificate(_ status: DomainStatus?) -> SiteFacts {
        var site = self
        site.site = SiteState(domain, number: site.site.number, files: site.site.files, isWithoutCertificate: true)
        site.judgement = CertificateJudgement(withoutCertificateFor: domain, status)
        site.issuance = status
        return site
    }
}

extension SiteState.File {
    /// A file in this state, as far as it is one of a file.
    package static func sample(
        _ name: String, _ state: SiteState.State = .published, since: Int64 = 1, findings: [LocatedDiagnostic] = []
    ) -> SiteState.File {
        let version = Version(sha256: SiteFacts.sampleDigest, bytes: 1_234, since: since)
        let delivery: Delivery =
            switch state {
            case .published, .noCertificate: .served(version)
            case .stale: .stale(version, refusedSince: since)
            case .refused: .refused(since: since)
            }
        return SiteState.File(name, delivery, findings: findings)
    }
}
