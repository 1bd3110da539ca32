internal import COpenSSL
internal import Glibc

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
    private static let commonNameOID = "2.5.4.3"

    /// Makes the certificate with a new P-256 key, valid from a day before until a week after a time: whoever asks for
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
        let certificate = try certificate(name, extensionValue(keyAuthorization), key, now)
        let identity = ParsedIdentity(taking: certificate, key)
        return ServerCertificate(madeHere: identity, der: try encoded(certificate))
    }

    /// Whether a certificate that a server has presented in such a handshake is the right answer: what a CA looks at.
    package static func isAnswer(_ certificate: X509Certificate, name: String, keyAuthorization: String) -> Bool {
        let identifiers = certificate.extensions.filter { $0.oid == identifierOID }
        let names = certificate.extensions.filter { $0.oid == alternativeNameOID }
        guard identifiers.count == 1, names.count == 1, let identifier = identifiers.first else { return false }
        return identifier.isCritical && identifier.value == extensionValue(keyAuthorization)
            && certificate.hasOnlyDNSName(name)
    }

    /// Whether a certificate is the answer to some challenge, of whoever.
    package static func answersSomeChallenge(_ certificate: X509Certificate) -> Bool {
        certificate.extension(identifierOID) != nil
    }

    /// `Authorization ::= OCTET STRING (SIZE (32))`.
    private static func extensionValue(_ keyAuthorization: String) -> [UInt8] {
        let digest = SHA256Digest.hash(Array(keyAuthorization.utf8))
        return [UInt8(V_ASN1_OCTET_STRING), UInt8(digest.count)] + digest
    }

    /// The caller's to free.
    private static func certificate(
        _ name: String, _ value: [UInt8], _ key: PrivateKey, _ now: Int64
    ) throws(OpenSSLError) -> OpaquePointer {
        let alternativeName = try CertificateExtension(dnsName: name)
        let identifier = try CertificateExtension(oid: identifierOID, isCritical: true, value: value)
        ErrorQueue.clear()
        guard let certificate = X509_new_ex(key.context.pointer, nil) else {
            throw OpenSSLError(.setUp, "out of memory")
        }
        var isComplete = false
        defer { if !isComplete { X509_free(certificate) } }
        // The form of a certificate wants both names not to be empty; these say nothing.
        let label = Array("ACME challenge".utf8)
        let subject = X509_get_subject_name(certificate)
        let day: Int64 = 86_400
        guard X509_set_version(certificate, 2) == 1, try setSerialNumber(of: certificate),
            setTime(X509_getm_notBefore(certificate), now - day),
            setTime(X509_getm_notAfter(certificate), now + 7 * day),
            X509_NAME_add_entry_by_txt(
                subject, commonNameOID, V_ASN1_UTF8STRING, label, Int32(label.count), -1, 0) == 1,
            X509_set_issuer_name(certificate, subject) == 1, X509_set_pubkey(certificate, key.pointer) == 1,
            X509_add_ext(certificate, alternativeName.pointer, -1) == 1,
            X509_add_ext(certificate, identifier.pointer, -1) == 1
        else { throw OpenSSLError(.setUp, "the certificate of the challenge cannot be made") }
        try sign(certificate, key)
        isComplete = true
        return certificate
    }

    private static func sign(_ certificate: OpaquePointer, _ key: PrivateKey) throws(OpenSSLError) {
        guard let digest = key.context.digest("SHA256") else { throw OpenSSLError(.setUp, "SHA-256 is not there") }
        defer { EVP_MD_free(digest) }
        guard X509_sign(certificate, key.pointer, digest) > 0 else {
            throw OpenSSLError(.setUp, "the certificate of the challenge cannot be signed")
        }
    }

    /// The certificate in DER.
    private static func encoded(_ certificate: OpaquePointer) throws(OpenSSLError) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &start)
        guard count > 0, let start else {
            throw OpenSSLError(.setUp, "the certificate of the challenge cannot be encoded")
        }
        defer { c_OPENSSL_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// Random: two certificates of one issuer never have the same number.
    private static func setSerialNumber(of certificate: OpaquePointer) throws(OpenSSLError) -> Bool {
        var bytes = try SecureRandom.bytes(16)
        // Positive, and not zero.
        bytes[0] = bytes[0] & 0x3F | 0x40
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { return false }
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private static func setTime(_ field: UnsafeMutablePointer<ASN1_TIME>?, _ seconds: Int64) -> Bool {
        ASN1_TIME_set(field, time_t(seconds)) != nil
    }
}
