/// A certificate under one of its names.
package struct CertificateReport: Equatable, Sendable {
    /// `example.com` or `*.example.com`, as in the certificate.
    package let name: String
    /// For example `ECDSA`.
    package let keyType: String
    /// The last second in which it is valid, since 1970.
    package let notAfter: Int64
    /// That it was read from.
    package let folder: String

    package init(name: String, keyType: String, notAfter: Int64, folder: String) {
        self.name = name
        self.keyType = keyType
        self.notAfter = notAfter
        self.folder = folder
    }
}
