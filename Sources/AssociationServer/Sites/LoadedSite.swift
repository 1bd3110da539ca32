internal import AssociationFiles
internal import AssociationLint
package import Diagnostics
package import ServiceHealth
internal import SiteStore

/// A site as it is on disk, and what of it is served.
package struct LoadedSite: Sendable {
    /// `example.com`, or `*.example.com` for a wildcard.
    package let domain: String
    /// The number under which loops count its answers; the same as long as the server runs.
    package let number: Int
    /// Its `apple-app-site-association`.
    package let association: LoadedFile
    /// Those that are served below `/.well-known/` only, as far as the site has, or had, them.
    package let otherFiles: [LoadedFile]
    /// Those of which there is something to say that was not said at the load before.
    package let changedFiles: [LoadedFile]

    /// The same site where it could not be read again: everything about it has been reported.
    package var kept: LoadedSite {
        LoadedSite(
            domain: domain, number: number, association: association, otherFiles: otherFiles, changedFiles: [])
    }

    /// All files, the association file first.
    package var files: [LoadedFile] { [association] + otherFiles }

    /// The association file that is served; `nil` if there never was a good one.
    package var file: PublishedFile? { association.file }

    /// When that was read, in seconds since 1970.
    package var loadedAt: Int64? { file == nil ? nil : association.loadedAt }

    /// The site as its clients see it.
    ///
    /// - Parameter isWithoutCertificate: whether no certificate covers it.
    package func siteState(isWithoutCertificate: Bool = false) -> SiteState {
        SiteState(
            domain, number: number, files: files.compactMap(\.state), isWithoutCertificate: isWithoutCertificate)
    }

    /// Whether the present association file is not published.
    package var isRefused: Bool { association.isRefused }

    /// Whether an earlier association file is served, because the present one is refused.
    package var isStale: Bool { association.isStale }

    /// Whether it serves what it is meant to: an association file, or, if it has none in a store, another one.
    package var isPublished: Bool { file != nil || association.content == .absent && servesSomething }

    /// Whether the site has any file to serve.
    package var servesSomething: Bool { file != nil || otherFiles.contains { $0.file != nil } }

    /// Whether any of its files is not published as it is.
    package var hasRefusedFile: Bool { isRefused || otherFiles.contains(where: \.isRefused) }

    /// Whether the same is served, file by file.
    package func serves(sameAs other: LoadedSite) -> Bool {
        association.serves(sameAs: other.association) && otherFiles.count == other.otherFiles.count
            && zip(otherFiles, other.otherFiles).allSatisfy { $0.name == $1.name && $0.serves(sameAs: $1) }
    }

    /// The findings in the present files.
    package var findings: [LocatedDiagnostic] { otherFiles.isEmpty ? association.findings : files.flatMap(\.findings) }
}

extension LoadedSite: Equatable {
    /// Whether nobody would see a difference: the same is served, with the same findings.
    package static func == (left: LoadedSite, right: LoadedSite) -> Bool {
        left.domain == right.domain && left.number == right.number && left.association == right.association
            && left.otherFiles == right.otherFiles
    }
}

/// A file of a site as it is on disk, and what of it is served.
package final class LoadedFile: Sendable {
    /// The result of reading the file.
    package enum Content: Equatable, Sendable {
        /// The site has no such file, and need not have it.
        case absent
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

    init(
        name: String, file: PublishedFile?, content: Content, findings: [LocatedDiagnostic], loadedAt: Int64,
        refusedAt: Int64,
        basis: Basis, suppression: SuppressionUse?
    ) {
        self.name = name
        self.file = file
        self.content = content
        self.findings = findings
        self.loadedAt = loadedAt
        self.refusedAt = refusedAt
        self.basis = basis
        self.suppression = suppression
    }

    /// The association file of a site in a store that has only others.
    static let absentAssociation = LoadedFile(
        name: SiteFile.association.name, file: nil, content: .absent, findings: [], loadedAt: 0, refusedAt: 0,
        basis: Basis(kind: .association, isText: false, limit: 0, configuration: nil), suppression: nil)

    /// The same, with what it is served as from now on.
    ///
    /// - Parameter loadedAt: when that was read, in seconds since 1970; nil if that is as it was.
    func serving(_ file: PublishedFile?, since loadedAt: Int64? = nil) -> LoadedFile {
        file === self.file
            ? self
            : LoadedFile(
                name: name, file: file, content: content, findings: findings, loadedAt: loadedAt ?? self.loadedAt,
                refusedAt: refusedAt, basis: basis, suppression: suppression)
    }

    /// Whether the present file is not published.
    package var isRefused: Bool {
        switch content {
        case .published, .absent: false
        case .refused, .unreadable: true
        }
    }

    /// Whether an earlier file is served, because the present one is refused.
    package var isStale: Bool { isRefused && file != nil }

    /// The file as clients see it; `nil` if the site has none.
    package var state: SiteState.File? {
        let served = file.map { SiteState.File.Version(sha256: $0.digest, bytes: $0.count, since: loadedAt) }
        let delivery: SiteState.File.Delivery
        switch (content, served) {
        case (.absent, _), (.published, nil): return nil
        case (.published, let version?): delivery = .served(version)
        case (.refused, let version?), (.unreadable, let version?):
            delivery = .stale(version, refusedSince: refusedAt)
        case (.refused, nil), (.unreadable, nil): delivery = .refused(since: refusedAt)
        }
        return SiteState.File(name, delivery, findings: findings, storeVersion: basis.stored?.version)
    }

    /// Whether the same is served.
    func serves(sameAs other: LoadedFile?) -> Bool { file === other?.file }
}

extension LoadedFile: Equatable {
    /// Whether there is nothing that anybody would see a difference by.
    package static func == (left: LoadedFile, right: LoadedFile) -> Bool {
        left === right
            || left.name == right.name && left.file === right.file && left.content == right.content
                && left.findings == right.findings
    }
}
