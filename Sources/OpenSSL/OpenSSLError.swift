internal import BoundedText
internal import COpenSSL
internal import SystemSupport

/// An operation that OpenSSL could not do, with the reasons it gave.
package struct OpenSSLError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: Equatable, Sendable {
        /// The text holds no PEM certificate that can be read.
        case noCertificate
        /// The text holds no PEM private key that can be read.
        case noKey
        /// The private key is protected with a password.
        case encryptedKey
        /// The private key belongs to another certificate.
        case keyMismatch
        /// A certificate of the chain was not issued by the one that follows it.
        case chainOrder
        /// The security level in force does not allow this certificate or key.
        case rejected
        /// The library could not be set up.
        case setUp
    }

    package let code: Code
    /// One clause, lower case, without a full stop.
    package let message: String
    /// The reasons in the library's error queue, oldest first, as far as they help.
    package let reasons: [String]
    /// The expectation, or the remedy.
    package internal(set) var help: String?

    /// Takes the thread's error queue, and empties it.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        let drained = ErrorQueue.drain()
        // Here the message says all, and the reasons are those of attempts at other forms.
        reasons = [.encryptedKey, .noKey, .noCertificate].contains(code) ? [] : drained
    }

    package var description: String {
        let problem = reasons.isEmpty ? message : "\(message) (OpenSSL: \(reasons.joined(separator: ", ")))"
        return help.map { "\(problem); \($0)" } ?? problem
    }
}

/// The error queue that OpenSSL keeps for each thread.
enum ErrorQueue {
    /// Empties the queue. What is left in it would be taken for the failure of the next operation.
    @inline(__always)
    static func clear() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    static func drain() -> [String] {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            if let text = ERR_reason_error_string(code) { reasons.append(String(cText: text)) }
        }
        return reasons
    }
}

/// A library context of our own: what is loaded into it, as the old ciphers, disturbs no other user of OpenSSL in the process,
/// and no configuration of the machine changes what it can.
package final class LibraryContext: @unchecked Sendable {
    /// The library in use, like `OpenSSL 3.0.19 27 Jan 2026`.
    package static var version: String { String(cText: OpenSSL_version(OPENSSL_VERSION)) }

    /// The number of the library in use, like `3.0.19`.
    package static var versionNumber: String { String(cText: OpenSSL_version(OPENSSL_VERSION_STRING)) }

    /// The library's name of an object identifier, like `RC2-CBC`; nil if it does not know it.
    package static func name(of objectIdentifier: String) -> String? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        guard let object = OBJ_txt2obj(objectIdentifier, 1) else { return nil }
        defer { ASN1_OBJECT_free(object) }
        let number = OBJ_obj2nid(object)
        guard number != NID_undef else { return nil }
        return OBJ_nid2ln(number).map { String(cText: $0) }
    }

    let pointer: OpaquePointer
    private let standard: OpaquePointer
    /// The provider of the old algorithms: nil until it was asked for; then the result.
    private let legacy = Locked<OpaquePointer??>(nil)

    /// Unused contexts with their providers, for the next caller that needs one. The library must not free
    /// one: a thread that has drawn random numbers in it looks for it once more when it ends, and would crash.
    private static let unused = Locked<[(context: OpaquePointer, standard: OpaquePointer)]>([])

    /// - Throws: `OpenSSLError.Code.setUp` if the library cannot be used at all.
    package init() throws(OpenSSLError) {
        if let (pointer, standard) = Self.unused.withLock({ $0.popLast() }) {
            (self.pointer, self.standard) = (pointer, standard)
            return
        }
        ErrorQueue.clear()
        guard let pointer = OSSL_LIB_CTX_new() else { throw OpenSSLError(.setUp, "no library context") }
        // Loading any provider ends the automatic loading of this one.
        guard let standard = OSSL_PROVIDER_load(pointer, "default") else {
            OSSL_LIB_CTX_free(pointer)
            throw OpenSSLError(.setUp, "the provider 'default' cannot be loaded")
        }
        self.pointer = pointer
        self.standard = standard
    }

    deinit {
        legacy.withLock { legacy in
            if let provider = legacy ?? nil { OSSL_PROVIDER_unload(provider) }
        }
        Self.unused.withLock { [pointer, standard] in $0.append((pointer, standard)) }
    }

    /// Loads the provider of RC2, RC4 and single DES at the first call.
    package var hasLegacyProvider: Bool {
        legacy.withLock { legacy in
            if let provider = legacy { return provider != nil }
            ErrorQueue.clear()
            defer { ERR_clear_error() }
            let provider = OSSL_PROVIDER_load(pointer, "legacy")
            legacy = .some(provider)
            return provider != nil
        }
    }

    /// The caller's to free; nil if the library does not know it. Looks into the old ones only if need be.
    func cipher(_ name: String) -> OpaquePointer? {
        find { EVP_CIPHER_fetch(pointer, name, nil) }
    }

    /// The caller's to free; nil if the library does not know it. Looks into the old ones only if need be.
    func digest(_ name: String) -> OpaquePointer? {
        find { EVP_MD_fetch(pointer, name, nil) }
    }

    package func hasDigest(_ name: String) -> Bool { digestSize(name) != nil }

    /// The size of a digest in bytes; nil if the library does not know it.
    ///
    /// - Parameter name: A name or an object identifier in dots.
    package func digestSize(_ name: String) -> Int? {
        guard let digest = digest(name) else { return nil }
        defer { EVP_MD_free(digest) }
        return Int(EVP_MD_get_size(digest))
    }

    private func find(_ fetch: () -> OpaquePointer?) -> OpaquePointer? {
        ErrorQueue.clear()
        defer { ERR_clear_error() }
        return fetch() ?? (hasLegacyProvider ? fetch() : nil)
    }
}

/// When the library takes itself down.
enum LibraryLifetime {
    /// Has the library stay usable to the very end of the process; of use only before it is used for the first time.
    ///
    /// By itself it takes its tables down when `exit` is called, while other threads may still read a certificate or free a
    /// session: they would crash.
    static let lastsToTheEnd = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
