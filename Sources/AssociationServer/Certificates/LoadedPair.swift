internal import OpenSSL

/// A certificate with its chain and key as they are on disk.
struct LoadedPair: Sendable {
    /// The folder.
    let path: String
    let certificate: ServerCertificate
    /// Of the contents of both files.
    let digest: [UInt8]
    /// Whether it was read earlier, and the present files cannot be used.
    var isKept = false

    /// The pair, for want of a better one.
    var kept: LoadedPair {
        var pair = self
        pair.isKept = true
        return pair
    }
}
