package import Diagnostics
package import ServiceHealth

/// The subject of the console: a server with its sites, or files.
package enum ConsoleContent: Sendable {
    case server(any ConsoleSource)
    case files(any ConsoleFiles)

    package var isServer: Bool { if case .server = self { true } else { false } }
}

/// The files of `aasa console`, which are read again at each request.
package protocol ConsoleFiles: Sendable {
    /// The paths, as they are shown.
    var paths: [String] { get }
    /// The domain of the files that was given; nil if they are taken for those of any host.
    var domain: String? { get }

    /// Reads a file.
    ///
    /// - Parameter index: Counted from 0.
    /// - Returns: Its bytes, or one clause that says why they cannot be read.
    func content(at index: Int) -> Result<[UInt8], ConsoleFileError>

    /// Judges a file, as `aasa validate` does without a configuration.
    func report(_ bytes: [UInt8], path: String) -> FileReport
}

/// Why a file is not shown.
package struct ConsoleFileError: Error {
    /// One clause, lower case, without a final period.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// A server as the console sees it.
///
/// It is asked while a request is answered, on the thread that answers it, and never otherwise.
package protocol ConsoleSource: Sendable {
    /// All sites, by domain.
    var sites: [ConsoleSite] { get }
    /// All certificates that are presented, in any order.
    var certificates: [ConsoleCertificate] { get }
    /// The counts of the last hour.
    var metricsHistory: MetricsHistory { get }

    /// The members of a site in `/sites`.
    func members(of site: ConsoleSite) -> [String: JSONOutput]

    /// All about a site.
    ///
    /// - Parameter domain: One of `sites`.
    /// - Returns: Nil if it has gone since.
    func detail(of domain: String) -> ConsoleSiteDetail?

    /// The health of the server and of its sites.
    var health: SiteHealth { get }

    /// The members of `GET status`: the health of the server.
    ///
    /// - Parameter domain: Nil for all sites.
    func status(_ options: SiteHealth.Options, of domain: String?) -> [String: JSONOutput]

    /// The object of `aasa doctor --format json`, as JSON text; it takes up to a minute.
    ///
    /// - Parameter domain: A site, or a name one label below a wildcard that is one.
    func doctor(_ domain: String) -> DoctorAnswer
}

package enum DoctorAnswer: Sendable {
    case report(String)
    /// Another one is running.
    ///
    /// - retryAfter: Seconds.
    case busy(retryAfter: Int)
    /// This program cannot check domains.
    case unavailable
}

/// One site in the table of sites.
package struct ConsoleSite: Sendable {
    /// `example.com`, or `*.example.com` for a wildcard; in Punycode.
    package let domain: String
    package let state: SiteState.State
    /// The problems of the site, and with severity `ok` what is good to know; the worst need not come first.
    package let problems: [HealthProblem]
    /// Findings of the present file, which is the one that is served unless the site is stale.
    package let errors: Int
    package let warnings: Int
    /// The version of the present file in a store; nil without one.
    package let generation: Int64?
    /// When the served file was loaded, in seconds since 1970; nil if none is served.
    package let loadedAt: Int64?
    /// The last second in which the certificate is valid, since 1970; nil if none covers the site.
    package let certificateNotAfter: Int64?
    package let urgency: HealthSeverity
    /// Apple's last fetch; nil if there was none since the start.
    package let lastFetch: AppleFetch?

    package init(
        domain: String, state: SiteState.State, problems: [HealthProblem] = [], errors: Int, warnings: Int,
        generation: Int64? = nil, loadedAt: Int64?,
        certificateNotAfter: Int64?, urgency: HealthSeverity = .ok, lastFetch: AppleFetch?
    ) {
        self.domain = domain
        self.state = state
        self.problems = problems
        self.errors = errors
        self.warnings = warnings
        self.generation = generation
        self.loadedAt = loadedAt
        self.certificateNotAfter = certificateNotAfter
        self.urgency = urgency
        self.lastFetch = lastFetch
    }

    /// The worst of its problems; nil if there is none.
    package var worst: HealthProblem? {
        problems.filter { $0.severity > .ok }.max { $0.severity < $1.severity }
    }
}

/// A file of a site: its bytes and what was found in it.
package struct ConsoleDocument: Sendable {
    /// As it was read; empty if it could not be.
    package let bytes: [UInt8]
    /// In hexadecimal; nil if it could not be read.
    package let sha256: String?
    /// The text that is shown, with its findings: that of the file, or what was unwrapped or converted.
    package let report: FileReport

    package init(bytes: [UInt8], sha256: String?, report: FileReport) {
        self.bytes = bytes
        self.sha256 = sha256
        self.report = report
    }
}

/// All about one site.
package struct ConsoleSiteDetail: Sendable {
    package enum Versions: Sendable {
        /// There is no store.
        case none
        /// The store does not answer.
        case unavailable
        /// The newest first, at most 20.
        case list([ConsoleVersion])
    }

    package let site: ConsoleSite
    /// Nil if there never was a good one.
    package let served: ConsoleDocument?
    /// The present file on disk or in the store, if it is faulty.
    package let rejected: ConsoleDocument?
    /// The site's `assetlinks.json` that is served.
    package let assetLinks: [UInt8]?
    /// The names of the other files that are served, sorted.
    package let files: [String]
    package let certificate: ConsoleCertificate?
    /// Apple's last fetches, the newest first.
    package let fetches: [AppleFetch]
    package let versions: Versions

    /// Whether a file is rejected whose text is here.
    var hasRejectedText: Bool { rejected?.bytes.isEmpty == false }

    /// The file to work on: the rejected one, as far as its text is here.
    var editable: ConsoleDocument? { hasRejectedText ? rejected : served }

    package init(
        site: ConsoleSite, served: ConsoleDocument?, rejected: ConsoleDocument?, assetLinks: [UInt8]?,
        files: [String], certificate: ConsoleCertificate?, fetches: [AppleFetch], versions: Versions
    ) {
        self.site = site
        self.served = served
        self.rejected = rejected
        self.assetLinks = assetLinks
        self.files = files
        self.certificate = certificate
        self.fetches = fetches
        self.versions = versions
    }
}

/// One version of a site's file in a store.
package struct ConsoleVersion: Sendable {
    package let number: Int64
    /// In seconds since 1970.
    package let publishedAt: Int64
    package let publishedBy: String
    /// Findings; nil if nobody counted them.
    package let errors: Int?
    package let warnings: Int?

    package init(number: Int64, publishedAt: Int64, publishedBy: String, errors: Int?, warnings: Int?) {
        self.number = number
        self.publishedAt = publishedAt
        self.publishedBy = publishedBy
        self.errors = errors
        self.warnings = warnings
    }
}

/// A certificate that is presented.
package struct ConsoleCertificate: Sendable {
    /// As in the certificate.
    package let names: [String]
    /// Such as `ECDSA`.
    package let keyType: String
    /// The first and the last second in which it is valid, since 1970; the first is nil if that is not known.
    package let notBefore: Int64?
    package let notAfter: Int64
    /// The folder that it was read from, or else its source, such as `acme`.
    package let folder: String
    /// The sites that it is presented for.
    package let sites: [String]
    package let urgency: HealthSeverity

    package init(
        names: [String], keyType: String, notBefore: Int64?, notAfter: Int64, folder: String, sites: [String],
        urgency: HealthSeverity = .ok
    ) {
        self.names = names
        self.keyType = keyType
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.folder = folder
        self.sites = sites
        self.urgency = urgency
    }
}

/// Counts of the last 60 minutes, the oldest first.
package struct MetricsHistory: Sendable {
    package static let minutes = 60

    /// The end of the last minute, in seconds since 1970.
    package let end: Int64
    /// Each of 60 numbers; minutes before the start are 0.
    package let requests: [Int]
    package let appleFetches: [Int]
    package let handshakes: [Int]
    package let handshakeFailures: [Int]

    package init(end: Int64, requests: [Int], appleFetches: [Int], handshakes: [Int], handshakeFailures: [Int]) {
        self.end = end
        self.requests = requests
        self.appleFetches = appleFetches
        self.handshakes = handshakes
        self.handshakeFailures = handshakeFailures
    }
}
