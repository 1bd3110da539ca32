internal import COpenSSL

/// AES-256-GCM (NIST SP 800-38D): text that is encrypted so that a change of it, or of what it belongs to, is noticed.
///
/// A sealed text is the nonce, the ciphertext and the tag, in this order.
package enum AuthenticatedCipher {
    /// The bytes of a key.
    package static let keyCount = 32
    /// The bytes of a nonce, which is never used twice with one key.
    package static let nonceCount = 12
    /// The bytes of a tag.
    package static let tagCount = 16

    nonisolated(unsafe) private static let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

    /// Encrypts a text under a nonce of its own.
    ///
    /// - Parameter additional: is not in the result, and has to be the same when it is opened.
    /// - Throws: `OpenSSLError.Code.setUp` if the system gives no randomness, or for a key of another length.
    package static func seal(
        _ plain: SecretBytes, key: SecretBytes, additional: [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        try seal(plain, key: key, nonce: try SecureRandom.bytes(nonceCount), additional: additional)
    }

    /// The same under a given nonce, for the vectors of the standard.
    package static func seal(
        _ plain: SecretBytes, key: SecretBytes, nonce: [UInt8], additional: [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        ErrorQueue.clear()
        guard key.count == keyCount, nonce.count == nonceCount, let count = Int32(exactly: plain.count),
            let additionalCount = Int32(exactly: additional.count), let state = EVP_CIPHER_CTX_new()
        else { throw OpenSSLError(.setUp, "AES-256-GCM cannot be used") }
        defer { EVP_CIPHER_CTX_free(state) }
        var text = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: tagCount)
        var written: Int32 = 0
        guard key.withBytes({ EVP_EncryptInit_ex2(state, cipher, $0, nonce, nil) }) == 1,
            EVP_EncryptUpdate(state, nil, &written, additional, additionalCount) == 1,
            plain.withBytes({ EVP_EncryptUpdate(state, &text, &written, $0, count) }) == 1,
            // In this mode nothing more comes at the end.
            withUnsafeTemporaryAllocation(
                of: UInt8.self, capacity: tagCount, { EVP_EncryptFinal_ex(state, $0.baseAddress, &written) }) == 1,
            EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), &tag) == 1
        else { throw OpenSSLError(.setUp, "AES-256-GCM cannot be used") }
        return nonce + text + tag
    }

    /// Decrypts a sealed text.
    ///
    /// - Returns: Nil if the key or the additional data is another one, or anything was changed.
    package static func open(_ sealed: [UInt8], key: SecretBytes, additional: [UInt8]) -> SecretBytes? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        let textCount = sealed.count - nonceCount - tagCount
        guard key.count == keyCount, textCount >= 0, let count = Int32(exactly: textCount),
            let additionalCount = Int32(exactly: additional.count), let state = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(state) }
        let nonce = Array(sealed.prefix(nonceCount))
        let text = Array(sealed.dropFirst(nonceCount).dropLast(tagCount))
        var tag = Array(sealed.suffix(tagCount))
        var written: Int32 = 0
        guard key.withBytes({ EVP_DecryptInit_ex2(state, cipher, $0, nonce, nil) }) == 1,
            EVP_DecryptUpdate(state, nil, &written, additional, additionalCount) == 1
        else { return nil }
        // Room for a block: the library wants an address even where it writes nothing.
        return SecretBytes(capacity: textCount + tagCount) { buffer in
            guard EVP_DecryptUpdate(state, buffer.baseAddress, &written, text, count) == 1,
                EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1,
                EVP_DecryptFinal_ex(state, buffer.baseAddress.map { $0 + textCount }, &written) == 1
            else { return nil }
            return textCount
        }
    }
}
