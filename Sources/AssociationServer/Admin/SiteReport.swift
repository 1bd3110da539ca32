/// How it is with one site.
package struct SiteReport: Sendable {
    /// `example.com`, or `*.example.com` for a wildcard.
    package var domain: String
    /// Its place in a `LoopReport`.
    package var number: Int
    package var state: LoadedSite.State
    /// Of the file that is served; `nil` if there is none.
    package var sha256: String?
    /// The length of that file.
    package var bytes: Int?
    /// When that file was loaded, in seconds since 1970.
    package var loadedAt: Int64?
    /// What is wrong with the present files.
    package var lastError: SiteError?
    /// What clients of the site are shown; of several the one that ends first. `nil` if no certificate covers the site.
    package var certificate: CertificateReport?
    /// The names of the other files that are served, sorted.
    package var files: [String]
    /// How many errors and warnings the present files have.
    package var findings: Int

    package init(
        domain: String, number: Int, state: LoadedSite.State, sha256: String? = nil, bytes: Int? = nil,
        loadedAt: Int64? = nil,
        lastError: SiteError? = nil, certificate: CertificateReport? = nil, files: [String] = [], findings: Int = 0
    ) {
        self.domain = domain
        self.number = number
        self.state = state
        self.sha256 = sha256
        self.bytes = bytes
        self.loadedAt = loadedAt
        self.lastError = lastError
        self.certificate = certificate
        self.files = files
        self.findings = findings
    }
}
