internal import OpenSSL
internal import SystemSupport

/// The certificates above the leaves that one CA has sent: most of its chains have the same, which are read once.
package final class KnownIssuers: Sendable {
    private static let limit = 8

    private let recent = Locked<[X509Certificate]>([])

    package init() {}

    /// - Throws: `OpenSSLError.Code.noCertificate`.
    func certificate(_ der: [UInt8], in context: LibraryContext) throws(OpenSSLError) -> X509Certificate {
        if let known = recent.withLock({ $0.first { $0.der == der } }) { return known }
        let certificate = try X509Certificate(der: der[...], in: context)
        recent.withLock { recent in
            if recent.count == Self.limit { recent.removeFirst() }
            recent.append(certificate)
        }
        return certificate
    }
}
