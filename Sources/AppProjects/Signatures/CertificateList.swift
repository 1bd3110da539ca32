internal import Android
internal import OpenSSL

/// Certificates in the order in which they are added, each of them once: with the role that it had first.
struct CertificateList {
    private(set) var certificates: [SigningCertificate] = []
    private var known: Set<[UInt8]> = []

    private static let commonName = "2.5.4.3"

    mutating func add(
        _ certificate: X509Certificate, _ role: SigningCertificate.Role, _ scheme: SigningCertificate.Scheme?
    ) {
        let digest = SHA256Digest.hash(certificate.der)
        guard known.insert(digest).inserted else { return }
        let fingerprint = Self.fingerprint(digest)
        certificates.append(
            SigningCertificate(
                sha256: fingerprint, role: role, scheme: scheme, subject: certificate.subjectText,
                notAfter: certificate.notAfter,
                isForDebugging: certificate.subject(Self.commonName) == "Android Debug"
                    || KnownSigningKeys.publicKey(fingerprint) != nil))
    }

    /// Adds the certificates of an archive.
    mutating func add(
        _ certificates: [[UInt8]], _ role: SigningCertificate.Role, _ scheme: SigningCertificate.Scheme,
        _ context: LibraryContext
    ) throws(SignatureError) {
        for der in certificates { add(try Self.certificate(der, scheme, context), role, scheme) }
    }

    /// Reads a certificate of an archive.
    ///
    /// - Throws: `SignatureError.Code.corrupt` if it is none, or if something follows it: systems would take that for a
    ///   part of it, and for another fingerprint.
    static func certificate(
        _ der: [UInt8], _ scheme: SigningCertificate.Scheme, _ context: LibraryContext
    ) throws(SignatureError) -> X509Certificate {
        guard let certificate = try? X509Certificate(der: der[...], in: context),
            certificate.der.count == der.count
        else {
            throw SignatureError(
                .corrupt, "a certificate of the \(scheme.rawValue) signature is damaged", help: SignatureError.again)
        }
        return certificate
    }

    private static func fingerprint(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}
