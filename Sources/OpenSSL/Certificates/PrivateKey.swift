internal import BoundedText
internal import COpenSSL
internal import SystemSupport

/// A private key. It never changes after it was made, so all threads may use it; its memory is wiped by the library.
package final class PrivateKey: @unchecked Sendable {
    let pointer: OpaquePointer
    package let context: LibraryContext
    /// The key as PKCS #8, once it was asked for: encoding takes longer than most that is done with the result.
    private let encoded = Locked<SecretBytes?>(nil)

    init(adopting pointer: OpaquePointer, in context: LibraryContext) {
        self.pointer = pointer
        self.context = context
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Reads a PKCS #8 `PrivateKeyInfo` in DER (RFC 5958); nil if it is damaged or of an unknown kind.
    package convenience init?(pkcs8 bytes: ArraySlice<UInt8>, in context: LibraryContext) {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let information = DER.read(bytes, { d2i_PKCS8_PRIV_KEY_INFO(nil, &$0, $1) }) else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        guard let key = EVP_PKCS82PKEY_ex(information, context.pointer, nil) else { return nil }
        self.init(adopting: key, in: context)
    }

    /// The forms that name no algorithm themselves, as they stand in PEM.
    package enum TraditionalForm: Sendable {
        /// RFC 8017, appendix A.1.2.
        case rsa
        /// RFC 5915.
        case ec
        case dsa

        fileprivate var number: Int32 {
            switch self {
            case .rsa: EVP_PKEY_RSA
            case .ec: EVP_PKEY_EC
            case .dsa: EVP_PKEY_DSA
            }
        }
    }

    /// Reads a key in DER in the form of its algorithm; nil if it is damaged.
    package convenience init?(_ form: TraditionalForm, der bytes: ArraySlice<UInt8>, in context: LibraryContext) {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        let key = DER.read(bytes) { d2i_PrivateKey_ex(form.number, nil, &$0, $1, context.pointer, nil) }
        guard let key else { return nil }
        self.init(adopting: key, in: context)
    }

    /// The algorithm as the library names it, like `RSA` or `EC`, and the size in bits.
    package var kind: (algorithm: String, bits: Int) {
        (EVP_PKEY_get0_type_name(pointer).map { String(cText: $0) } ?? "unknown", Int(EVP_PKEY_get_bits(pointer)))
    }

    /// Whether it is an elliptic curve key on P-256.
    package var isP256: Bool { curve(of: pointer) == SN_X9_62_prime256v1 }

    /// Whether its public key is that of the certificate.
    package func belongs(to certificate: X509Certificate) -> Bool {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let key = X509_get0_pubkey(certificate.pointer) else { return false }
        return EVP_PKEY_eq(key, pointer) == 1
    }

    /// A signature of a message by the digest of a name, like `SHA256`; nil if the key cannot sign so.
    package func signature(of message: [UInt8], digest: String) -> [UInt8]? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let state = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(state) }
        var count = 0
        guard EVP_DigestSignInit_ex(state, nil, digest, context.pointer, nil, pointer, nil) == 1,
            EVP_DigestSign(state, nil, &count, message, message.count) == 1
        else { return nil }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(state, &signature, &count, message, message.count) == 1 else { return nil }
        return Array(signature.prefix(count))
    }
}

extension PrivateKey {
    /// - Throws: `OpenSSLError.Code.setUp` if the library cannot.
    package static func makeRSA(bits: Int, in context: LibraryContext) throws(OpenSSLError) -> PrivateKey {
        try make("an RSA key", in: context) { c_EVP_RSA_gen($0, bits) }
    }

    /// - Throws: `OpenSSLError.Code.setUp` if the library cannot.
    package static func makeP256(in context: LibraryContext) throws(OpenSSLError) -> PrivateKey {
        try make("an EC key", in: context) { c_EVP_EC_gen($0, "P-256") }
    }

    /// - Throws: `OpenSSLError.Code.setUp` if the library cannot.
    package static func makeP384(in context: LibraryContext) throws(OpenSSLError) -> PrivateKey {
        try make("an EC key", in: context) { c_EVP_EC_gen($0, "P-384") }
    }

    private static func make(
        _ what: String, in context: LibraryContext, _ generate: (OpaquePointer) -> OpaquePointer?
    ) throws(OpenSSLError) -> PrivateKey {
        ErrorQueue.clear()
        guard let key = generate(context.pointer) else { throw OpenSSLError(.setUp, "\(what) cannot be made") }
        return PrivateKey(adopting: key, in: context)
    }

    /// The public key as `SubjectPublicKeyInfo` in DER (RFC 5280, section 4.1.2.7).
    package var publicKeyInfo: [UInt8] {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        return DER.bytes { i2d_PUBKEY(pointer, &$0) } ?? []
    }

    /// The key as PKCS #8 `PrivateKeyInfo` in DER, not encrypted.
    package var pkcs8: SecretBytes? {
        encoded.withLock { encoded in
            if encoded == nil { encoded = encode() }
            return encoded
        }
    }

    private func encode() -> SecretBytes? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let information = EVP_PKEY2PKCS8(pointer) else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        let count = i2d_PKCS8_PRIV_KEY_INFO(information, nil)
        guard count > 0 else { return nil }
        return SecretBytes(capacity: Int(count)) { buffer in
            var cursor = buffer.baseAddress
            return i2d_PKCS8_PRIV_KEY_INFO(information, &cursor) == count ? Int(count) : nil
        }
    }
}

extension PrivateKey {
    /// Reads the first private key of a PEM text, in any form but an encrypted one.
    ///
    /// - Throws: `OpenSSLError.Code.noKey` or `.encryptedKey`.
    package convenience init(pem text: [UInt8], in context: LibraryContext) throws(OpenSSLError) {
        guard let key = try PEMText.privateKey(text).decoded(in: context) else {
            throw OpenSSLError(.noKey, "the private key in it is damaged")
        }
        self.init(adopting: key, in: context)
    }

    /// The key as PKCS #8 in PEM, not encrypted; nil if the library cannot encode it.
    package var pem: SecretBytes? { pkcs8.flatMap { PEMText.block("PRIVATE KEY", $0) } }
}

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
        guard let bytes = DER.bytes({ i2d_X509_SIG(encrypted, &$0) }) else {
            throw OpenSSLError(.setUp, "the private key cannot be encoded")
        }
        return bytes
    }
}

extension PrivateKey {
    /// Puts its public half into a request. `X509_REQ_set_pubkey` encodes it and reads it again, which takes longer than
    /// making the key; for an EC key on a curve with a name there is nothing to encode but its point.
    func setPublicKey(of request: OpaquePointer) -> Bool {
        var point: UnsafeMutablePointer<UInt8>?
        guard let name = curve(of: pointer), case let curve = OBJ_sn2nid(name), curve != NID_undef,
            case let count = EVP_PKEY_get1_encoded_public_key(pointer, &point), count > 0
        else {
            ERR_clear_error()
            return X509_REQ_set_pubkey(request, pointer) == 1
        }
        // Taken over if that succeeds.
        if X509_PUBKEY_set0_param(
            X509_REQ_get_X509_PUBKEY(request), OBJ_nid2obj(NID_X9_62_id_ecPublicKey), V_ASN1_OBJECT,
            OBJ_nid2obj(curve).map(UnsafeMutableRawPointer.init), point, Int32(count)) == 1
        {
            return true
        }
        c_OPENSSL_free(point)
        return false
    }
}

/// The elliptic curve of a key by OpenSSL's name; nil for a key that is on none, or on one without a name.
func curve(of key: OpaquePointer) -> String? {
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return nil }
    ErrorQueue.clear()
    defer { ERR_clear_error() }
    var name = [CChar](repeating: 0, count: 80)
    guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return nil }
    return String(text: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
}

// The values by which a key is found among many without comparing it with each: the numbers in it, which do not depend on
// how a key is encoded. Two keys that are the same have the same; the opposite is for the library to say.

extension X509Certificate {
    /// Nil if the public key is of an unknown kind.
    package var publicKeyIdentity: [UInt8]? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        return X509_get0_pubkey(pointer).flatMap(identity)
    }
}

extension PrivateKey {
    /// The identity of its public half; nil if it cannot be computed.
    package var publicKeyIdentity: [UInt8]? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        return identity(pointer)
    }
}

private func identity(_ key: OpaquePointer) -> [UInt8]? {
    // The modulus of RSA, the point of an elliptic curve, the number of DSA and Diffie-Hellman.
    for name in [OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_EC_PUB_X, OSSL_PKEY_PARAM_PUB_KEY] {
        if let number = number(name, of: key) { return number }
    }
    var count = 0
    guard EVP_PKEY_get_raw_public_key(key, nil, &count) == 1, count > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 else { return nil }
    return Array(bytes.prefix(count))
}

private func number(_ name: String, of key: OpaquePointer) -> [UInt8]? {
    var value: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &value) == 1, let value else { return nil }
    defer { BN_free(value) }
    var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(value) + 7) / 8)
    return BN_bn2bin(value, &bytes) >= 0 ? bytes : nil
}

// The parts of a key that JSON Web Signatures need (RFC 7518, sections 3.4 and 6.2).

extension PrivateKey {
    /// The length of a coordinate of P-256, and of each half of a signature, in bytes.
    private static let coordinateBytes = 32

    /// The coordinates of the public key on P-256, 32 bytes each; nil for another key.
    package var p256Point: (x: [UInt8], y: [UInt8])? {
        guard isP256 else { return nil }
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let x = coordinate(OSSL_PKEY_PARAM_EC_PUB_X), let y = coordinate(OSSL_PKEY_PARAM_EC_PUB_Y) else {
            return nil
        }
        return (x, y)
    }

    /// A signature as ES256 has it: r and s, 32 bytes each, without DER around them; nil for a key that is not on P-256.
    package func es256Signature(of message: [UInt8]) -> [UInt8]? {
        guard isP256, let der = signature(of: message, digest: "SHA256") else { return nil }
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let parsed = DER.read(der[...], { d2i_ECDSA_SIG(nil, &$0, $1) }) else { return nil }
        defer { ECDSA_SIG_free(parsed) }
        guard let r = Self.padded(ECDSA_SIG_get0_r(parsed)), let s = Self.padded(ECDSA_SIG_get0_s(parsed)) else {
            return nil
        }
        return r + s
    }

    private func coordinate(_ name: String) -> [UInt8]? {
        var value: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &value) == 1, let value else { return nil }
        defer { BN_free(value) }
        return Self.padded(value)
    }

    /// The number with zeros before it: numbers are as long as they happen to be.
    private static func padded(_ number: OpaquePointer?) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: coordinateBytes)
        return BN_bn2binpad(number, &bytes, Int32(coordinateBytes)) == coordinateBytes ? bytes : nil
    }
}
