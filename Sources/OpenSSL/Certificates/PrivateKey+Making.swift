internal import COpenSSL

extension PrivateKey {
    /// - Throws: `OpenSSLError.Code.setUp` if the library cannot.
    package static func makeRSA(bits: Int, in context: LibraryContext) throws(OpenSSLError) -> PrivateKey {
        ErrorQueue.clear()
        guard let key = c_EVP_RSA_gen(context.pointer, bits) else {
            throw OpenSSLError(.setUp, "an RSA key cannot be made")
        }
        return PrivateKey(adopting: key, in: context)
    }

    /// - Throws: `OpenSSLError.Code.setUp` if the library cannot.
    package static func makeP256(in context: LibraryContext) throws(OpenSSLError) -> PrivateKey {
        ErrorQueue.clear()
        guard let key = c_EVP_EC_gen(context.pointer, "P-256") else {
            throw OpenSSLError(.setUp, "an EC key cannot be made")
        }
        return PrivateKey(adopting: key, in: context)
    }

    /// The public key as `SubjectPublicKeyInfo` in DER (RFC 5280, section 4.1.2.7).
    package var publicKeyInfo: [UInt8] {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(pointer, &start)
        guard count > 0, let start else { return [] }
        defer { c_OPENSSL_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// The key as PKCS #8 `PrivateKeyInfo` in DER, not encrypted.
    package var pkcs8: SecretBytes? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let information = EVP_PKEY2PKCS8(pointer) else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        let count = i2d_PKCS8_PRIV_KEY_INFO(information, nil)
        guard count > 0 else { return nil }
        return SecretBytes(capacity: Int(count)) { buffer in
            var place = buffer.baseAddress
            return i2d_PKCS8_PRIV_KEY_INFO(information, &place) == count ? Int(count) : nil
        }
    }
}
