package import Diagnostics

/// A site as its clients see it: its domain, and the state of each file that it has.
///
/// A file that a site does not have is not among its files: a site with `assetlinks.json` alone is a whole site.
package struct SiteState: Equatable, Sendable {
    /// The state of a file or of a site in one word, the better ones first.
    package enum State: String, CaseIterable, Comparable, Sendable {
        /// The newest version is served.
        case published
        /// An older version is served, because the newest one is refused.
        case stale
        /// No version was ever good: clients get 503.
        case refused
        /// No certificate covers the site, so no client can fetch its files, whatever their state.
        case noCertificate = "no-certificate"

        package static func < (left: State, right: State) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .published: 0
            case .stale: 1
            case .refused: 2
            case .noCertificate: 3
            }
        }
    }

    /// A file of a site, and what of it is served.
    package struct File: Equatable, Sendable {
        /// The result of judging the newest version.
        package enum Delivery: Equatable, Sendable {
            /// The newest version is served.
            case served(Version)
            /// An older version is served, because the newest one has been refused since that second.
            case stale(Version, refusedSince: Int64)
            /// Clients get 503, since that second.
            case refused(since: Int64)
        }

        /// The version of a file that is served.
        package struct Version: Equatable, Sendable {
            /// In lowercase hexadecimal digits.
            package let sha256: String
            /// The number of its bytes.
            package let bytes: Int
            /// When it was loaded, in seconds since 1970.
            package let since: Int64

            package init(sha256: String, bytes: Int, since: Int64) {
                (self.sha256, self.bytes, self.since) = (sha256, bytes, since)
            }
        }

        /// The name of the association file of a site, which comes first among its files.
        package static let association = "apple-app-site-association"
        /// The name of the file with the links and pages of a site, which is answered by and not served.
        package static let links = "links.json"

        /// As in the site's folder and in paths.
        package let name: String
        package let delivery: Delivery
        /// The findings in the newest version.
        package let findings: [LocatedDiagnostic]
        /// The number of the newest version in a store; nil for a file on disk.
        package let storeVersion: Int64?
        /// The number of links, and of pages, of a `links.json` that is used; nil for every other file.
        package let counts: LinkCounts?

        /// The number of links and of pages.
        package struct LinkCounts: Equatable, Sendable {
            package let links: Int
            package let pages: Int

            package init(links: Int, pages: Int) { (self.links, self.pages) = (links, pages) }
        }

        package init(
            _ name: String, _ delivery: Delivery, findings: [LocatedDiagnostic] = [], storeVersion: Int64? = nil,
            counts: LinkCounts? = nil
        ) {
            (self.name, self.delivery, self.findings, self.storeVersion) = (name, delivery, findings, storeVersion)
            self.counts = counts
        }

        package var state: State {
            switch delivery {
            case .served: .published
            case .stale: .stale
            case .refused: .refused
            }
        }

        /// The version that is served; nil if there never was a good one.
        package var served: Version? {
            switch delivery {
            case .served(let version), .stale(let version, _): version
            case .refused: nil
            }
        }

        /// Since when the newest version is refused, in seconds since 1970; nil if it is served.
        package var refusedSince: Int64? {
            switch delivery {
            case .served: nil
            case .stale(_, let time), .refused(let time): time
            }
        }

        /// Why the newest version is refused; nil if it is served.
        package var error: SiteError? {
            refusedSince.map { SiteError(since: $0, findings) }
        }
    }

    /// `example.com`, or `*.example.com` for a wildcard.
    package let domain: String
    /// The index of the site in what the loops count.
    package let number: Int
    /// The association file first, if the site has one.
    package let files: [File]
    /// Whether no client can ask for the site, because no certificate covers it.
    package let isWithoutCertificate: Bool

    package init(_ domain: String, number: Int = 0, files: [File], isWithoutCertificate: Bool = false) {
        (self.domain, self.number, self.files) = (domain, number, files)
        self.isWithoutCertificate = isWithoutCertificate
    }

    /// The worst state of its files, unless no client can ask for any of them.
    package var state: State { isWithoutCertificate ? .noCertificate : files.map(\.state).max() ?? .published }

    /// The association file; nil if the site has none.
    package var association: File? { self[File.association] }

    /// The file of this name; nil if the site has none.
    package subscript(name: String) -> File? { files.first { $0.name == name } }

    /// The findings in the newest versions of all files.
    package var findings: [LocatedDiagnostic] { files.count == 1 ? files[0].findings : files.flatMap(\.findings) }

    /// Why the newest version of a file is refused, the association file first; nil if none is.
    package var lastError: SiteError? {
        guard let file = files.first(where: { $0.refusedSince != nil }), let error = file.error else { return nil }
        if file.name == File.association { return error }
        return SiteError(at: error.at, message: "\(file.name): \(error.message)", diagnostics: error.diagnostics)
    }
}

/// Why the newest version of a file is not served.
package struct SiteError: Equatable, Sendable {
    /// Since when, in seconds since 1970.
    package let at: Int64
    /// One clause, lower case, without a full stop.
    package let message: String
    /// All that was found, warnings too.
    package let diagnostics: [LocatedDiagnostic]

    package init(at: Int64, message: String, diagnostics: [LocatedDiagnostic]) {
        (self.at, self.message, self.diagnostics) = (at, message, diagnostics)
    }

    /// Names the first error, and counts the others.
    init(since time: Int64, _ findings: [LocatedDiagnostic]) {
        let errors = findings.filter(\.isError)
        let others = errors.count > 1 ? ", and \(counted(errors.count - 1, "more error"))" : ""
        let message = (errors.first?.diagnostic.message ?? "it has errors") + others
        self.init(at: time, message: message, diagnostics: findings)
    }
}
