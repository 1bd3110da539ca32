internal import COpenSSL

/// Reads many certificates of a server: what they have in common is set up, read and kept once.
package final class ServerCertificateReader {
    private let context: OpaquePointer
    /// By what they hold.
    private var known: [[UInt8]: IssuerCertificate] = [:]

    /// - Parameter certificates: earlier ones, whose issuers are used on.
    package init(reusing certificates: [ServerCertificate] = []) throws(OpenSSLError) {
        ErrorQueue.clear()
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw OpenSSLError(.setUp, "TLS cannot be set up")
        }
        self.context = context
        SSL_CTX_set_security_level(context, TLSContext.securityLevel)
        var seen: Set<ObjectIdentifier> = []
        for issuer in certificates.lazy.flatMap(\.issuers) where seen.insert(ObjectIdentifier(issuer)).inserted {
            known[issuer.der] = issuer
        }
    }

    deinit { SSL_CTX_free(context) }

    /// How many certificates the chains have that are no leaves.
    package var issuerCount: Int { known.count }

    func issuers(_ chain: ArraySlice<[UInt8]>) throws(OpenSSLError) -> [IssuerCertificate] {
        var issuers: [IssuerCertificate] = []
        for der in chain {
            let issuer: IssuerCertificate
            if let same = known[der] {
                issuer = same
            } else {
                issuer = try IssuerCertificate(der: der)
                known[der] = issuer
            }
            issuers.append(issuer)
        }
        return issuers
    }

    /// Whether key, certificate and chain belong together, and TLS accepts them; if not, why.
    func check(
        _ identity: borrowing ParsedIdentity, _ issuers: [IssuerCertificate],
        _ key: (type: ServerCertificate.KeyType, bits: Int)
    ) throws(OpenSSLError) {
        ErrorQueue.clear()
        guard X509_check_private_key(identity.leaf, identity.key) == 1 else {
            ERR_clear_error()
            throw OpenSSLError(.keyMismatch, "the private key does not belong to the certificate")
        }
        var subject = identity.leaf
        for (place, issuer) in issuers.enumerated() {
            guard X509_check_issued(issuer.pointer, subject) == X509_V_OK else {
                throw OpenSSLError(
                    .chainOrder,
                    "the chain is in the wrong order: certificate \(place + 2) did not issue certificate \(place + 1)")
            }
            subject = issuer.pointer
        }
        do throws(OpenSSLError) {
            try TLSContext.add(identity, issuers, to: context)
        } catch {
            var error = error
            error.help =
                error.reasons.contains("ee key too small")
                ? "its \(key.type.rawValue) key has \(key.bits) bits, expected RSA from 2048"
                : "an issuer's key or a signature in the chain is too weak"
            throw error
        }
    }
}
