internal import COpenSSL

/// A derivation of keys from passwords.
package struct KeyDerivation: Sendable {
    /// The way of deriving. A digest is a name or an object identifier, as the library takes both.
    package enum Function: Sendable {
        /// RFC 7292, appendix B.2. The password is in UTF-16, big endian, with two zero bytes at the end; no bytes for no
        /// password.
        case pkcs12(digest: String)
        /// RFC 8018, section 5.1: no more bytes than the digest has.
        case pbkdf1(digest: String)
        /// RFC 8018, section 5.2, with HMAC.
        case pbkdf2(digest: String)
        /// RFC 7914.
        case scrypt(cost: UInt64, blockSize: UInt64, parallelization: UInt64, memoryLimit: UInt64)
    }

    /// The purpose of a key of PKCS #12 (RFC 7292, appendix B.3).
    package enum Purpose: UInt64, Sendable {
        case encryption = 1
        case initializationVector = 2
        case integrity = 3
    }

    package let function: Function
    package let salt: [UInt8]
    /// One for scrypt.
    package let iterations: UInt32

    package init(_ function: Function, salt: [UInt8], iterations: UInt32 = 1) {
        (self.function, self.salt, self.iterations) = (function, salt, iterations)
    }

    /// - Parameter purpose: matters to PKCS #12 only.
    /// - Returns: Nil if the library does not know the algorithm or refuses the parameters.
    package func key(
        _ password: SecretBytes, purpose: Purpose = .encryption, count: Int, in context: LibraryContext
    ) -> SecretBytes? {
        let iterations = (name: StaticString("iter"), value: UInt64(self.iterations))
        switch function {
        case .pkcs12(let digest):
            return derive("PKCS12KDF", password, [iterations, ("id", purpose.rawValue)], digest, count, context)
        case .pbkdf1(let digest):
            // Among the old ones, as are the ciphers that it is used with.
            guard context.hasLegacyProvider else { return nil }
            return derive("PBKDF1", password, [iterations], digest, count, context)
        case .pbkdf2(let digest): return derive("PBKDF2", password, [iterations], digest, count, context)
        case .scrypt(let cost, let blockSize, let parallelization, let memoryLimit):
            return derive(
                "SCRYPT", password,
                [("n", cost), ("r", blockSize), ("p", parallelization), ("maxmem_bytes", memoryLimit)], nil, count,
                context)
        }
    }

    /// The key of an encrypted PEM block of old (`EVP_BytesToKey` with MD5, once): for the cipher, as long as it takes.
    ///
    /// - Parameter salt: Eight bytes.
    package static func pem(
        _ password: SecretBytes, salt: [UInt8], cipher: String, in context: LibraryContext
    ) -> SecretBytes? {
        guard salt.count == Int(PKCS5_SALT_LEN), let algorithm = context.cipher(cipher) else { return nil }
        defer { EVP_CIPHER_free(algorithm) }
        guard let digest = context.digest("MD5") else { return nil }
        defer { EVP_MD_free(digest) }
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        let count = EVP_CIPHER_get_key_length(algorithm)
        return SecretBytes(capacity: Int(EVP_MAX_KEY_LENGTH)) { buffer in
            let made = password.withBytes { password in
                EVP_BytesToKey(
                    algorithm, digest, salt, password, Int32(clamping: password.count), 1, buffer.baseAddress, nil)
            }
            return made == count ? Int(count) : nil
        }
    }

    /// - Parameter numbers: by the library's names of the parameters (openssl-EVP_KDF-PBKDF2(7) and others).
    private func derive(
        _ name: String, _ password: SecretBytes, _ numbers: [(name: StaticString, value: UInt64)], _ digest: String?,
        _ count: Int, _ context: LibraryContext
    ) -> SecretBytes? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let algorithm = EVP_KDF_fetch(context.pointer, name, nil) else { return nil }
        defer { EVP_KDF_free(algorithm) }
        guard let derivation = EVP_KDF_CTX_new(algorithm), let builder = OSSL_PARAM_BLD_new() else { return nil }
        defer {
            EVP_KDF_CTX_free(derivation)
            OSSL_PARAM_BLD_free(builder)
        }
        for number in numbers { OSSL_PARAM_BLD_push_uint64(builder, Self.key(number.name), number.value) }
        // The builder copies all values when the list is made, and refuses an address of nil even for no bytes.
        let parameters = password.withBytes { password in
            (password.isEmpty ? [0] : password).withUnsafeBytes { bytes in
                (salt.isEmpty ? [0] : salt).withUnsafeBytes { saltBytes in
                    (digest ?? "").withCString { text in
                        OSSL_PARAM_BLD_push_octet_string(builder, Self.key("pass"), bytes.baseAddress, password.count)
                        OSSL_PARAM_BLD_push_octet_string(builder, Self.key("salt"), saltBytes.baseAddress, salt.count)
                        if digest != nil { OSSL_PARAM_BLD_push_utf8_string(builder, Self.key("digest"), text, 0) }
                        return OSSL_PARAM_BLD_to_param(builder)
                    }
                }
            }
        }
        guard let parameters else { return nil }
        defer {
            Self.wipe(parameters)
            OSSL_PARAM_free(parameters)
        }
        return SecretBytes(capacity: count) { buffer in
            EVP_KDF_derive(derivation, buffer.baseAddress, count, parameters) == 1 ? count : nil
        }
    }

    /// The list keeps the address of a name, not the name.
    private static func key(_ name: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Overwrites the copies in a list, which the library only frees.
    private static func wipe(_ parameters: UnsafeMutablePointer<OSSL_PARAM>) {
        var cursor = parameters
        while cursor.pointee.key != nil {
            OPENSSL_cleanse(cursor.pointee.data, cursor.pointee.data_size)
            cursor += 1
        }
    }
}

/// Block and stream ciphers, as password based encryption uses them.
package enum SymmetricCipher {
    /// The sizes of key and initialization vector of a cipher, in bytes; nil if the library does not know it, or if it
    /// is of another kind than CBC, CFB, OFB and stream ciphers.
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
