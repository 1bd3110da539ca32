/// A certificate that the server has, as far as the plan needs to know it. It fits its key.
package struct InstalledCertificate: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
        /// Of another source than ACME.
        case folder
        /// Ordered for this domain from the CA with this directory.
        case acme(Domain, directory: String)
    }

    package let source: Source
    /// By which it is known again; the SHA-256 of its DER in hexadecimal.
    package let fingerprint: String
    /// The DNS names of the subject alternative name, lower case.
    package let names: [String]
    /// Seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
    /// Nil if the CA cannot be asked about it.
    package let certificateID: CertificateID?

    package init(
        source: Source, fingerprint: String, names: [String], notBefore: Int64, notAfter: Int64,
        certificateID: CertificateID?
    ) {
        self.source = source
        self.fingerprint = fingerprint
        self.names = names
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.certificateID = certificateID
    }

    package func isValid(at now: Int64) -> Bool { notBefore <= now && now < notAfter }

    package var lifetime: Int64 { max(notAfter - notBefore, 0) }

    /// Until when a certificate of another source keeps its names from being ordered: a day before its end, or a tenth
    /// of its lifetime if that is shorter.
    var coversUntil: Int64 { notAfter - min(86_400, lifetime / 10) }
}

/// Which certificates name a domain.
struct CertificateIndex {
    private var byName: [String: [InstalledCertificate]] = [:]
    private var ordered: [Domain: [InstalledCertificate]] = [:]

    init(_ certificates: [InstalledCertificate]) {
        for certificate in certificates {
            for name in Set(certificate.names) { byName[name, default: []].append(certificate) }
            if case .acme(let domain, _) = certificate.source { ordered[domain, default: []].append(certificate) }
        }
    }

    /// All that a client takes for the domain.
    func naming(_ domain: Domain) -> [InstalledCertificate] {
        var found = byName[domain.identifier] ?? []
        if !domain.isWildcard, let dot = domain.identifier.firstIndex(of: ".") {
            found += byName["*" + domain.identifier[dot...]] ?? []
        }
        return found
    }

    /// Whether there are so many that the CA is not asked about all of them at once.
    var isLarge: Bool { ordered.count > Self.manyCertificates }

    static let manyCertificates = 10

    /// Those that were ordered for it.
    func ordered(for domain: Domain) -> [InstalledCertificate] { ordered[domain] ?? [] }
}
