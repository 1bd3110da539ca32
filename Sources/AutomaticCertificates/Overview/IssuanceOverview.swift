package import ACME
package import AssociationServer
package import Diagnostics
package import DomainNames
internal import OpenSSL
package import ServiceHealth
internal import SystemSupport

/// The certificates of a server and of its sites, with how they are judged: what `aasa certificates` shows.
package struct IssuanceOverview: Sendable {
    package struct Certificate: Sendable {
        /// The folder that it was read from.
        package let folder: String
        /// The DNS names in it, in lowercase.
        package let names: [String]
        /// The common name of the issuer, or its other names; as the certificate has it.
        package let issuer: String
        /// Upper-case hexadecimal digits.
        package let serial: String
        /// The SHA-256 of its DER; hexadecimal.
        package let sha256: String
        /// The type of the key, for example `ECDSA`.
        package let keyType: String
        /// Seconds since 1970.
        package let notBefore: Int64
        /// Seconds since 1970.
        package let notAfter: Int64
        package let source: CertificateSource
        package let judgement: CertificateJudgement
        /// Only of one that ACME has got and will replace.
        package let nextRenewal: Int64?
        /// The site that ACME has got it for.
        package let domain: Domain?

        /// Negative as soon as it has expired.
        package func daysLeft(at now: Int64) -> Int { wholeDays(notAfter - now) }
    }

    package struct Site: Sendable {
        /// `example.com`, or `*.example.com` for a wildcard.
        package let domain: String
        /// The state of the domain's order; nil, or that it is covered, without ACME.
        package let status: DomainStatus?
        /// The folder of the certificate that its clients are presented.
        package let certificate: String?
        package let judgement: CertificateJudgement
    }

    /// The certificates, sorted by their first names.
    package let certificates: [Certificate]
    /// The sites, sorted by domain.
    package let sites: [Site]
    /// The problems of certificates that cannot be used, or that can be used by others.
    package let findings: [LocatedDiagnostic]
    package let statuses: DomainStatuses
    /// The worst of all sites, and of what is wrong with the files of certificates.
    package let severity: HealthSeverity

    /// - Parameters:
    ///   - requested: a domain whose renewal is asked for.
    ///   - now: seconds since 1970.
    /// - Throws: `ServerError.Code.unreadable` if a folder cannot be read.
    package init(
        _ configuration: ServerConfiguration, requesting requested: Domain? = nil, now: Int64
    ) throws(ServerError) {
        self.init(try ServerInventory(configuration, now: now), requesting: requested, now: now)
    }

    /// - Parameters:
    ///   - records: what is stored of orders; nil for what is in the folder of the inventory.
    ///   - requested: a domain whose renewal is asked for.
    ///   - now: seconds since 1970.
    package init(
        _ inventory: ServerInventory, _ records: IssuanceRecords? = nil, requesting requested: Domain? = nil, now: Int64
    ) {
        let statuses = DomainStatuses(inventory.input, records, requesting: requested, now: now)
        self.statuses = statuses
        findings = inventory.findings
        let context = try? LibraryContext()
        let read = inventory.input.certificates
        let judged = inventory.judged(statuses.report, now: now)
        certificates = zip(zip(read, judged.certificates), statuses.installed).map {
            Certificate($0.0, $0.1, $1, statuses, context)
        }.sorted { ($0.names.first ?? "", $0.folder) < ($1.names.first ?? "", $1.folder) }
        sites = inventory.input.domains.map { domain in
            let isCovered = read.contains {
                $0.source == .folder && $0.notBefore <= now && now <= $0.notAfter && $0.names(domain)
            }
            let status = Domain(domain).flatMap { statuses.byDomain[$0] }
            let plain = !inventory.input.configuration.isOn && isCovered ? DomainStatus(.covered) : nil
            return Site(
                domain: domain, status: status ?? plain, certificate: inventory.presented[domain],
                judgement: judged.sites[domain]?.judgement ?? .notNeeded)
        }
        var facts = HealthFacts(
            sites: sites.map { SiteFacts(SiteState($0.domain, files: []), judgement: $0.judgement) },
            pairs: inventory.pairs)
        facts.certificateFindings = inventory.certificateFindings
        if let problem = statuses.problem {
            facts.certificateFindings.append(.warning(inventory.input.folder, problem.message))
        }
        severity = SiteHealth(facts, now: now).ofCertificates.severity
    }

    /// The certificates that ACME has got for a domain.
    package func ordered(for domain: Domain) -> [Certificate] { certificates.filter { $0.domain == domain } }
}

extension IssuanceOverview.Certificate {
    fileprivate init(
        _ certificate: IssuanceInput.Certificate, _ judgement: CertificateJudgement, _ installed: InstalledCertificate,
        _ statuses: DomainStatuses, _ context: LibraryContext?
    ) {
        folder = certificate.folder
        names = certificate.names
        keyType = certificate.keyType.rawValue
        (notBefore, notAfter) = (certificate.notBefore, certificate.notAfter)
        source = certificate.source
        self.judgement = judgement
        sha256 = installed.fingerprint
        nextRenewal = statuses.renewals[installed.fingerprint]
        if case .acme(let domain, _) = installed.source { self.domain = domain } else { domain = nil }
        let parsed = context.flatMap { try? X509Certificate(der: certificate.leaf[...], in: $0) }
        issuer = parsed.map { $0.issuerCommonName ?? $0.issuer.map(\.value).joined(separator: ", ") } ?? ""
        serial = parsed?.serialNumber ?? ""
    }
}
