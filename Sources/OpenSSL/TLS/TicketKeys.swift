internal import COpenSSL
internal import Glibc
internal import SystemSupport

/// The keys that session tickets are encrypted with (RFC 5077, section 4), shared by all contexts of a server.
///
/// A new key is made every hour; tickets of the three youngest are accepted. Keys live in memory only. Several servers can
/// share keys, so that a session of one is resumed at another.
package final class TicketKeys: Sendable {
    /// The lifetime of a key in seconds.
    package static let lifetime: Int64 = 3_600
    package static let kept = 3
    /// The age from which on the youngest shared key is not used any more, in seconds: their source is away.
    package static let freshness: Int64 = 7_200

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

        /// A key that several servers have.
        ///
        /// - Parameters:
        ///   - name: 16 bytes.
        ///   - secret: 64 bytes: 32 for the cipher, then 32 for the authentication.
        ///   - useFrom: when it begins to encrypt, in seconds of the clock of the keys.
        /// - Returns: nil for other lengths.
        package init?(sharedAs name: [UInt8], secret: SecretBytes, useFrom: Int64) {
            guard name.count == Self.nameCount, secret.count == 64 else { return nil }
            self.name = name
            cipherKey = secret.withBytes { SecretBytes($0.prefix(32)) }
            macKey = secret.withBytes { SecretBytes($0.suffix(32)) }
            madeAt = useFrom
        }

        private static func secret() throws(OpenSSLError) -> SecretBytes {
            var bytes = try SecureRandom.bytes(32)
            return SecretBytes(taking: &bytes)
        }
    }

    private struct State {
        /// The keys of this process, the youngest first.
        var own: [Key]
        /// Those that are shared, the youngest first.
        var shared: [Key] = []
    }

    private let state: Locked<State>
    private let now: @Sendable () -> Int64

    /// - Parameter now: seconds on a clock that never goes back.
    package init(now: @escaping @Sendable () -> Int64) throws(OpenSSLError) {
        // A process with these keys is a server, whose threads do not end before it does.
        _ = LibraryLifetime.lastsToTheEnd
        self.now = now
        state = Locked(State(own: [try Key(madeAt: now())]))
    }

    /// Uses shared keys from now on; without any, those of this process alone.
    package func share(_ keys: [Key]) {
        let sorted = keys.sorted { $0.madeAt > $1.madeAt }
        state.withLock { $0.shared = sorted }
    }

    /// The key for new tickets.
    package func current() -> Key? {
        state.withLock { state in
            let time = now()
            if let shared = Self.encrypting(state.shared, at: time) { return shared }
            renewIfDue(&state.own, at: time)
            return state.own.first
        }
    }

    /// The key of that name, and whether its tickets should be replaced; `nil` if it is none of the kept ones.
    package func key(named name: UnsafeBufferPointer<UInt8>) -> (key: Key, isOld: Bool)? {
        state.withLock { state in
            let time = now()
            let shared = Self.encrypting(state.shared, at: time)
            if let key = state.shared.first(where: { $0.name.elementsEqual(name) }) {
                guard time - key.madeAt < Self.lifetime * Int64(Self.kept) else { return nil }
                // One that is yet to come is younger than the one in use.
                return (key, shared.map { key.madeAt < $0.madeAt } ?? true)
            }
            renewIfDue(&state.own, at: time)
            guard let index = state.own.firstIndex(where: { $0.name.elementsEqual(name) }) else { return nil }
            return (state.own[index], index > 0 || shared != nil)
        }
    }

    /// The youngest shared key whose time has come; nil if there is none, or none that is fresh.
    private static func encrypting(_ shared: [Key], at time: Int64) -> Key? {
        guard let key = shared.first(where: { $0.madeAt <= time }), time - key.madeAt < freshness else { return nil }
        return key
    }

    private func renewIfDue(_ keys: inout [Key], at time: Int64) {
        if keys.first.map({ time - $0.madeAt >= Self.lifetime }) ?? true, let key = try? Key(madeAt: time) {
            keys.insert(key, at: 0)
        }
        // By age and not by number: in hours without clients no key is made.
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

    /// HMAC with SHA-256. A parameter keeps the addresses of its name and its value, so these live as long as it.
    nonisolated(unsafe) private static let parameters = {
        let parameters = UnsafeMutablePointer<OSSL_PARAM>.allocate(capacity: 2)
        parameters.initialize(
            to: OSSL_PARAM_construct_utf8_string(strdup(OSSL_MAC_PARAM_DIGEST), strdup("SHA256"), 0))
        (parameters + 1).initialize(to: OSSL_PARAM_construct_end())
        return parameters
    }()

    private static func authenticate(_ context: OpaquePointer?, _ key: TicketKeys.Key) -> Bool {
        key.macKey.withBytes { EVP_MAC_init(context, $0, $0.count, parameters) } == 1
    }
}
