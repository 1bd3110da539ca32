internal import COpenSSL

extension PrivateKey {
    /// The key as PKCS #8 `EncryptedPrivateKeyInfo` in DER (RFC 5958): PBES2 with AES-256-CBC, and PBKDF2 with HMAC-SHA-256
    /// (RFC 8018).
    ///
    /// - Parameter password: The bytes as they go into the key derivation.
    /// - Throws: `OpenSSLError.Code.setUp` if the library cannot.
    package func encryptedPKCS8(password: SecretBytes, iterations: Int32) throws(OpenSSLError) -> [UInt8] {
        ErrorQueue.clear()
        guard let information = EVP_PKEY2PKCS8(pointer) else {
            throw OpenSSLError(.setUp, "the private key cannot be encoded")
        }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        guard let cipher = context.cipher("AES-256-CBC") else {
            throw OpenSSLError(.setUp, "AES-256-CBC is not there")
        }
        defer { EVP_CIPHER_free(cipher) }
        var salt = [UInt8](repeating: 0, count: 16)
        guard let count = Int32(exactly: password.count),
            RAND_bytes_ex(context.pointer, &salt, salt.count, 0) == 1
        else { throw OpenSSLError(.setUp, "no random bytes") }

        let encrypted = password.withBytes { password in
            password.withUnsafeBytes { password in
                // −1: PBES2, with the cipher that is given.
                PKCS8_encrypt_ex(
                    -1, cipher, password.assumingMemoryBound(to: CChar.self).baseAddress, count, &salt,
                    Int32(salt.count), iterations, information, context.pointer, nil)
            }
        }
        guard let encrypted else { throw OpenSSLError(.setUp, "the private key cannot be encrypted") }
        defer { X509_SIG_free(encrypted) }
        var start: UnsafeMutablePointer<UInt8>?
        let size = i2d_X509_SIG(encrypted, &start)
        guard size > 0, let start else { throw OpenSSLError(.setUp, "the private key cannot be encoded") }
        defer { c_OPENSSL_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(size)))
    }
}
