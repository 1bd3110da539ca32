internal import Diagnostics
internal import OpenSSL

/// What is to be said about a certificate's own key and signature (push-certificates.md, section 8).
enum CertificateFindings {
    static func findings(_ details: CertificateDetails) -> [Finding] {
        [weakKey(details.certificate), weakSignature(details)].compactMap { $0 }
    }

    private static func weakKey(_ certificate: X509Certificate) -> Finding? {
        guard let (algorithm, bits) = certificate.publicKey, algorithm.utf8.starts(with: "RSA".utf8), bits < 2_048
        else {
            return nil
        }
        return Finding(
            .weakKey, .warning,
            "its RSA key has only \(bits) bits, which is too few today; make the next one with 2048 bits, as 'certcheck csr' "
                + "does")
    }

    private static func weakSignature(_ details: CertificateDetails) -> Finding? {
        // What signs itself is trusted for other reasons than its signature.
        guard let digest = details.certificate.signatureDigest, let name = weak[digest], !details.isSelfIssued else {
            return nil
        }
        return Finding(
            .weakSignature, .note,
            "it is signed with \(name), which is no longer considered safe; certificates of today are signed with SHA-256"
        )
    }

    /// By the names that OpenSSL gives them.
    private static let weak = ["SHA1": "SHA-1", "MD5": "MD5", "MD4": "MD4", "MD2": "MD2", "MD5-SHA1": "MD5"]
}
