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
    /// - Throws: `RenewalError.Code.unsuitableFile` if there is no private key in it, or none that can be read whatever the
    ///   password.
    public init(
        _ bytes: [UInt8], passwords: [Password] = [], with reader: CertificateFileReader
    ) throws(RenewalError) {
        var keys: [RenewalKey] = []
        var isLocked = false
        var obstacle: String?
        let budget = WorkBudget()
        // Without a password it is found out what is locked at all.
        for password in passwords.isEmpty ? [nil] : passwords.map(Optional.some) where keys.isEmpty || isLocked {
            let found = try KeyFileReader(password: password, budget: budget, context: reader.context).read(bytes)
            let opened = found.compactMap { $0.key.key.map(RenewalKey.init) }
            if opened.count >= keys.count { keys = opened }
            isLocked = found.contains { $0.isLocked }
            obstacle = found.lazy.compactMap(\.key.obstacle).first
        }
        guard !keys.isEmpty || isLocked else {
            throw RenewalError(
                .unsuitableFile,
                obstacle.map { "the private key in it cannot be used: \($0)" }
                    ?? "there is no private key in it; give the file that was made with the request")
        }
        self.keys = keys
        hasLockedKeys = isLocked
    }

    /// The key that a certificate was made for.
    public func key(of certificate: IssuedCertificate) -> RenewalKey? {
        keys.first { $0.belongs(to: certificate) }
    }
}
