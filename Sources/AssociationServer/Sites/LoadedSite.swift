internal import AssociationFiles
internal import AssociationLint
package import Diagnostics
package import ServiceHealth
internal import SiteStore
internal import SystemSupport

/// A site as its source has it, and what of it is served.
package struct LoadedSite: Equatable, Sendable {
    /// `example.com`, or `*.example.com` for a wildcard.
    package let domain: String
    /// The number under which loops count its answers; the same as long as the server runs.
    package let number: Int
    /// The files that it has, or had: the association file first, then the others in the order of the configuration.
    package let files: [LoadedFile]

    /// Its `apple-app-site-association`; `nil` if it has other files only.
    package var association: LoadedFile? {
        files.first.flatMap { $0.name == SiteFile.association.name ? $0 : nil }
    }

    /// Those besides it.
    package var otherFiles: ArraySlice<LoadedFile> { files.dropFirst(association == nil ? 0 : 1) }

    /// Those that are served below `/.well-known/` only.
    package var wellKnownFiles: ArraySlice<LoadedFile> { links == nil ? otherFiles : otherFiles.dropLast() }

    /// Its `links.json`; nil if it has none.
    package var links: LoadedFile? { files.last.flatMap { $0.name == SiteFile.links.name ? $0 : nil } }

    /// The association file that is served; `nil` if there never was a good one.
    package var file: PublishedFile? { association?.file }

    /// When that was read, in seconds since 1970.
    package var loadedAt: Int64? { file == nil ? nil : association?.loadedAt }

    /// The site as its clients see it.
    ///
    /// - Parameter isWithoutCertificate: whether no certificate covers it.
    package func siteState(isWithoutCertificate: Bool = false) -> SiteState {
        SiteState(
            domain, number: number, files: files.map(\.state), isWithoutCertificate: isWithoutCertificate)
    }

    /// Whether the present association file is not published.
    package var isRefused: Bool { association?.isRefused == true }

    /// Whether an earlier association file is served, because the present one is refused.
    package var isStale: Bool { association?.isStale == true }

    /// Whether it serves what it is meant to: an association file, or, if it has none, another one.
    package var isPublished: Bool { file != nil || association == nil && servesSomething }

    /// Whether the site has any file to serve.
    package var servesSomething: Bool { files.contains { $0.file != nil } }

    /// Whether any of its files is not published as it is.
    package var hasRefusedFile: Bool { files.contains(where: \.isRefused) }

    /// Whether the same is served, file by file.
    package func serves(sameAs other: LoadedSite) -> Bool {
        files.count == other.files.count
            && zip(files, other.files).allSatisfy { $0.name == $1.name && $0.serves(sameAs: $1) }
    }

    /// The findings in the present files.
    package var findings: [LocatedDiagnostic] { files.count == 1 ? files[0].findings : files.flatMap(\.findings) }
}

/// A file of a site as its source has it, and what of it is served.
package final class LoadedFile: Sendable {
    /// The result of reading the file.
    package enum Content: Equatable, Sendable {
        /// The bytes of the file that is published.
        case published
        /// The SHA-256 of bytes that are not.
        case refused([UInt8])
        /// Nothing, and why.
        case unreadable(LocatedDiagnostic)
    }

    /// The basis of its judgement: on another one the same bytes may be judged otherwise.
    struct Basis: Equatable, Sendable {
        let kind: FileKind
        let isText: Bool
        /// The most bytes it may have.
        let limit: Int
        let configuration: LintConfigurationIdentity?
        /// The version in a store; nil for a file on disk.
        var stored: StoredVersion?
    }

    /// A version of a file in a store: another one may have the same bytes, and was published at another time.
    struct StoredVersion: Equatable, Sendable {
        let version: Int64
        let digest: ContentDigest
        /// Microseconds since 1970.
        let publishedAt: Int64
        /// The text of its `.aasa.json`.
        let lint: String?

        /// Seconds since 1970, as the store has it, also where its clock is ahead: the answers of all nodes are the same.
        var lastModified: Int64 { publishedAt >= 0 ? publishedAt / 1_000_000 : -((999_999 - publishedAt) / 1_000_000) }
    }

    package let name: String
    /// The file that is served: the present one, or the last good one; `nil` if there never was one.
    package let file: PublishedFile?
    package let content: Content
    /// The findings in the present file.
    package let findings: [LocatedDiagnostic]
    /// When `file` was read, in seconds since 1970; 0 without one.
    package let loadedAt: Int64
    /// Since when the present file is refused, in seconds since 1970; 0 if it is not.
    package let refusedAt: Int64
    let basis: Basis
    /// The entries of the validator's configuration that were of use.
    let suppression: SuppressionUse?
    /// The stamp of the file on disk when its bytes were read; nil if they can change without changing it.
    let stamp: FileStamp?
    /// The images that a `links.json` names, as they were when it was judged.
    let images: [LinkImageMark]

    init(
        name: String, file: PublishedFile?, content: Content, findings: [LocatedDiagnostic], loadedAt: Int64,
        refusedAt: Int64, basis: Basis, suppression: SuppressionUse?, stamp: FileStamp?,
        images: [LinkImageMark] = []
    ) {
        self.name = name
        self.file = file
        self.content = content
        self.findings = findings
        self.loadedAt = loadedAt
        self.refusedAt = refusedAt
        self.basis = basis
        self.suppression = suppression
        self.stamp = stamp
        self.images = images
    }

    /// The same, with what it is served as from now on.
    ///
    /// - Parameters:
    ///   - loadedAt: when that was read, in seconds since 1970; nil if that is as it was.
    ///   - stamp: the present one of the file on disk.
    func serving(_ file: PublishedFile?, since loadedAt: Int64? = nil, stamp: FileStamp?) -> LoadedFile {
        file === self.file && stamp == self.stamp
            ? self
            : LoadedFile(
                name: name, file: file, content: content, findings: findings, loadedAt: loadedAt ?? self.loadedAt,
                refusedAt: refusedAt, basis: basis, suppression: suppression, stamp: stamp, images: images)
    }

    /// Whether the present file is not published.
    package var isRefused: Bool { content != .published }

    /// Whether an earlier file is served, because the present one is refused.
    package var isStale: Bool { isRefused && file != nil }

    /// The file as clients see it.
    package var state: SiteState.File {
        let served = file.map { SiteState.File.Version(sha256: $0.digest, bytes: $0.count, since: loadedAt) }
        let delivery: SiteState.File.Delivery =
            if let served {
                isRefused ? .stale(served, refusedSince: refusedAt) : .served(served)
            } else {
                .refused(since: refusedAt)
            }
        return SiteState.File(
            name, delivery, findings: findings, storeVersion: basis.stored?.version,
            counts: file?.links.map { SiteState.File.LinkCounts(links: $0.linkCount, pages: $0.pageCount) })
    }

    /// Whether the same is served.
    func serves(sameAs other: LoadedFile?) -> Bool { file === other?.file }
}

extension LoadedFile: Equatable {
    /// Whether no client or operator would see a difference.
    package static func == (left: LoadedFile, right: LoadedFile) -> Bool {
        left === right
            || left.name == right.name && left.file === right.file && left.content == right.content
                && left.findings == right.findings
    }
}
