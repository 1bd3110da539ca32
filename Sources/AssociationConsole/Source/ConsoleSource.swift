internal import AssociationLint
package import Diagnostics
package import ServiceHealth
package import SiteStore
package import SystemSupport

/// The subject of the console: a server with its sites, or files.
package enum ConsoleContent: Sendable {
    case server(any ConsoleSource)
    case files(any ConsoleFiles)

    package var isServer: Bool { if case .server = self { true } else { false } }

    /// Whether the sites come from a store.
    var hasStore: Bool { if case .server(let source) = self { source.hasStore } else { false } }

    var manifests: ConsoleManifest.Reader {
        switch self {
        case .server(let source): { source.manifest($0, name: $1) }
        case .files(let files): { files.manifest($0, name: $1) }
        }
    }
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
    /// - Returns: Its bytes, or why they cannot be read.
    func content(at index: Int) -> Result<[UInt8], SystemError>

    /// Judges a file, as `aasa validate` does without a configuration.
    func report(_ bytes: [UInt8], path: String) -> FileReport

    /// The object of `aasa doctor --format json`, as JSON text; it takes up to a minute.
    ///
    /// - Parameter target: a domain or a link, or what somebody takes for one.
    func doctor(_ target: String) -> DoctorAnswer

    /// The files that a check has got; nil if they are not kept, or not any more.
    ///
    /// - Parameter authority: the host, with its port if that is not 443.
    func live(_ authority: String) -> LiveFiles?

    func manifest(_ bytes: [UInt8], name: String) -> ConsoleManifest
}

/// The files of a live host.
package struct LiveFiles: Sendable {
    let host: String
    /// Nil if it was not got, as the next one.
    let association: [UInt8]?
    let assetLinks: [UInt8]?

    package init(host: String, _ association: [UInt8]?, _ assetLinks: [UInt8]?) {
        (self.host, self.association, self.assetLinks) = (host, association, assetLinks)
    }
}

extension ConsoleFiles {
    package func manifest(_ bytes: [UInt8], name: String) -> ConsoleManifest { .unavailable }
}

/// A server as the console sees it.
///
/// It is asked while a request is answered, on the thread that answers it, and never otherwise.
package protocol ConsoleSource: Sendable {
    /// All that decides about health, with all sites by domain.
    var facts: HealthFacts { get }
    /// The certificates that are presented: for each name one of each key type.
    var certificates: [CertificateFacts] { get }
    /// The counts of the last hour.
    var metricsHistory: MetricsHistory { get }

    /// The files of a site with what was found in them, as they are now.
    ///
    /// - Parameter domain: `example.com`, or `*.example.com` for a wildcard.
    /// - Returns: nil if there is no such site.
    func siteDocuments(of domain: String) -> SiteDocuments?

    /// The versions of a site's association file in the store.
    func versions(of domain: String) -> ConsoleVersions

    /// Whether the sites come from a store.
    var hasStore: Bool { get }

    /// The changes of the store, the newest first; nil if it does not answer.
    ///
    /// - Parameters:
    ///   - generation: that all of them are older than; nil for the newest ones.
    ///   - limit: how many at most.
    func changes(before generation: Int64?, limit: Int) -> [StoredChange]?

    /// A change of the store with its files.
    func change(_ generation: Int64) -> ConsoleChange

    /// The object of `aasa doctor --format json`, as JSON text; it takes up to a minute.
    ///
    /// - Parameter domain: A site, or a name one label below a wildcard that is one.
    func doctor(_ domain: String) -> DoctorAnswer

    func manifest(_ bytes: [UInt8], name: String) -> ConsoleManifest
}

extension ConsoleSource {
    package func manifest(_ bytes: [UInt8], name: String) -> ConsoleManifest { .unavailable }

    /// All about a site; nil if there is no such site.
    func detail(of domain: String) -> ConsoleSiteDetail? {
        guard let facts = facts.sites.first(where: { $0.domain == domain }),
            let documents = siteDocuments(of: domain)
        else { return nil }
        let names = certificates.filter { $0.folder == facts.certificate?.folder }.map(\.name)
        return ConsoleSiteDetail(
            facts: facts, documents: documents, certificateNames: names, versions: versions(of: domain))
    }

    /// The soonest to expire first, then by names.
    var presentedCertificates: [ConsoleCertificate] {
        let sites = facts.sites
        // Thousands of copies of sites would take longer than all the rest.
        var presented: [String: (domains: [String], urgency: HealthSeverity)] = [:]
        for index in sites.indices {
            guard let folder = sites[index].certificate?.folder else { continue }
            let urgency = max(presented[folder]?.urgency ?? .ok, sites[index].judgement.severity)
            presented[folder, default: ([], .ok)].domains.append(sites[index].domain)
            presented[folder]?.urgency = urgency
        }
        return Dictionary(grouping: certificates, by: \.folder).map { folder, parts in
            let (domains, urgency) = presented[folder] ?? ([], .ok)
            return ConsoleCertificate(facts: parts[0], names: parts.map(\.name), sites: domains, urgency: urgency)
        }.sorted {
            ($0.facts.notAfter, $0.names[0], $0.facts.folder) < ($1.facts.notAfter, $1.names[0], $1.facts.folder)
        }
    }
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

/// A file of a site in the versions that there are of it.
package struct SiteFileDocuments: Sendable {
    /// A version of a file, as links to it name it.
    enum Version: String, CaseIterable {
        case served, rejected
    }

    /// As in paths.
    package let name: String
    /// The version that is served; nil if there never was a good one.
    package let served: ConsoleDocument?
    /// The present version, if it is not the one that is served.
    package let rejected: ConsoleDocument?

    package init(_ name: String, served: ConsoleDocument? = nil, rejected: ConsoleDocument? = nil) {
        (self.name, self.served, self.rejected) = (name, served, rejected)
    }

    subscript(version: Version) -> ConsoleDocument? {
        switch version {
        case .served: served
        case .rejected: rejected
        }
    }

    /// The versions that the playground can open: those of the files that decide links, as far as their texts are here.
    var playable: [Version] {
        switch FileKind(path: name) {
        case .association, .assetLinks: Version.allCases.filter { self[$0]?.bytes.isEmpty == false }
        default: []
        }
    }
}

/// The files of one site.
package struct SiteDocuments: Sendable {
    /// The association file first, if the site has one.
    package let files: [SiteFileDocuments]

    package init(_ files: [SiteFileDocuments]) { self.files = files }

    /// The association file; nil if the site has none.
    var association: SiteFileDocuments? { self[SiteState.File.association] }

    /// The `assetlinks.json`; nil if the site has none.
    var assetLinks: SiteFileDocuments? { files.first { FileKind(path: $0.name) == .assetLinks } }

    subscript(name: String) -> SiteFileDocuments? { files.first { $0.name == name } }
}

/// All about one site.
struct ConsoleSiteDetail {
    let facts: SiteFacts
    let documents: SiteDocuments
    /// The names in its certificate.
    let certificateNames: [String]
    let versions: ConsoleVersions
}

/// The versions of a site's association file.
package enum ConsoleVersions: Sendable {
    /// There is no store.
    case none
    /// The store does not answer.
    case unavailable
    /// The newest first, at most 20.
    case list([ConsoleVersion])
}

/// One version of a site's file in a store.
package struct ConsoleVersion: Sendable {
    package let number: Int64
    /// In seconds since 1970.
    package let publishedAt: Int64
    package let publishedBy: String
    /// The publisher's words about it; nil if there are none.
    package let message: String?
    /// Findings; nil if nobody counted them.
    package let errors: Int?
    package let warnings: Int?

    package init(
        number: Int64, publishedAt: Int64, publishedBy: String, message: String?, errors: Int?, warnings: Int?
    ) {
        self.number = number
        self.publishedAt = publishedAt
        self.publishedBy = publishedBy
        self.message = message
        self.errors = errors
        self.warnings = warnings
    }
}

/// A certificate that is presented.
struct ConsoleCertificate {
    /// The certificate under the first of its names.
    let facts: CertificateFacts
    /// As in the certificate.
    let names: [String]
    /// The domains of the sites that it is presented for.
    let sites: [String]
    /// The worst judgement of it for one of them.
    let urgency: HealthSeverity
}

extension SiteFacts {
    /// Findings of the present files, each of which is the one that is served unless the site is stale.
    var errors: Int { site.findings.count(where: \.isError) }
    var warnings: Int { site.findings.count - errors }
    /// When the served file was loaded, in seconds since 1970; nil if none is served.
    var loadedAt: Int64? { site.association?.served?.since }
    /// The version of the present file in a store; nil without one.
    var generation: Int64? { site.association?.storeVersion }
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
