internal import COpenSSL

/// Checks signatures and computes hashes in tests, apart from the code that is tested.
package enum SampleVerifier {
    package static func sha256(_ message: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 32)
        SHA256(message, message.count, &hash)
        return hash
    }

    package static func hmacSHA256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        HMAC(EVP_sha256(), key, Int32(truncatingIfNeeded: key.count), message, message.count, &code, nil)
        return code
    }

    /// Whether a signature with SHA-256 is that of a key.
    ///
    /// - Parameters:
    ///   - signature: in DER, if the key is on an elliptic curve.
    ///   - publicKeyInfo: `SubjectPublicKeyInfo`.
    package static func isSigned(_ message: [UInt8], _ signature: [UInt8], publicKeyInfo: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let key = parsed(publicKeyInfo, d2i_PUBKEY) else { return false }
        defer { EVP_PKEY_free(key) }
        guard let state = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(state) }
        return EVP_DigestVerifyInit(state, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(state, signature, signature.count, message, message.count) == 1
    }

    /// Whether a certification request in DER is signed by the key in it.
    package static func isSignedRequest(_ der: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let request = parsed(der, d2i_X509_REQ) else { return false }
        defer { X509_REQ_free(request) }
        return X509_REQ_verify(request, X509_REQ_get0_pubkey(request)) == 1
    }

    /// Whether a certificate in DER is signed by the key in it.
    package static func isSelfSigned(_ der: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let certificate = parsed(der, d2i_X509) else { return false }
        defer { X509_free(certificate) }
        return X509_verify(certificate, X509_get0_pubkey(certificate)) == 1
    }

    /// Whether a certificate in DER is signed by the key in another one.
    package static func isSigned(_ der: [UInt8], by issuer: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let certificate = parsed(der, d2i_X509) else { return false }
        defer { X509_free(certificate) }
        guard let issuer = parsed(issuer, d2i_X509) else { return false }
        defer { X509_free(issuer) }
        return X509_verify(certificate, X509_get0_pubkey(issuer)) == 1
    }

    private static func parsed(
        _ der: [UInt8],
        _ parse: (UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int) ->
            OpaquePointer?
    ) -> OpaquePointer? {
        der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return parse(nil, &position, buffer.count)
        }
    }
}
