internal import Diagnostics
internal import OpenSSL

/// A PKCS #12 file of a new certificate and its key, as servers want it.
///
/// Source: push-certificates.md, section 10.
public struct CombinedFile: Sendable {
    public enum Form: String, Sendable, CaseIterable {
        /// 3DES, SHA-1 and 2048 iterations: what all systems read, macOS too.
        case compatible
        /// AES-256, PBKDF2 and SHA-256. macOS refuses it.
        case modern
    }

    /// The whole file.
    public let bytes: [UInt8]
    private let certificate: PushCertificate
    private let password: Password
    private let reader: CertificateFileReader

    /// - Parameters:
    ///   - password: Not empty, UTF-8.
    ///   - includesIssuer: Whether Apple's intermediate certificate G4 is put in too.
    /// - Throws: `RenewalError.Code.invalidPassword`, `RenewalError.Code.noMatchingKey`, or `RenewalError.Code.library` if
    ///   OpenSSL cannot.
    public init(
        _ certificate: IssuedCertificate, key: RenewalKey, password: Password, form: Form = .compatible,
        includesIssuer: Bool = false, with reader: CertificateFileReader
    ) throws(RenewalError) {
        try password.checkForNewFile()
        guard key.belongs(to: certificate) else {
            throw RenewalError(.noMatchingKey, "the private key does not match the certificate")
        }
        let issuer = includesIssuer ? AppleAuthority.g4.certificate(in: reader.context) : nil
        guard !includesIssuer || issuer != nil else { throw RenewalError(.library, "the built-in G4 cannot be read") }
        do throws(OpenSSLError) {
            bytes = try Self.writer(form).write(
                certificate.encoded, key: key.key, friendlyName: Self.friendlyName(certificate.certificate),
                issuers: issuer.map { [$0] } ?? [], password: password.bytes)
        } catch {
            throw RenewalError(error)
        }
        self.certificate = certificate.certificate
        self.password = password
        self.reader = reader
    }

    private static func writer(_ form: Form) -> PKCS12Writer {
        switch form {
        case .compatible: PKCS12Writer(.tripleDES, iterations: 2_048)
        // More than 300 000 are refused by .NET, which counts them to be safe from hostile files.
        case .modern: PKCS12Writer(.aes256, iterations: 250_000)
        }
    }

    /// What Keychain Access and others show of it; C ends it at a zero byte, so that there is none then.
    private static func friendlyName(_ certificate: PushCertificate) -> String? {
        guard let name = certificate.subjectCommonName, !name.isEmpty, !name.utf8.contains(0) else { return nil }
        return name
    }

    /// Reads a file as `certcheck` does, and compares it with what was to be written.
    ///
    /// - Throws: `RenewalError.Code.differentContent`.
    public func verify(_ bytes: [UInt8]) throws(RenewalError) {
        let file: CertificateFile
        do throws(CertificateFileError) {
            file = try reader.read(bytes, password: password)
        } catch {
            throw RenewalError(.differentContent, "the new file cannot be read back: \(error.sentence)")
        }
        func require(_ isSame: Bool, _ what: String) throws(RenewalError) {
            guard isSame else { throw RenewalError(.differentContent, "the new file was read back: \(what)") }
        }
        let found = file.certificates.first { $0.sha256 == certificate.sha256 && $0.sha256 != nil }
        guard let found else {
            throw RenewalError(.differentContent, "the new file was read back: it has another certificate")
        }
        try require(found.key == .matching, "its private key does not match its certificate")
        try require(found.kind == certificate.kind, "it is of another kind")
        try require(found.topics == certificate.topics, "it has other topics")
        try require(found.environments == certificate.environments, "it has other environments")
    }
}
