internal import COpenSSL

/// Writes PKCS #12 (RFC 7292): a certificate with its key, and perhaps the certificate of its issuer.
package struct PKCS12Writer: Sendable {
    /// The protection of the content.
    package enum Protection: Sendable {
        /// 3DES and a MAC with SHA-1: what every system reads.
        case tripleDES
        /// AES-256-CBC, PBKDF2 with HMAC-SHA-256, and a MAC with SHA-256.
        case aes256
    }

    package let protection: Protection
    /// The number of iterations for the MAC, for the certificates and for the key, each.
    package let iterations: Int32

    package init(_ protection: Protection, iterations: Int32) {
        self.protection = protection
        self.iterations = iterations
    }

    /// - Parameters:
    ///   - key: Has to be the certificate's.
    ///   - friendlyName: What lists show; nil for none.
    ///   - issuers: Further certificates, without keys.
    ///   - password: UTF-8, without zero bytes.
    /// - Throws: `OpenSSLError.Code.keyMismatch`, or `OpenSSLError.Code.setUp` if the library cannot.
    package func write(
        _ certificate: X509Certificate, key: PrivateKey, friendlyName: String?, issuers: [X509Certificate],
        password: SecretBytes
    ) throws(OpenSSLError) -> [UInt8] {
        guard key.belongs(to: certificate) else {
            throw OpenSSLError(.keyMismatch, "the private key does not belong to the certificate")
        }
        ErrorQueue.clear()
        guard let terminated = Self.terminated(password), let others = c_sk_X509_new_null() else {
            throw OpenSSLError(.setUp, "out of memory")
        }
        defer { c_sk_X509_free(others) }
        for issuer in issuers {
            // Lent: the stack is freed without them.
            guard c_sk_X509_push(others, issuer.pointer) > 0 else { throw OpenSSLError(.setUp, "out of memory") }
        }
        let context = key.context
        let file = terminated.withBytes { password in
            password.withUnsafeBytes { password in
                let text = password.assumingMemoryBound(to: CChar.self).baseAddress
                // −1: the MAC comes after it, with a digest of our choice.
                return PKCS12_create_ex(
                    text, friendlyName, key.pointer, certificate.pointer, others, cipher, cipher, iterations, -1, 0,
                    context.pointer, nil)
            }
        }
        guard let file else { throw OpenSSLError(.setUp, "the PKCS #12 file cannot be made") }
        defer { PKCS12_free(file) }
        try addMAC(to: file, password: terminated, context)

        guard let bytes = DER.bytes({ i2d_PKCS12(file, &$0) }) else {
            throw OpenSSLError(.setUp, "the PKCS #12 file cannot be encoded")
        }
        return bytes
    }

    private var cipher: Int32 {
        switch protection {
        case .tripleDES: NID_pbe_WithSHA1And3_Key_TripleDES_CBC
        // No scheme of PKCS #12, so that it becomes PBES2 with this cipher.
        case .aes256: NID_aes_256_cbc
        }
    }

    private func addMAC(
        to file: OpaquePointer, password: SecretBytes, _ context: LibraryContext
    ) throws(OpenSSLError) {
        // The old form with what the old writers gave it.
        let (name, saltBytes) =
            switch protection {
            case .tripleDES: ("SHA1", 8)
            case .aes256: ("SHA256", 16)
            }
        guard let digest = context.digest(name) else { throw OpenSSLError(.setUp, "\(name) is not there") }
        defer { EVP_MD_free(digest) }
        var salt = [UInt8](repeating: 0, count: saltBytes)
        guard RAND_bytes_ex(context.pointer, &salt, salt.count, 0) == 1 else {
            throw OpenSSLError(.setUp, "no random bytes")
        }
        let result = password.withBytes { password in
            password.withUnsafeBytes { password in
                PKCS12_set_mac(
                    file, password.assumingMemoryBound(to: CChar.self).baseAddress, -1, &salt, Int32(salt.count),
                    iterations, digest)
            }
        }
        guard result == 1 else { throw OpenSSLError(.setUp, "the MAC cannot be made") }
    }

    /// The password with a zero byte at its end, as C wants it.
    private static func terminated(_ password: SecretBytes) -> SecretBytes? {
        SecretBytes(capacity: password.count + 1) { buffer in
            password.withBytes { bytes in
                for (index, byte) in bytes.enumerated() { buffer[index] = byte }
            }
            return buffer.count
        }
    }
}
