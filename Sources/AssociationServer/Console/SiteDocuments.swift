internal import AssociationConsole
internal import AssociationFiles
internal import AssociationLint
internal import Diagnostics
internal import DomainNames
internal import HTTP1
internal import OpenSSL
internal import SiteStore
internal import SystemSupport

extension ServerSnapshot {
    /// Reads and checks the files of a site again, since only their findings are kept.
    ///
    /// - Parameters:
    ///   - domain: `example.com`, or `*.example.com` for a wildcard.
    ///   - storedFile: the bytes of a version in the store; `nil` if they cannot be had.
    /// - Returns: `nil` if there is no such site.
    func documents(
        of domain: String, storedFile: (_ name: String, _ version: Int64) -> [UInt8]?
    ) -> SiteDocuments? {
        guard let site = loadedSites.first(where: { $0.domain == domain }) else { return nil }
        let folder = "\(configuration.sites)/\(Domain(domain)?.folderName ?? domain)"
        let limit = configuration.limits.publishedBytes
        var checker = FileChecker(limit: limit, rules: rules)
        // A store that does not answer is not asked again: each question would wait as long.
        var storeAnswers = true
        return SiteDocuments(
            site.files.map { file in
                let path = configuration.store.isOn ? file.name : "\(folder)/\(file.name)"
                let linter =
                    if let lint = file.basis.stored?.lint {
                        checker.linter(forFileAt: path, configuredBy: lint, at: LintConfiguration.fileName)
                    } else {
                        configuration.store.isOn ? checker.linter : checker.linter(forFileAt: path)
                    }
                let siteFile = SiteFile(name: file.name, in: configuration)
                func document(_ bytes: [UInt8], sha256: String? = nil, isNewest: Bool) -> ConsoleDocument {
                    // A file of links was judged with its images, which are not read for a page.
                    let report =
                        siteFile.kind == .links
                        ? FileReport(
                            SourceText(bytes, path: path), isNewest ? file.findings.map(\.diagnostic) : [])
                        : checker.judge(bytes, as: siteFile, path: path, by: linter).report
                    let hasKey = report.diagnostics.contains { $0.is(.privateKey) }
                    return ConsoleDocument(
                        // A key is shown to nobody, whatever file it is in.
                        bytes: hasKey ? [] : bytes, sha256: sha256 ?? Hexadecimal.text(SHA256Digest.hash(bytes)),
                        report: report)
                }
                var rejected: ConsoleDocument?
                if file.isRefused {
                    var bytes: [UInt8]?
                    if let stored = file.basis.stored {
                        if storeAnswers { bytes = storedFile(file.name, stored.version) }
                        storeAnswers = bytes != nil
                    } else {
                        bytes = try? SiteFileAccess(configuration).readSettled(file.name, in: folder, limit: limit)
                            .bytes
                    }
                    rejected =
                        bytes.flatMap { $0.count <= limit ? document($0, isNewest: true) : nil }
                        ?? Self.unreadable(file, at: path)
                }
                let served = file.file.map { served in
                    served.bytes.count <= limit
                        ? document(served.bytes, sha256: served.digest, isNewest: rejected == nil)
                        : Self.unreadable(file, at: path)
                }
                return SiteFileDocuments(file.name, served: served, rejected: rejected)
            })
    }

    /// A file whose bytes are not here: its findings are reported without positions.
    private static func unreadable(_ file: LoadedFile, at path: String) -> ConsoleDocument {
        let findings = file.findings.map { finding in
            var diagnostic = finding.diagnostic
            diagnostic.subject = .text(SourceRange(start: 0, end: 0), pointer: nil)
            (diagnostic.fixIts, diagnostic.label, diagnostic.labels) = ([], nil, [])
            return diagnostic
        }
        var sha256: String?
        if case .refused(let digest) = file.content { sha256 = Hexadecimal.text(digest) }
        return ConsoleDocument(
            bytes: [], sha256: sha256, report: FileReport(SourceText([], path: path), findings))
    }
}
