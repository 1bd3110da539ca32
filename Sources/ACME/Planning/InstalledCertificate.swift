internal import Diagnostics
package import DomainNames
internal import JSONSyntax
internal import OpenSSL
internal import SystemSupport

/// A certificate that the server has, as far as the plan needs to know it. It fits its key.
package struct InstalledCertificate: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
        /// Found in a folder that ACME did not make.
        case folder
        /// Ordered for this domain from the CA with this directory.
        case acme(Domain, directory: String)
    }

    package let source: Source
    /// The SHA-256 of its DER in hexadecimal.
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

    /// The SHA-256 of a certificate's DER, in hexadecimal.
    package static func fingerprint(_ der: [UInt8]) -> String {
        Hexadecimal.text(SHA256Digest.hash(der))
    }

    package func isValid(at now: Int64) -> Bool { notBefore <= now && now < notAfter }

    package var lifetime: Int64 { max(notAfter - notBefore, 0) }

    /// No window of the CA for its renewal can begin so early: a certificate is not made to be replaced at once. A window
    /// that does was meant for another certificate, or for none.
    package var earliestWindow: Int64 { notBefore + lifetime / 100 }

    /// Whether the certificate was ordered for this domain, and is for it alone.
    func isOrdered(for domain: Domain) -> Bool {
        guard case .acme(domain, _) = source else { return false }
        return names.count == 1 && names[0] == domain.identifier
    }

    /// The time until which a certificate of another source keeps its names from being ordered: a day before its end,
    /// or a tenth of its lifetime if that is shorter.
    var coversUntil: Int64 { notAfter - min(86_400, lifetime / 10) }
}

/// Which certificates name a domain. Making one costs more than a plan: it is kept as long as no certificate changes.
package struct CertificateIndex: Sendable {
    private var byName: [String: [InstalledCertificate]] = [:]
    private var hasWildcards = false
    /// The number of ordered certificates.
    private var orderedCount = 0

    package init(_ certificates: [InstalledCertificate]) {
        byName.reserveCapacity(certificates.count)
        for certificate in certificates {
            for name in certificate.names.count == 1 ? certificate.names : Array(Set(certificate.names)) {
                byName[name, default: []].append(certificate)
                if name.utf8.first == UInt8(ascii: "*") { hasWildcards = true }
            }
            if case .acme = certificate.source { orderedCount += 1 }
        }
    }

    /// All that a client takes for the domain.
    package func naming(_ domain: Domain) -> [InstalledCertificate] {
        let found = byName[domain.identifier] ?? []
        guard hasWildcards, !domain.isWildcard, let dot = domain.identifier.firstIndex(of: "."),
            let wildcards = byName["*" + domain.identifier[dot...]]
        else { return found }
        return found + wildcards
    }

    /// Whether there are too many to ask the CA about all of them at once.
    var isLarge: Bool { orderedCount > Self.manyCertificates }

    static let manyCertificates = 10
}

/// The file `acme.json`, which marks the folder of a certificate as one that ACME has made.
package struct CertificateMetadata: Equatable, Sendable {
    /// The URL of the CA's directory.
    package let directory: String
    package let domain: Domain
    /// Seconds since 1970; nil if it cannot be read.
    package let issuedAt: Int64?

    package init(directory: String, domain: Domain, issuedAt: Int64?) {
        (self.directory, self.domain, self.issuedAt) = (directory, domain, issuedAt)
    }

    /// Reads `acme.json`; nil if it is damaged.
    package init?(json bytes: [UInt8]) {
        do throws(IssuanceError) {
            let object = try ReceivedObject(bytes, subject: "acme.json")
            guard try object.integer("version") == 1, let domain = Domain(try object.string("domain")) else {
                return nil
            }
            self.domain = domain
            directory = try object.string("directory")
            issuedAt = try? object.optionalTime("issuedAt")
        } catch {
            return nil
        }
    }

    /// The content of `acme.json`.
    package var json: String {
        let object: [String: JSONOutput] = [
            "version": .number(1), "directory": .string(directory), "domain": .string(domain.identifier),
            "issuedAt": .optional(issuedAt.map(InternetDate.string)),
        ]
        return JSONOutput.object(object).text + "\n"
    }
}
