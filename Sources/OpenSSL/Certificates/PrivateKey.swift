internal import COpenSSL

/// A private key. It never changes after it was made, so all threads may use it; its memory is wiped by the library.
package final class PrivateKey: @unchecked Sendable {
    let pointer: OpaquePointer
    let context: LibraryContext

    init(adopting pointer: OpaquePointer, in context: LibraryContext) {
        self.pointer = pointer
        self.context = context
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Reads a PKCS #8 `PrivateKeyInfo` in DER (RFC 5958); nil if it is damaged or of an unknown kind.
    package convenience init?(pkcs8 bytes: ArraySlice<UInt8>, in context: LibraryContext) {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        let information = bytes.withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            return d2i_PKCS8_PRIV_KEY_INFO(nil, &place, buffer.count)
        }
        guard let information else { return nil }
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
        let key = bytes.withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            return d2i_PrivateKey_ex(form.number, nil, &place, buffer.count, context.pointer, nil)
        }
        guard let key else { return nil }
        self.init(adopting: key, in: context)
    }

    /// The algorithm as the library names it, like `RSA` or `EC`, and the size in bits.
    package var kind: (algorithm: String, bits: Int) {
        (EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) } ?? "unknown", Int(EVP_PKEY_get_bits(pointer)))
    }

    /// Whether it is an elliptic curve key on P-256.
    package var isP256: Bool {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC,
            EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1
        else { return false }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } == SN_X9_62_prime256v1
    }

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
