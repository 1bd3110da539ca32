internal import OpenSSL

/// A certificate with its chain and key as they are on disk.
struct LoadedPair: Sendable {
    /// What both files looked like from outside when they were read.
    struct Stamps: Equatable, Sendable {
        let chain: FileStamp
        let key: FileStamp

        /// - Parameter now: when they were taken, in seconds since 1970.
        /// - Returns: `nil` if the files can change without changing them.
        init?(_ chain: FileStamp, _ key: FileStamp, at now: Int64) {
            guard chain.isConclusive(at: now), key.isConclusive(at: now) else { return nil }
            self.chain = chain
            self.key = key
        }
    }

    /// The folder.
    let path: String
    let certificate: ServerCertificate
    /// Of the contents of both files.
    let digest: [UInt8]
    /// `nil` if the files can change without changing them.
    let stamps: Stamps?
    /// What everybody on the machine may do with the files.
    let exposure: PairExposure
    /// Whether it was read earlier, and the present files cannot be used.
    var isKept = false

    /// The pair, for want of a better one.
    var kept: LoadedPair {
        var pair = self
        pair.isKept = true
        return pair
    }

    var chainPath: String { "\(path)/\(CertificateLoader.chainName)" }
    var keyPath: String { "\(path)/\(CertificateLoader.keyName)" }

    /// Whether it is the same pair to clients and to whoever looks at the server.
    func isSame(as other: LoadedPair) -> Bool {
        path == other.path && certificate === other.certificate && digest == other.digest && isKept == other.isKept
            && exposure == other.exposure
    }
}
