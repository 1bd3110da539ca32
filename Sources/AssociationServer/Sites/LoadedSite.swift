/// A site as it is on disk, and what of it is served.
package struct LoadedSite: Sendable {
    /// What clients get of the association file.
    package enum State: String, CaseIterable, Sendable {
        /// The present one is served.
        case published
        /// The last good one is served, because the present one is refused.
        case stale
        /// There never was a good one.
        case refused
        /// No certificate covers the site, so nobody can fetch its files, whatever is wrong with those.
        case noCertificate = "no-certificate"
    }

    /// `example.com`, or `*.example.com` for a wildcard.
    package let domain: String
    /// What loops count its answers under; the same as long as the server runs.
    package let number: Int
    /// Its `apple-app-site-association`.
    package let association: LoadedFile
    /// Those that are served below `/.well-known/` only, as far as the site has, or had, them.
    package let otherFiles: [LoadedFile]
    /// Those of which there is something to say that was not said at the load before.
    package let changedFiles: [LoadedFile]

    /// The site, for want of a new look at it: all was said of it.
    package var kept: LoadedSite {
        LoadedSite(
            domain: domain, number: number, association: association, otherFiles: otherFiles, changedFiles: [])
    }

    /// All files, the association file first.
    package var files: [LoadedFile] { [association] + otherFiles }

    // MARK: What is served

    /// The association file that is served; `nil` if there never was a good one.
    package var file: PublishedFile? { association.file }

    /// When that was read, in seconds since 1970.
    package var loadedAt: Int64? { file == nil ? nil : association.loadedAt }

    /// Provided that a certificate covers the site.
    package var state: State { isStale ? .stale : isRefused ? .refused : .published }

    /// Whether the present association file is not published.
    package var isRefused: Bool { association.isRefused }

    /// Whether an earlier association file is served, because the present one is refused.
    package var isStale: Bool { association.isStale }

    /// Whether it has any file to serve.
    package var servesSomething: Bool { file != nil || otherFiles.contains { $0.file != nil } }

    /// Whether any of its files is not published as it is.
    package var hasRefusedFile: Bool { isRefused || otherFiles.contains(where: \.isRefused) }

    /// Whether the same is served, file by file.
    package func serves(sameAs other: LoadedSite) -> Bool {
        association.serves(sameAs: other.association) && otherFiles.count == other.otherFiles.count
            && zip(otherFiles, other.otherFiles).allSatisfy { $0.name == $1.name && $0.serves(sameAs: $1) }
    }

    // MARK: What is wrong

    /// What is wrong with the present files.
    package var findings: [Finding] { otherFiles.isEmpty ? association.findings : files.flatMap(\.findings) }

    /// Why a present file is not published, the association file first; `nil` if all are.
    package var lastError: SiteError? {
        if let error = association.error { return error }
        guard let file = otherFiles.first(where: \.isRefused), let error = file.error else { return nil }
        return SiteError(at: error.at, message: "\(file.name): \(error.message)", diagnostics: error.diagnostics)
    }
}

extension LoadedSite: Equatable {
    /// Whether nobody would see a difference: the same is served, and the same is to be said.
    package static func == (left: LoadedSite, right: LoadedSite) -> Bool {
        left.domain == right.domain && left.number == right.number && left.association == right.association
            && left.otherFiles == right.otherFiles
    }
}
