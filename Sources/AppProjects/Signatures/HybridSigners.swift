internal import OpenSSL

/// The two signers of APK Signature Scheme v3.2, which Android 17 introduced: of their blocks, which are those of v3, one has
/// a classical key and one a key of ML-DSA (source.android.com, "APK Signature Scheme v3.2").
///
/// The app is the post-quantum signer's. Systems treat the classical one as the certificate before it, of a key that was
/// rotated.
struct HybridSigners {
    /// One for each range of systems.
    private(set) var postQuantum: [X509Certificate] = []
    private(set) var classical: [X509Certificate] = []

    /// ML-DSA-44, ML-DSA-65 and ML-DSA-87 (RFC 9881).
    private static let mlDSA = ["2.16.840.1.101.3.4.3.17", "2.16.840.1.101.3.4.3.18", "2.16.840.1.101.3.4.3.19"]

    init(_ signers: SchemeSigners, _ context: LibraryContext) throws(SignatureError) {
        for der in signers.certificates {
            let certificate = try CertificateList.certificate(der, .v32, context)
            if Self.mlDSA.contains(certificate.publicKeyAlgorithm) {
                postQuantum.append(certificate)
            } else {
                classical.append(certificate)
            }
        }
        guard postQuantum.count == classical.count else {
            throw SignatureError(
                .corrupt,
                "the v3.2 signature is damaged: it has \(classical.count) classical and \(postQuantum.count) ML-DSA signers; "
                    + "expected one of each", help: SignatureError.again)
        }
    }
}
