internal import COpenSSL

/// A leaf certificate and its key, as the library uses them. They take ten times the memory that they take encoded.
///
/// It never changes after it was made, so all threads may use it.
final class ParsedIdentity: @unchecked Sendable {
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

    /// Shares what is read already.
    init(sharing certificate: X509Certificate, _ privateKey: PrivateKey) {
        X509_up_ref(certificate.pointer)
        EVP_PKEY_up_ref(privateKey.pointer)
        (leaf, key) = (certificate.pointer, privateKey.pointer)
    }

    /// - Parameter certificate: is taken over.
    init(taking certificate: OpaquePointer, _ privateKey: PrivateKey) {
        EVP_PKEY_up_ref(privateKey.pointer)
        (leaf, key) = (certificate, privateKey.pointer)
    }

    deinit {
        X509_free(leaf)
        EVP_PKEY_free(key)
    }

    /// Adds both and the chain to a context or a session.
    ///
    /// - Parameter use: `SSL_CTX_use_cert_and_key` or `SSL_use_cert_and_key`.
    func add(
        _ issuers: [IssuerCertificate], to pointer: OpaquePointer,
        with use: (OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
    ) throws(OpenSSLError) {
        let chain = c_sk_X509_new_null()
        defer { c_sk_X509_free(chain) }
        for issuer in issuers { c_sk_X509_push(chain, issuer.pointer) }
        guard use(pointer, leaf, key, chain) == 1 else {
            throw OpenSSLError(.rejected, "TLS does not accept this certificate")
        }
    }

    /// The caller's to free.
    static func certificate(_ der: [UInt8]) throws(OpenSSLError) -> OpaquePointer {
        guard let certificate = DER.read(der[...], { d2i_X509(nil, &$0, $1) }) else {
            throw OpenSSLError(.noCertificate, "a certificate in it is damaged")
        }
        return certificate
    }
}

/// A private key in DER, as small as it is in its file, with what has to be known to read it quickly.
struct EncodedKey: Sendable {
    /// The number of the algorithm.
    private let type: Int32
    private let content: SecretBytes

    /// - Parameters:
    ///   - label: of the PEM block.
    ///   - content: is taken over.
    /// - Returns: `nil` for an encrypted key or an unknown algorithm.
    init?(label: String, taking content: inout [UInt8]) {
        guard let type = Self.type(label, content) else {
            SecretBytes.wipe(&content)
            return nil
        }
        self.type = type
        self.content = SecretBytes(taking: &content)
    }

    /// - Returns: `nil` if the library cannot encode it.
    init?(_ key: PrivateKey) {
        guard let content = key.pkcs8 else { return nil }
        type = EVP_PKEY_get_base_id(key.pointer)
        self.content = content
    }

    private static func type(_ label: String, _ content: [UInt8]) -> Int32? {
        switch label {
        case PEM_STRING_RSA: EVP_PKEY_RSA
        case PEM_STRING_ECPRIVATEKEY: EVP_PKEY_EC
        case PEM_STRING_PKCS8INF: algorithm(pkcs8: content)
        default: nil
        }
    }

    /// The algorithm of a `PrivateKeyInfo` (RFC 5958).
    private static func algorithm(pkcs8 content: [UInt8]) -> Int32? {
        guard let information = DER.read(content[...], { d2i_PKCS8_PRIV_KEY_INFO(nil, &$0, $1) }) else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        var algorithm: OpaquePointer?
        guard PKCS8_pkey_get0(&algorithm, nil, nil, nil, information) == 1 else { return nil }
        return OBJ_obj2nid(algorithm)
    }

    /// The caller's to free; `nil` if it is damaged.
    ///
    /// - Parameter context: `nil` for the library's own.
    func decoded(in context: LibraryContext? = nil) -> OpaquePointer? {
        content.withBytes { content in
            // Given the algorithm, the library need not try them all: a third of the time.
            DER.read(content[...]) { d2i_PrivateKey_ex(type, nil, &$0, $1, context?.pointer, nil) }
        }
    }
}

/// A certificate of a chain that is not a leaf. Many chains share one.
///
/// It never changes after it was made, so all threads may use it.
final class IssuerCertificate: @unchecked Sendable {
    let der: [UInt8]
    let pointer: OpaquePointer

    init(der: [UInt8]) throws(OpenSSLError) {
        pointer = try ParsedIdentity.certificate(der)
        self.der = der
    }

    init(sharing certificate: X509Certificate) {
        X509_up_ref(certificate.pointer)
        (pointer, der) = (certificate.pointer, certificate.der)
    }

    deinit { X509_free(pointer) }
}
