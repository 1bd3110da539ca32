/// A site with the association file that it serves now.
package struct ServedSite: Sendable {
    package struct File: Sendable {
        package let sha256: String
        package let bytes: [UInt8]

        package init(sha256: String, bytes: [UInt8]) {
            self.sha256 = sha256
            self.bytes = bytes
        }
    }

    /// `example.com`, or `*.example.com` for a wildcard.
    package let domain: String
    /// `nil` if the site never had a good one.
    package let file: File?

    package init(domain: String, file: File?) {
        self.domain = domain
        self.file = file
    }
}
