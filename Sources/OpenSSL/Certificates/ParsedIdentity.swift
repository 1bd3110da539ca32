internal import COpenSSL

/// A leaf certificate and its key, as the library uses them. They take ten times the memory that they take encoded.
struct ParsedIdentity: ~Copyable {
    let leaf: OpaquePointer
    let key: OpaquePointer

    init(leaf leafBytes: [UInt8], key encodedKey: EncodedKey) throws(OpenSSLError) {
        let leaf = try Self.certificate(leafBytes)
        guard let key = encodedKey.decoded() else {
            X509_free(leaf)
            throw OpenSSLError(.noKey, "the private key in it is damaged")
        }
        self.leaf = leaf
        self.key = key
    }

    deinit {
        X509_free(leaf)
        EVP_PKEY_free(key)
    }

    /// The caller's to free.
    static func certificate(_ der: [UInt8]) throws(OpenSSLError) -> OpaquePointer {
        let certificate = der.withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            return d2i_X509(nil, &place, buffer.count)
        }
        guard let certificate else { throw OpenSSLError(.noCertificate, "a certificate in it is damaged") }
        return certificate
    }
}
