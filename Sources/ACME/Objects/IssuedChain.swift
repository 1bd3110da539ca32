internal import Diagnostics
package import DomainNames
package import OpenSSL
internal import SystemSupport

/// A chain that a CA has issued, leaf first (RFC 8555, section 9.1), with the checks before it is used.
package struct IssuedChain: Sendable {
    /// The most bytes of the text, and the most certificates in it.
    package static let maximumBytes = 1 << 20
    private static let maximumCertificates = 10

    private let certificates: [X509Certificate]
    package let leaf: X509Certificate

    /// Reads the PEM text of a CA. What is in it beside certificates is left out.
    ///
    /// - Parameter issuers: those that were read before, in the same context.
    /// - Throws: `protocol` if it is not such a text, or too large.
    package init(
        pem text: [UInt8], in context: LibraryContext, issuers: KnownIssuers = KnownIssuers()
    ) throws(IssuanceError) {
        guard text.count <= Self.maximumBytes else {
            throw IssuanceError(.protocol, "the certificate chain is larger than \(grouped(Self.maximumBytes)) bytes")
        }
        let encoded: [[UInt8]]
        do throws(OpenSSLError) {
            encoded = try PEMText.certificates(text)
        } catch {
            throw IssuanceError(.protocol, "the answer is not a certificate chain in PEM form")
        }
        guard encoded.count <= Self.maximumCertificates else {
            throw IssuanceError(
                .protocol,
                "the certificate chain has \(encoded.count) certificates, expected \(Self.maximumCertificates) at most")
        }
        var certificates: [X509Certificate] = []
        for (index, der) in encoded.enumerated() {
            var certificate: X509Certificate?
            do throws(OpenSSLError) {
                certificate =
                    try index == 0
                    ? X509Certificate(der: der[...], in: context) : issuers.certificate(der, in: context)
            } catch {
                certificate = nil
            }
            // What follows a certificate in its block does not belong to it.
            guard let certificate, certificate.der.count == der.count else {
                throw IssuanceError(.protocol, "a certificate of the chain is damaged")
            }
            certificates.append(certificate)
        }
        guard let leaf = certificates.first else {
            throw IssuanceError(.protocol, "the answer is not a certificate chain in PEM form")
        }
        self.certificates = certificates
        self.leaf = leaf
    }

    /// The chain as it is stored: written anew, so that nothing gets into the file but what was read.
    package var pem: [UInt8] {
        certificates.flatMap { PEMText.block("CERTIFICATE", $0.der)?.withBytes { $0 } ?? [] }
    }

    /// The common name of the leaf's issuer, escaped; its other names if it has none.
    package var issuer: String {
        AuthorityText.shown(
            leaf.issuerCommonName ?? leaf.issuer.map(\.value).joined(separator: ", "), limit: 100)
    }

    /// Whether a certificate of the chain was issued by one with this common name.
    func isIssued(by commonName: String) -> Bool { certificates.contains { $0.issuerCommonName == commonName } }

    /// Whether the chain is what was asked for and can be served (docs/spec/acme.md, section 6).
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `bad-certificate`.
    package func check(for domain: Domain, key: PrivateKey, now: Int64) throws(IssuanceError) {
        guard key.belongs(to: leaf) else { throw bad("does not have the public key of the order") }
        guard leaf.hasOnlyDNSName(domain.identifier) else { throw bad("is not for '\(domain)' alone") }
        guard leaf.notBefore <= now + 3_600 else { throw bad("becomes valid more than an hour from now") }
        guard leaf.notAfter > now else { throw bad("has expired") }
        for (index, (subject, issuer)) in zip(certificates, certificates.dropFirst()).enumerated() {
            guard subject.issuerName == issuer.subjectName, subject.isSigned(by: issuer) else {
                throw IssuanceError(
                    .badCertificate, "certificate \(index + 2) of the chain did not sign certificate \(index + 1)")
            }
        }
        do throws(OpenSSLError) {
            try ServerCertificate.check(certificates, key: key)
        } catch {
            throw IssuanceError(.badCertificate, "the certificate cannot be served: \(error)")
        }
    }

    private func bad(_ what: String) -> IssuanceError {
        IssuanceError(.badCertificate, "the certificate that was issued \(what)")
    }
}

/// The certificates above the leaves that one CA has sent: most of its chains have the same, which are read once.
package final class KnownIssuers: Sendable {
    private static let limit = 8

    private let recent = Locked<[X509Certificate]>([])

    package init() {}

    /// - Throws: `OpenSSLError.Code.noCertificate`.
    func certificate(_ der: [UInt8], in context: LibraryContext) throws(OpenSSLError) -> X509Certificate {
        if let known = recent.withLock({ $0.first { $0.der == der } }) { return known }
        let certificate = try X509Certificate(der: der[...], in: context)
        recent.withLock { recent in
            if recent.count == Self.limit { recent.removeFirst() }
            recent.append(certificate)
        }
        return certificate
    }
}
