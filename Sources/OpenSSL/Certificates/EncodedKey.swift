internal import COpenSSL

/// A private key in DER, as small as it is in its file, with what has to be known to read it quickly.
struct EncodedKey: Sendable {
    /// Of the algorithm.
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
        let information = content.withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            return d2i_PKCS8_PRIV_KEY_INFO(nil, &place, buffer.count)
        }
        guard let information else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(information) }
        var algorithm: OpaquePointer?
        guard PKCS8_pkey_get0(&algorithm, nil, nil, nil, information) == 1 else { return nil }
        return OBJ_obj2nid(algorithm)
    }

    /// The caller's to free; `nil` if it is damaged.
    func decoded() -> OpaquePointer? {
        content.withBytes { content in
            content.withUnsafeBufferPointer { buffer in
                var place = buffer.baseAddress
                // Told the algorithm, the library need not try them all: a third of the time.
                return d2i_PrivateKey(type, nil, &place, buffer.count)
            }
        }
    }
}
