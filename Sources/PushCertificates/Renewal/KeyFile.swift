internal import OpenSSL

/// The private keys of a file.
public struct KeyFile: Sendable {
    /// Those that could be read, in the order of the file.
    public let keys: [RenewalKey]
    /// Whether there are others, which none of the passwords opens.
    public let hasLockedKeys: Bool

    /// - Parameters:
    ///   - bytes: PEM or DER in any usual form, or PKCS #12. What else is in the file does not matter.
    ///   - passwords: Are tried on encrypted keys, one after the other.
    ///   - budget: Of this file, for callers that read it more than once.
    /// - Throws: `RenewalError.Code.unsuitableFile` if there is no private key in it, or none that can be read whatever the
    ///   password.
    public init(
        _ bytes: [UInt8], passwords: [Password] = [], with reader: CertificateFileReader,
        budget: ReadingBudget = ReadingBudget()
    ) throws(RenewalError) {
        var keys: [RenewalKey] = []
        var isLocked = false
        var obstacle: String?
        // Without a password it is found out what is locked at all.
        for password in passwords.isEmpty ? [nil] : passwords.map(Optional.some) where keys.isEmpty || isLocked {
            let found = try KeyFileReader(password: password, budget: budget, context: reader.context).read(bytes)
            let opened = found.compactMap { $0.key.map(RenewalKey.init) }
            if opened.count >= keys.count { keys = opened }
            isLocked = found.contains { $0.isLocked }
            obstacle = found.lazy.compactMap(\.obstacle).first
        }
        guard !keys.isEmpty || isLocked else {
            throw RenewalError(
                .unsuitableFile,
                obstacle.map { "the private key in it cannot be used: \($0)" }
                    ?? "there is no private key in it; name the file that was created with the request")
        }
        self.keys = keys
        hasLockedKeys = isLocked
    }

    /// The key that a certificate was made for.
    public func key(of certificate: IssuedCertificate) -> RenewalKey? {
        keys.first { $0.belongs(to: certificate) }
    }
}

/// A private key that may be a certificate's.
public struct RenewalKey: Sendable {
    let key: PrivateKey

    /// The bytes that it shares with the certificates that belong to it.
    var publicKeyIdentity: [UInt8]? { key.publicKeyIdentity }
    /// Its public half as `SubjectPublicKeyInfo` in DER.
    var publicKeyInfo: [UInt8] { key.publicKeyInfo }

    /// Whether the certificate was made for it: whether they have the same public key.
    public func belongs(to certificate: IssuedCertificate) -> Bool { key.belongs(to: certificate.encoded) }
}

/// Finds the private keys of a file, whatever else is in it.
struct KeyFileReader {
    private let keys: PrivateKeyReader

    init(password: Password?, budget: ReadingBudget, context: LibraryContext) {
        keys = PrivateKeyReader(
            decryption: PasswordDecryption(
                candidates: PasswordCandidates(password), budget: budget, context: context))
    }

    /// - Throws: `RenewalError.Code.unsuitableFile` if it is damaged, or above a limit.
    func read(_ bytes: [UInt8]) throws(RenewalError) -> [ParsedKey] {
        do throws(CertificateFileError) {
            guard bytes.count <= CertificateFileReader.maximumBytes else {
                throw CertificateFileError(.tooLarge, "the file is larger than any private key")
            }
            if PEMBlocks.isPEM(bytes[...]) { return try readPEM(bytes[...]) }
            guard let decoded = Base64Text.decodeText(bytes[...]) else { return try readDER(bytes) }
            return try decoded.withBytes { decoded throws(CertificateFileError) in try readDER(decoded) }
        } catch {
            throw RenewalError(.unsuitableFile, error.sentence)
        }
    }

    private func readPEM(_ text: ArraySlice<UInt8>) throws(CertificateFileError) -> [ParsedKey] {
        var found: [ParsedKey] = []
        var blocks = PEMBlocks(text)
        while let block = try blocks.next() {
            guard block.isPrivateKey else { continue }
            guard let bytes = block.decoded() else {
                throw CertificateFileError(
                    .corrupt, "the private key in line \(block.line) is not complete base64 text")
            }
            do throws(ReadingError) {
                found.append(
                    try bytes.withBytes { bytes throws(ReadingError) in
                        try PEMKeyReader(block: block, keys: keys).read(bytes[...])
                    })
            } catch {
                throw error.fileError(in: "the encryption of the private key in line \(block.line)")
            }
        }
        return found
    }

    private func readDER(_ bytes: [UInt8]) throws(CertificateFileError) -> [ParsedKey] {
        if case .pkcs12 = DERFormat(bytes[...]) { return try readPKCS12(bytes) }
        do throws(ReadingError) {
            if let info = try? PrivateKeyInfo(bytes[...]) { return [try keys.read(info)] }
            if let encrypted = try? EncryptedPrivateKeyInfo(bytes[...]) { return [try keys.read(encrypted)] }
            guard case .key = KeyShape(bytes[...]) else { return [] }
            let forms: [PrivateKey.TraditionalForm] = [.rsa, .ec]
            let found = try forms.map { form throws(ReadingError) in try keys.read(form, bytes[...]) }
            let readable = found.filter { $0.key != nil }
            return Array((readable.isEmpty ? found : readable).prefix(1))
        } catch {
            throw error.fileError(in: "the private key")
        }
    }

    private func readPKCS12(_ bytes: [UInt8]) throws(CertificateFileError) -> [ParsedKey] {
        do throws(CertificateFileError) {
            var reader = PKCS12Reader(decryption: keys.decryption)
            let file = try reader.read(bytes[...])
            return file.keys.map { key in
                var key = key
                key.isLocked = key.key == nil && file.wantsPassword
                return key
            }
        } catch {
            guard [.passwordRequired, .wrongPassword].contains(error.code) else { throw error }
            return [keys.locked]
        }
    }
}
