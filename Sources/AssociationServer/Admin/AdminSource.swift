package import ACME
package import Diagnostics
package import ServiceHealth

/// The server as its admin listener sees it.
///
/// All of it is asked for on the admin listener's own loop, which may be made to wait; the loops that serve may not.
package protocol AdminSource: Sendable {
    /// The version of the program, for example `1.2.0`.
    var programVersion: String { get }
    var servingState: ServingState { get }
    /// All sites, by domain.
    var siteReports: [SiteReport] { get }
    /// The certificates that are presented: for each name one of each key type.
    var certificateReports: [CertificateReport] { get }
    /// All pairs of a certificate and its key, by folder.
    var pairReports: [PairReport] { get }
    /// The results of reloads.
    var reloadCounts: ReloadCounts { get }
    /// The lines of the access log that were dropped.
    var droppedLogLines: UInt64 { get }
    /// The state of the certificates that the server gets by itself; `nil` if it does not.
    var issuanceReport: IssuanceReport? { get }
    /// The state of the store that sites come from; `nil` without one.
    var storeReport: StoreReport? { get }

    /// Asks the loops what they have counted since the start, those that have ended included.
    ///
    /// - Returns: `nil` if one of them does not answer within the time.
    func ask(milliseconds: Int) -> [LoopReport]?

    /// The site that answers for a host: that of this name, else the wildcard that covers it.
    ///
    /// - Parameter host: in any case; `*.example.com` is the wildcard itself.
    func servedSite(forHost host: String) -> ServedSite?

    /// The files of a site with what was found in them, as they are now.
    ///
    /// - Parameter domain: `example.com`, or `*.example.com` for a wildcard.
    /// - Returns: `nil` if there is no such site.
    func siteDocuments(of domain: String) -> SiteDocuments?

    /// The parts of the console that commands bring along.
    var consoleFeatures: ConsoleFeatures { get }
    var configuration: ServerConfiguration { get }
    /// All rules, whose codes a request may name.
    var rules: RuleCatalogue { get }
}

/// Whether clients can be sent to the server, in the words of `/readyz`.
package enum ServingState: String, CaseIterable, Sendable {
    case starting
    case ready
    /// No site has a good file.
    case nothingPublished = "nothing published"
    case draining
}

/// The state of one site.
package struct SiteReport: Sendable {
    /// `example.com`, or `*.example.com` for a wildcard.
    package var domain: String
    /// Its index in a `LoopReport`.
    package var number: Int
    package var state: SiteState.State
    /// The digest of the file that is served; `nil` if there is none.
    package var sha256: String?
    /// The length of that file.
    package var bytes: Int?
    /// When that file was loaded, in seconds since 1970.
    package var loadedAt: Int64?
    /// The error of the present files.
    package var lastError: SiteError?
    /// The certificate that clients of the site get, the first to expire if there are several; `nil` if none covers
    /// the site.
    package var certificate: CertificateReport?
    /// The names of the other files that are served, sorted.
    package var files: [String]
    /// The number of errors and warnings in the present files.
    package var findings: Int
    /// Those of them that are errors.
    package var errors: Int
    /// The version of its association file in a store; `nil` without one.
    package var storeVersion: Int64?
    /// The judgement of its certificate, or of the lack of one.
    package var judgement: CertificateJudgement
    /// The state of its orders, if the server gets the certificate by itself.
    package var issuance: DomainStatus?

    package init(
        domain: String, number: Int, state: SiteState.State, sha256: String? = nil, bytes: Int? = nil,
        loadedAt: Int64? = nil,
        lastError: SiteError? = nil, certificate: CertificateReport? = nil, files: [String] = [], findings: Int = 0,
        errors: Int = 0, storeVersion: Int64? = nil,
        judgement: CertificateJudgement = .notNeeded, issuance: DomainStatus? = nil
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
        self.errors = errors
        self.storeVersion = storeVersion
        self.judgement = judgement
        self.issuance = issuance
    }
}

/// A certificate under one of its names.
package struct CertificateReport: Equatable, Sendable {
    /// `example.com` or `*.example.com`, as in the certificate.
    package let name: String
    /// The type of the key, such as `ECDSA`.
    package let keyType: String
    /// The first second in which it is valid, since 1970.
    package let notBefore: Int64
    /// The last second in which it is valid, since 1970.
    package let notAfter: Int64
    /// That it was read from.
    package let folder: String
    package let source: CertificateSource

    package init(
        name: String, keyType: String, notBefore: Int64, notAfter: Int64, folder: String,
        source: CertificateSource = .folder
    ) {
        self.name = name
        self.keyType = keyType
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.folder = folder
        self.source = source
    }
}

/// The state of the files of one certificate.
package struct PairReport: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case loaded
        /// Its certificate and key do not match yet, and are tried again; an earlier pair stays in use meanwhile.
        case waiting
        /// It cannot be used; an earlier pair stays in use.
        case refused
    }

    package let folder: String
    package let state: State
    /// The file that is at fault.
    package let path: String?
    /// Why it is not loaded.
    package let message: String?
    /// The end of the wait for a missing half, in seconds since 1970.
    package let retriedUntil: Int64?

    package init(
        folder: String, state: State, path: String? = nil, message: String? = nil, retriedUntil: Int64? = nil
    ) {
        self.folder = folder
        self.state = state
        self.path = path
        self.message = message
        self.retriedUntil = retriedUntil
    }
}

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
