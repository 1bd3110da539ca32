internal import COpenSSL

/// A certificate and a key with which a server is tried out on one machine.
///
/// It is self-signed, so that no client trusts it by default, and its name says what it is for.
package struct DevelopmentCertificate: Sendable {
    /// The common name.
    package static let name = "aasa development certificate, not for production"
    private static let daysOfLife: Int64 = 90

    /// The certificate in PEM.
    package let certificate: SecretBytes
    /// The private key in PEM, as PKCS #8 without encryption.
    package let key: SecretBytes

    /// Makes a certificate with a new P-256 key, valid for 90 days from a time.
    ///
    /// - Parameters:
    ///   - dnsNames: at least one, in ASCII; `*.example.com` is a wildcard.
    ///   - now: seconds since 1970.
    /// - Throws: `OpenSSLError.Code.setUp` if a name cannot be in a certificate, or the library lacks something.
    package init(dnsNames: [String], at now: Int64, in context: LibraryContext) throws(OpenSSLError) {
        let key = try PrivateKey.makeP256(in: context)
        // basicConstraints: not a CA, so that nothing else can be signed with it; extKeyUsage: serverAuth.
        let made = try SelfSignedCertificate.make(
            name: Self.name, dnsNames: dnsNames,
            extensions: [
                ("2.5.29.19", true, [0x30, 0x00]),
                ("2.5.29.37", false, [0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]),
            ], from: now, to: now + Self.daysOfLife * 86_400, key: key)
        defer { X509_free(made) }
        guard let certificate = PEMText.block("CERTIFICATE", try SelfSignedCertificate.encoded(made)),
            let text = key.pem
        else { throw OpenSSLError(.setUp, "the certificate cannot be encoded") }
        self.certificate = certificate
        self.key = text
    }
}
