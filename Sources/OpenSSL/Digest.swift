internal import COpenSSL

/// SHA-256 (FIPS 180-4).
package enum SHA256Digest {
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(bytes, bytes.count, &digest)
        return digest
    }
}

/// The library's random generator.
package enum SecureRandom {
    /// - Throws: `OpenSSLError.Code.setUp` if the system gives no randomness.
    package static func bytes(_ count: Int) throws(OpenSSLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw OpenSSLError(.setUp, "no random bytes") }
        return bytes
    }
}
