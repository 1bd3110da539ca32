internal import OpenSSL

/// A new key, and the request with which Apple makes a certificate for it.
///
/// RSA with 2048 bits and SHA-256 (push-certificates.md, section 10). Only the public key comes back in the certificate: who
/// loses the private key loses the certificate.
public struct SigningRequest: Sendable {
    /// The request in PEM.
    public let text: [UInt8]
    public let isKeyEncrypted: Bool
    private let keyText: SecretBytes

    /// Makes a new key; that takes about a tenth of a second.
    ///
    /// - Parameter keyPassword: What the key is encrypted with (PBES2, AES-256, PBKDF2 with SHA-256); nil for not at all.
    /// - Throws: `RenewalError.Code.invalidPassword`, or `RenewalError.Code.library` if OpenSSL cannot.
    public init(
        _ subject: SigningRequestSubject, keyPassword: Password? = nil, with reader: CertificateFileReader
    ) throws(RenewalError) {
        if let keyPassword { try keyPassword.checkForNewFile() }
        let parts: (text: SecretBytes, keyText: SecretBytes)?
        do throws(OpenSSLError) {
            parts = try Self.make(subject, password: keyPassword, in: reader.context)
        } catch {
            throw RenewalError(error)
        }
        guard let parts else { throw RenewalError(.library, "memory is lacking") }
        text = parts.text.withBytes { $0 }
        keyText = parts.keyText
        isKeyEncrypted = keyPassword != nil
    }

    /// Lends the private key in PEM (PKCS #8); neither the bytes nor slices of them may outlive the call.
    public func withKeyText<Result, Failure>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try keyText.withBytes(body)
    }

    /// What OWASP recommends for PBKDF2 with HMAC-SHA-256.
    private static let iterations: Int32 = 600_000

    private static func make(
        _ subject: SigningRequestSubject, password: Password?, in context: LibraryContext
    ) throws(OpenSSLError) -> (text: SecretBytes, keyText: SecretBytes)? {
        let key = try PrivateKey.makeRSA(bits: 2_048, in: context)
        let request = try CertificateRequest.make(subject: subject.attributes, key: key)
        let keyText: SecretBytes?
        if let password {
            let encrypted = try key.encryptedPKCS8(password: password.bytes, iterations: iterations)
            keyText = PEMText.block("ENCRYPTED PRIVATE KEY", encrypted)
        } else {
            keyText = key.pkcs8.flatMap { PEMText.block("PRIVATE KEY", $0) }
        }
        guard let keyText, let text = PEMText.block("CERTIFICATE REQUEST", request) else { return nil }
        return (text, keyText)
    }
}

extension SigningRequestSubject {
    fileprivate var attributes: [CertificateRequest.Attribute] {
        var attributes = [CertificateRequest.Attribute("2.5.4.3", commonName, as: .utf8)]
        if let email { attributes.append(.init("1.2.840.113549.1.9.1", email, as: .ia5)) }
        if let country { attributes.append(.init("2.5.4.6", country, as: .printable)) }
        return attributes
    }
}
