internal import OpenSSL

/// How a password becomes a key.
struct PasswordDerivation {
    enum Function {
        /// RFC 7292, appendix B.2. The digest is a name or an object identifier, as the library takes both.
        case pkcs12(digest: String)
        /// RFC 8018, section 5.1.
        case pbkdf1(digest: String)
        /// RFC 8018, section 5.2.
        case pbkdf2(digest: String)
        /// RFC 7914.
        case scrypt(cost: UInt64, blockSize: UInt64, parallelization: UInt64)
    }

    let function: Function
    let salt: [UInt8]
    /// One for scrypt.
    let iterations: UInt32

    var form: PasswordForm {
        if case .pkcs12 = function { .utf16 } else { .utf8 }
    }

    /// Whether the library has the digest.
    func isKnown(in context: LibraryContext) -> Bool {
        switch function {
        case .pkcs12(let digest), .pbkdf1(let digest), .pbkdf2(let digest): context.hasDigest(digest)
        case .scrypt: true
        }
    }

    /// - Parameter purpose: Matters to PKCS #12 only.
    /// - Returns: Nil if the library does not know the function.
    func key(
        _ candidate: PasswordCandidate, purpose: KeyDerivation.Purpose = .encryption, count: Int,
        in context: LibraryContext
    ) -> SecretBytes? {
        let password = candidate.bytes(form)
        return switch function {
        case .pkcs12(let digest):
            KeyDerivation.pkcs12(
                password, salt: salt, iterations: iterations, purpose: purpose, digest: digest, count: count,
                in: context)
        case .pbkdf1(let digest):
            KeyDerivation.pbkdf1(
                password, salt: salt, iterations: iterations, digest: digest, count: count, in: context)
        case .pbkdf2(let digest):
            KeyDerivation.pbkdf2(
                password, salt: salt, iterations: iterations, digest: digest, count: count, in: context)
        case .scrypt(let cost, let blockSize, let parallelization):
            KeyDerivation.scrypt(
                password, salt: salt, cost: cost, blockSize: blockSize, parallelization: parallelization,
                memoryLimit: 2 * FileLimits.memory, count: count, in: context)
        }
    }
}
