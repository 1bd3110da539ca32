internal import COpenSSL

// What JSON Web Signatures need of a key (RFC 7518, sections 3.4 and 6.2).

extension PrivateKey {
    /// How long a coordinate of P-256 is, and each half of a signature.
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
        let parsed = der.withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &place, buffer.count)
        }
        guard let parsed else { return nil }
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

    /// With zeros before it: the numbers are as long as they happen to be.
    private static func padded(_ number: OpaquePointer?) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: coordinateBytes)
        return BN_bn2binpad(number, &bytes, Int32(coordinateBytes)) == coordinateBytes ? bytes : nil
    }
}
