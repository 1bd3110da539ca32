internal import COpenSSL

/// Block and stream ciphers, as password based encryption uses them.
package enum SymmetricCipher {
    /// How many bytes of key and initialization vector a cipher takes; nil if the library does not know it, or if it is of
    /// another kind than CBC, CFB, OFB and stream ciphers.
    ///
    /// - Parameter cipher: A name or an object identifier in dots.
    package static func sizes(_ cipher: String, in context: LibraryContext) -> (key: Int, vector: Int)? {
        guard let algorithm = algorithm(cipher, in: context) else { return nil }
        defer { EVP_CIPHER_free(algorithm) }
        return (Int(EVP_CIPHER_get_key_length(algorithm)), Int(EVP_CIPHER_get_iv_length(algorithm)))
    }

    /// The plain text; nil if the padding is wrong, as with a wrong key, or the cipher is not known.
    ///
    /// - Parameters:
    ///   - key: As many bytes as `sizes` says, or others if the cipher takes them.
    ///   - vector: As many bytes as `sizes` says.
    ///   - effectiveKeyBits: For RC2 (RFC 2268), if it is not as many as the key has.
    package static func decrypt(
        _ text: ArraySlice<UInt8>, cipher: String, key: SecretBytes, vector: SecretBytes,
        effectiveKeyBits: UInt32? = nil, in context: LibraryContext
    ) -> SecretBytes? {
        transform(
            text, cipher: cipher, key: key, vector: vector, effectiveKeyBits: effectiveKeyBits, isEncrypting: false,
            in: context)
    }

    /// The cipher text with padding; nil if the cipher is not known or does not take the key.
    package static func encrypt(
        _ text: [UInt8], cipher: String, key: SecretBytes, vector: SecretBytes, in context: LibraryContext
    ) -> [UInt8]? {
        transform(text[...], cipher: cipher, key: key, vector: vector, isEncrypting: true, in: context)?
            .withBytes { Array($0) }
    }

    private static func transform(
        _ text: ArraySlice<UInt8>, cipher: String, key: SecretBytes, vector: SecretBytes,
        effectiveKeyBits: UInt32? = nil, isEncrypting: Bool, in context: LibraryContext
    ) -> SecretBytes? {
        guard let algorithm = algorithm(cipher, in: context), let size = Int32(exactly: text.count) else { return nil }
        defer { EVP_CIPHER_free(algorithm) }
        guard vector.count >= Int(EVP_CIPHER_get_iv_length(algorithm)), let state = EVP_CIPHER_CTX_new() else {
            return nil
        }
        defer { EVP_CIPHER_CTX_free(state) }
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        let direction: Int32 = isEncrypting ? 1 : 0
        guard EVP_CipherInit_ex2(state, algorithm, nil, nil, direction, nil) == 1,
            key.count == Int(EVP_CIPHER_CTX_get_key_length(state))
                || EVP_CIPHER_CTX_set_key_length(state, Int32(clamping: key.count)) == 1,
            effectiveKeyBits.map({ set(OSSL_CIPHER_PARAM_RC2_KEYBITS, $0, of: state) }) ?? true,
            key.withBytes({ key in vector.withBytes { EVP_CipherInit_ex2(state, nil, key, $0, direction, nil) } }) == 1
        else { return nil }
        return SecretBytes(capacity: text.count + Int(EVP_MAX_BLOCK_LENGTH)) { buffer in
            var count: Int32 = 0
            var rest: Int32 = 0
            let isRead = text.withUnsafeBufferPointer {
                EVP_CipherUpdate(state, buffer.baseAddress, &count, $0.baseAddress, size)
            }
            guard isRead == 1,
                EVP_CipherFinal_ex(state, buffer.baseAddress.map { $0 + Int(count) }, &rest) == 1
            else { return nil }
            return Int(count + rest)
        }
    }

    /// The caller's to free.
    private static func algorithm(_ cipher: String, in context: LibraryContext) -> OpaquePointer? {
        guard let algorithm = context.cipher(cipher) else { return nil }
        let isAuthenticated = EVP_CIPHER_get_flags(algorithm) & UInt(EVP_CIPH_FLAG_AEAD_CIPHER) != 0
        let modes = [EVP_CIPH_STREAM_CIPHER, EVP_CIPH_CBC_MODE, EVP_CIPH_CFB_MODE, EVP_CIPH_OFB_MODE]
        if !isAuthenticated, modes.contains(EVP_CIPHER_get_mode(algorithm)) { return algorithm }
        EVP_CIPHER_free(algorithm)
        return nil
    }

    private static func set(_ name: String, _ value: UInt32, of state: OpaquePointer) -> Bool {
        var value = value
        return name.withCString { name in
            withUnsafeMutablePointer(to: &value) { value in
                let parameters = [OSSL_PARAM_construct_uint32(name, value), OSSL_PARAM_construct_end()]
                return EVP_CIPHER_CTX_set_params(state, parameters) == 1
            }
        }
    }
}
