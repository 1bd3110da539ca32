/// Where a certificate of a run lies.
public struct CertificatePlace: Sendable, Equatable {
    public let path: String
    /// From 0, in the order of the file.
    public let index: Int

    package init(path: String, index: Int) {
        self.path = path
        self.index = index
    }
}
