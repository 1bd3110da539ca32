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
        let list = ParameterList()
        list.bytes(OSSL_KDF_PARAM_PASSWORD, password)
        list.bytes(OSSL_KDF_PARAM_SALT, salt)
        let name: String
        switch function {
        case .pkcs12(let digest):
            name = "PKCS12KDF"
            list.number(OSSL_KDF_PARAM_PKCS12_ID, purpose.rawValue)
            setHashing(digest, list)
        case .pbkdf1(let digest):
            // Among the old ones, as are the ciphers that it is used with.
            guard context.hasLegacyProvider else { return nil }
            name = "PBKDF1"
            setHashing(digest, list)
        case .pbkdf2(let digest):
            name = "PBKDF2"
            setHashing(digest, list)
        case .scrypt(let cost, let blockSize, let parallelization, let memoryLimit):
            name = "SCRYPT"
            list.number(OSSL_KDF_PARAM_SCRYPT_N, cost)
            list.number(OSSL_KDF_PARAM_SCRYPT_R, blockSize)
            list.number(OSSL_KDF_PARAM_SCRYPT_P, parallelization)
            list.number(OSSL_KDF_PARAM_SCRYPT_MAXMEM, memoryLimit)
        }
        return Self.derive(name, count: count, in: context, list)
    }

    private func setHashing(_ digest: String, _ list: borrowing ParameterList) {
        list.number(OSSL_KDF_PARAM_ITER, UInt64(iterations))
        list.text(OSSL_KDF_PARAM_DIGEST, digest)
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

    private static func derive(
        _ name: String, count: Int, in context: LibraryContext, _ list: borrowing ParameterList
    ) -> SecretBytes? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let algorithm = EVP_KDF_fetch(context.pointer, name, nil) else { return nil }
        defer { EVP_KDF_free(algorithm) }
        guard let derivation = EVP_KDF_CTX_new(algorithm) else { return nil }
        defer { EVP_KDF_CTX_free(derivation) }
        guard let parameters = list.make() else { return nil }
        defer {
            ParameterList.wipe(parameters)
            OSSL_PARAM_free(parameters)
        }
        return SecretBytes(capacity: count) { buffer in
            EVP_KDF_derive(derivation, buffer.baseAddress, count, parameters) == 1 ? count : nil
        }
    }
}

/// Parameters for an algorithm. The builder copies all values when the list is made.
private struct ParameterList: ~Copyable {
    private let builder = OSSL_PARAM_BLD_new()
    /// The values that are handed in, which have to live until the list is made.
    private let kept = Kept()

    private final class Kept {
        var buffers: [UnsafeMutableRawBufferPointer] = []
        deinit {
            for buffer in buffers {
                OPENSSL_cleanse(buffer.baseAddress, buffer.count)
                buffer.deallocate()
            }
        }
    }

    func bytes(_ name: String, _ value: SecretBytes) { value.withBytes { bytes(name, $0) } }

    func bytes(_ name: String, _ value: [UInt8]) {
        let buffer = copy(value)
        // The builder refuses an address of nil even for no bytes.
        OSSL_PARAM_BLD_push_octet_string(builder, key(name), buffer.baseAddress, value.count)
    }

    func number(_ name: String, _ value: UInt64) { OSSL_PARAM_BLD_push_uint64(builder, key(name), value) }

    func text(_ name: String, _ value: String) {
        let buffer = copy(Array(value.utf8) + [0])
        OSSL_PARAM_BLD_push_utf8_string(builder, key(name), buffer.assumingMemoryBound(to: CChar.self).baseAddress, 0)
    }

    func make() -> UnsafeMutablePointer<OSSL_PARAM>? { OSSL_PARAM_BLD_to_param(builder) }

    /// Overwrites the copies in a list, which the library only frees.
    static func wipe(_ parameters: UnsafeMutablePointer<OSSL_PARAM>) {
        var cursor = parameters
        while cursor.pointee.key != nil {
            OPENSSL_cleanse(cursor.pointee.data, cursor.pointee.data_size)
            cursor += 1
        }
    }

    /// The list keeps the address of a name, not the name.
    private func key(_ name: String) -> UnsafePointer<CChar>? {
        UnsafePointer(copy(Array(name.utf8) + [0]).assumingMemoryBound(to: CChar.self).baseAddress)
    }

    private func copy(_ value: [UInt8]) -> UnsafeMutableRawBufferPointer {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, value.count), alignment: 16)
        buffer.copyBytes(from: value)
        kept.buffers.append(buffer)
        return buffer
    }

    deinit { OSSL_PARAM_BLD_free(builder) }
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
