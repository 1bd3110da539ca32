internal import COpenSSL
internal import Glibc

/// Roots that are trusted: the system's, and further ones.
///
/// One serves a whole process: to read the system's roots costs more than a handshake. Those in a folder with hashed
/// names are read when a chain first needs them. All threads may use it.
package final class TrustStore: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Whether the system has any: without the package `ca-certificates` no chain is good.
    package let hasSystemRoots: Bool

    /// - Parameters:
    ///   - includesSystem: whether the system's roots are trusted.
    ///   - additional: a PEM text with certificates that are trusted, too.
    /// - Throws: `OpenSSLError.Code.noCertificate` if there is none in the text, or a damaged one.
    package init(includesSystem: Bool = true, additional: [UInt8]? = nil) throws(OpenSSLError) {
        _ = LibraryLifetime.lastsToTheEnd
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        guard let store = X509_STORE_new() else { throw OpenSSLError(.setUp, "out of memory") }
        pointer = store
        hasSystemRoots = includesSystem && Self.addSystemRoots(to: store)
        // Whoever is trusted need not be a root, as with curl.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_TRUSTED_FIRST))
        guard let additional else { return }
        let certificates = try PEMReader.certificates(additional)
        guard !certificates.isEmpty else {
            throw OpenSSLError(.noCertificate, "it contains no certificate in PEM form")
        }
        for der in certificates {
            let certificate = try ParsedIdentity.certificate(der)
            defer { X509_free(certificate) }
            guard X509_STORE_add_cert(store, certificate) == 1 else {
                throw OpenSSLError(.noCertificate, "a certificate in it cannot be used")
            }
        }
    }

    deinit { X509_STORE_free(pointer) }

    /// From where this OpenSSL looks for them by itself; the environment has no say.
    private static func addSystemRoots(to store: OpaquePointer) -> Bool {
        if let folder = X509_get_default_cert_dir(), hasHashedNames(folder), X509_STORE_load_path(store, folder) == 1 {
            return true
        }
        guard let file = X509_get_default_cert_file() else { return false }
        return X509_STORE_load_file(store, file) == 1
    }

    /// Whether a folder has names as `openssl rehash` gives them, like `002c0b4f.0`.
    private static func hasHashedNames(_ path: UnsafePointer<CChar>) -> Bool {
        guard let folder = opendir(path) else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let isHashed = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name[..<8].allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 } && name[8] == UInt8(ascii: ".")
                    && 0x30...0x39 ~= name[9]
            }
            if isHashed { return true }
        }
        return false
    }

    /// Has the connections of an `SSL_CTX` that another library owns verified against this store, and a stream that
    /// ends without `close_notify` taken for one that ends: whether all has come is for the protocol above to say.
    ///
    /// - Parameter context: an `SSL_CTX *`.
    /// - Returns: whether it was done.
    package func install(inTLSContext context: UnsafeMutableRawPointer) -> Bool {
        let context = OpaquePointer(context)
        SSL_CTX_set1_cert_store(context, pointer)
        c_SSL_CTX_ignore_unexpected_eof(context)
        return true
    }
}
