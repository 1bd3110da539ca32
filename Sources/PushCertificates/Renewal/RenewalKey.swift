internal import OpenSSL

/// A private key that may be a certificate's.
public struct RenewalKey: Sendable {
    let key: PrivateKey

    /// Whether the certificate was made for it: whether they have the same public key.
    public func belongs(to certificate: IssuedCertificate) -> Bool { key.belongs(to: certificate.encoded) }
}
