internal import COpenSSL

// What finds a key among many without comparing it with each: the numbers in it, which do not depend on how a key is
// encoded. Two keys that are the same have the same; the opposite is for the library to say.

extension X509Certificate {
    /// Nil if the public key is of an unknown kind.
    package var publicKeyIdentity: [UInt8]? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        return X509_get0_pubkey(pointer).flatMap(identity)
    }
}

extension PrivateKey {
    /// Of its public half; nil if that cannot be told.
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
