internal import COpenSSL
internal import SystemSupport

/// The keys that session tickets are encrypted with (RFC 5077, section 4), shared by all contexts of a server.
///
/// A new key is made every hour; tickets of the three youngest are accepted. Keys live in memory only.
package final class TicketKeys: Sendable {
    /// In seconds.
    package static let lifetime: Int64 = 3_600
    package static let kept = 3

    package struct Key: Sendable {
        static let nameCount = 16
        package let name: [UInt8]
        // Wiped when the key is dropped: a memory dump of later opens no session of earlier.
        let cipherKey: SecretBytes
        let macKey: SecretBytes
        let madeAt: Int64

        fileprivate init(madeAt: Int64) throws(OpenSSLError) {
            self.madeAt = madeAt
            name = try SecureRandom.bytes(Self.nameCount)
            cipherKey = try Self.secret()
            macKey = try Self.secret()
        }

        private static func secret() throws(OpenSSLError) -> SecretBytes {
            var bytes = try SecureRandom.bytes(32)
            return SecretBytes(taking: &bytes)
        }
    }

    /// The youngest first.
    private let keys: Locked<[Key]>
    private let now: @Sendable () -> Int64

    /// - Parameter now: seconds on a clock that never goes back.
    package init(now: @escaping @Sendable () -> Int64) throws(OpenSSLError) {
        // A process with these keys is a server, whose threads do not end before it does.
        _ = LibraryLifetime.lastsToTheEnd
        self.now = now
        keys = Locked([try Key(madeAt: now())])
    }

    /// The key for new tickets.
    package func current() -> Key? {
        keys.withLock { keys in
            renewIfDue(&keys)
            return keys.first
        }
    }

    /// The key of that name, and whether its tickets should be replaced; `nil` if it is none of the kept ones.
    package func key(named name: UnsafeBufferPointer<UInt8>) -> (key: Key, isOld: Bool)? {
        keys.withLock { keys in
            renewIfDue(&keys)
            guard let index = keys.firstIndex(where: { $0.name.elementsEqual(name) }) else { return nil }
            return (keys[index], index > 0)
        }
    }

    private func renewIfDue(_ keys: inout [Key]) {
        let time = now()
        if keys.first.map({ time - $0.madeAt >= Self.lifetime }) ?? true, let key = try? Key(madeAt: time) {
            keys.insert(key, at: 0)
        }
        // By age and not by number: in hours in which nobody comes no key is made.
        while let oldest = keys.last, time - oldest.madeAt >= Self.lifetime * Int64(Self.kept) { keys.removeLast() }
    }
}

/// Encrypts and decrypts tickets for libssl: AES-256-CBC and HMAC-SHA-256.
enum TicketCallback {
    nonisolated(unsafe) private static let cipher = EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)

    /// 1: done; 2: done, and the client shall get a new ticket; 0: unknown key; below: failed.
    static let function:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?,
            Int32
        ) -> Int32 = { ssl, name, vector, cipherContext, macContext, isEncrypting in
            guard let ssl, let name, let vector, let context = SSL_get_SSL_CTX(ssl),
                let keys = TLSContext.ticketKeys(of: context)
            else { return -1 }
            return isEncrypting == 1
                ? encrypt(keys, name, vector, cipherContext, macContext)
                : decrypt(
                    keys, name, vector, cipherContext, macContext, isSingleUse: SSL_version(ssl) == TLS1_3_VERSION)
        }

    private static func encrypt(
        _ keys: TicketKeys, _ name: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>,
        _ cipherContext: OpaquePointer?, _ macContext: OpaquePointer?
    ) -> Int32 {
        guard let key = keys.current(), RAND_bytes(vector, 16) == 1 else { return -1 }
        name.update(from: key.name, count: TicketKeys.Key.nameCount)
        guard key.cipherKey.withBytes({ EVP_EncryptInit_ex2(cipherContext, cipher, $0, vector, nil) }) == 1,
            authenticate(macContext, key)
        else { return -1 }
        return 1
    }

    private static func decrypt(
        _ keys: TicketKeys, _ name: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>,
        _ cipherContext: OpaquePointer?, _ macContext: OpaquePointer?, isSingleUse: Bool
    ) -> Int32 {
        let wanted = UnsafeBufferPointer(start: name, count: TicketKeys.Key.nameCount)
        guard let (key, isOld) = keys.key(named: wanted) else { return 0 }
        guard key.cipherKey.withBytes({ EVP_DecryptInit_ex2(cipherContext, cipher, $0, vector, nil) }) == 1,
            authenticate(macContext, key)
        else { return -1 }
        // A client of TLS 1.3 uses a ticket once (RFC 8446, appendix C.4), so it needs the next one.
        return isOld || isSingleUse ? 2 : 1
    }

    private static func authenticate(_ context: OpaquePointer?, _ key: TicketKeys.Key) -> Bool {
        // A parameter keeps the addresses of its name and its value: neither may be a temporary.
        let name = Array(OSSL_MAC_PARAM_DIGEST.utf8CString)
        var digest = Array("SHA256".utf8CString)
        return name.withUnsafeBufferPointer { name in
            digest.withUnsafeMutableBufferPointer { digest in
                var parameters = [
                    OSSL_PARAM_construct_utf8_string(name.baseAddress, digest.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return key.macKey.withBytes { EVP_MAC_init(context, $0, $0.count, &parameters) } == 1
            }
        }
    }
}
