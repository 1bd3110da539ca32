internal import AssociationLint
internal import Diagnostics

/// A file of a site as it is on disk, and what of it is served.
package final class LoadedFile: Sendable {
    /// What was read.
    package enum Content: Equatable, Sendable {
        /// The bytes of the file that is published.
        case published
        /// The SHA-256 of bytes that are not.
        case refused([UInt8])
        /// Nothing, and why.
        case unreadable(String)
    }

    /// What it was judged by: with another basis the same bytes may be judged otherwise.
    struct Basis: Equatable, Sendable {
        let kind: FileKind
        let isText: Bool
        /// The most bytes it may have.
        let limit: Int
        let configuration: LintConfigurationIdentity?
    }

    package let name: String
    /// What is served: the present file, or the last good one; `nil` if there never was one.
    package let file: PublishedFile?
    package let content: Content
    /// What is wrong with the present file.
    package let findings: [Finding]
    /// When `file` was read, in seconds since 1970; 0 without one.
    package let loadedAt: Int64
    /// Since when the present file is refused, in seconds since 1970; 0 if it is not.
    package let refusedAt: Int64
    let basis: Basis
    /// What of the validator's configuration was of use.
    let suppression: SuppressionUse?

    init(
        name: String, file: PublishedFile?, content: Content, findings: [Finding], loadedAt: Int64, refusedAt: Int64,
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

    /// The same, with what it is served as from now on.
    func serving(_ file: PublishedFile?) -> LoadedFile {
        file === self.file
            ? self
            : LoadedFile(
                name: name, file: file, content: content, findings: findings, loadedAt: loadedAt,
                refusedAt: refusedAt, basis: basis, suppression: suppression)
    }

    /// Whether the present file is not published.
    package var isRefused: Bool { content != .published }

    /// Whether an earlier file is served, because the present one is refused.
    package var isStale: Bool { isRefused && file != nil }

    /// Why the present file is refused; `nil` if it is not.
    package var error: SiteError? {
        guard isRefused else { return nil }
        let errors = findings.filter { $0.severity == .error }
        let others = errors.count > 1 ? ", and \(Count.text(errors.count - 1, "more error"))" : ""
        let message = (errors.first?.message ?? "it has errors") + others
        return SiteError(at: refusedAt, message: message, diagnostics: findings)
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

/// Why a file of a site is not published as it is.
package struct SiteError: Sendable {
    /// Since when, in seconds since 1970.
    package let at: Int64
    /// One clause, lower case, without a full stop.
    package let message: String
    /// All that was found, warnings too.
    package let diagnostics: [Finding]

    package init(at: Int64, message: String, diagnostics: [Finding]) {
        self.at = at
        self.message = message
        self.diagnostics = diagnostics
    }
}
