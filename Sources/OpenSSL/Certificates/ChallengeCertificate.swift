internal import COpenSSL

/// The certificate that answers a TLS-ALPN-01 challenge (RFC 8737, section 3).
///
/// It signs itself, is for one name, and has the hash of the key authorization in a critical extension, so that no
/// client takes it for one of the site.
package enum ChallengeCertificate {
    /// The protocol that client and server agree upon by ALPN in the handshake of a challenge.
    package static let applicationProtocol = "acme-tls/1"

    /// `id-pe-acmeIdentifier`.
    private static let identifierOID = "1.3.6.1.5.5.7.1.31"
    private static let alternativeNameOID = "2.5.29.17"

    /// Makes the certificate with a new P-256 key, valid from a day before until a week after a time: the client that asks for
    /// it may have another clock.
    ///
    /// - Parameters:
    ///   - name: the domain, in ASCII.
    ///   - keyAuthorization: the token, a full stop and the thumbprint of the account's key (RFC 8555, section 8.1).
    ///   - now: seconds since 1970.
    /// - Throws: `OpenSSLError.Code.setUp` if the name cannot be in a certificate, or the library lacks something.
    package static func make(
        name: String, keyAuthorization: String, at now: Int64, in context: LibraryContext
    ) throws(OpenSSLError) -> ServerCertificate {
        let key = try PrivateKey.makeP256(in: context)
        let day: Int64 = 86_400
        // The form of a certificate wants both names not to be empty; these say nothing.
        let certificate = try SelfSignedCertificate.make(
            name: "ACME challenge", dnsNames: [name],
            extensions: [(identifierOID, true, extensionValue(keyAuthorization))],
            from: now - day, to: now + 7 * day, key: key)
        let identity = ParsedIdentity(taking: certificate, key)
        return ServerCertificate(madeHere: identity, der: try SelfSignedCertificate.encoded(certificate))
    }

    /// Whether a certificate that a server has presented in such a handshake is the right answer: what a CA looks at.
    package static func isAnswer(_ certificate: X509Certificate, name: String, keyAuthorization: String) -> Bool {
        let identifiers = certificate.extensions.filter { $0.oid == identifierOID }
        let names = certificate.extensions.filter { $0.oid == alternativeNameOID }
        guard identifiers.count == 1, names.count == 1, let identifier = identifiers.first else { return false }
        return identifier.isCritical && identifier.value == extensionValue(keyAuthorization)
            && certificate.hasOnlyDNSName(name)
    }

    /// Whether a certificate is the answer to any challenge.
    package static func answersSomeChallenge(_ certificate: X509Certificate) -> Bool {
        certificate.extension(identifierOID) != nil
    }

    /// `Authorization ::= OCTET STRING (SIZE (32))`.
    private static func extensionValue(_ keyAuthorization: String) -> [UInt8] {
        let digest = SHA256Digest.hash(Array(keyAuthorization.utf8))
        return [UInt8(V_ASN1_OCTET_STRING), UInt8(digest.count)] + digest
    }
}
