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

/// HMAC (RFC 2104).
package enum MessageAuthentication {
    /// The code; nil if the library does not know the digest.
    ///
    /// - Parameter digest: A name or an object identifier in dots.
    package static func hmac(
        _ message: some Collection<UInt8>, key: SecretBytes, digest: String, in context: LibraryContext
    ) -> [UInt8]? {
        // Lends arrays and slices; copies others.
        let lent = message.withContiguousStorageIfAvailable { hmac($0, key: key, digest: digest, in: context) }
        return lent ?? Array(message).withUnsafeBufferPointer { hmac($0, key: key, digest: digest, in: context) }
    }

    private static func hmac(
        _ message: UnsafeBufferPointer<UInt8>, key: SecretBytes, digest: String, in context: LibraryContext
    ) -> [UInt8]? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        // Fetched first, as the old digests are only found so.
        guard context.hasDigest(digest) else { return nil }
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        let result = key.withBytes { key in
            EVP_Q_mac(
                context.pointer, "HMAC", nil, digest, nil, key, key.count, message.baseAddress, message.count, &code,
                code.count, &count)
        }
        return result == nil ? nil : Array(code.prefix(count))
    }

    /// Compares in a time that does not depend on the bytes.
    package static func isEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        let (left, right) = (Array(left), Array(right))
        return left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
