extension SamplePKCS12 {
    /// A certificate and its key as a program exports them.
    ///
    /// - Parameters:
    ///   - certificate: The first of the file.
    ///   - chain: Certificates after it, without keys.
    ///   - key: Another key than the certificate's; nil for the certificate's own.
    ///   - password: Of the encryption and of the MAC.
    ///   - iterations: 1 takes the least time.
    public static func export(
        _ certificate: SampleCertificate, chain: [SampleCertificate] = [], key: SampleKey? = nil,
        password: SamplePassword = "test-password", as form: Form = .openSSL, iterations: UInt32 = 1
    ) throws -> SamplePKCS12 {
        let identifier: [UInt8] = Array(0xA0..<0xB4)
        let bags =
            [SampleBag.certificate(try certificate.der()).named("Apple Push Services", localKeyID: identifier)]
            + (try chain.map { .certificate(try $0.der()) })
        let secret = try (key ?? certificate.key).pkcs8()
        func encryption(_ scheme: SampleEncryption.Scheme) -> SampleEncryption {
            SampleEncryption(scheme, password: password, iterations: iterations)
        }
        let schemes = form.schemes
        let certificates: Part = schemes.certificate.map { .encrypted(bags, encryption($0)) } ?? .plain(bags)
        let keyBag: SampleBag = schemes.key.map { .shroudedKey(secret, encryption($0)) } ?? .key(secret)
        let keys = Part.plain([keyBag.named("Apple Push Services", localKeyID: identifier)])
        let mac = form.digest.map { SampleMAC(password: password, iterations: iterations, digest: $0) }
        return SamplePKCS12([certificates, keys], mac: mac)
    }

    /// Who exports.
    public enum Form: Sendable, CaseIterable {
        /// Keychain on a Mac: RC2 with 40 bits for the certificate, 3DES for the key.
        case keychain
        /// 3DES for both.
        case tripleDES
        /// OpenSSL 3: AES-256 for both, and a MAC with SHA-256.
        case openSSL
        /// Neither encrypted nor with a MAC.
        case plain

        var schemes: (certificate: SampleEncryption.Scheme?, key: SampleEncryption.Scheme?) {
            switch self {
            case .keychain: (.rc2With40, .tripleDES)
            case .tripleDES: (.tripleDES, .tripleDES)
            case .openSSL: (.aes256, .aes256)
            case .plain: (nil, nil)
            }
        }

        var digest: String? {
            switch self {
            case .keychain, .tripleDES: "SHA1"
            case .openSSL: "SHA256"
            case .plain: nil
            }
        }
    }
}
