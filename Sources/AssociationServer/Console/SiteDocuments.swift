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
    ///   - storedFile: the bytes of a version in the store.
    /// - Returns: `nil` if there is no such site.
    func documents(of domain: String, storedFile: (_ version: Int64) -> [UInt8]?) -> SiteDocuments? {
        guard let site = loadedSites.first(where: { $0.domain == domain }) else { return nil }
        var documents = SiteDocuments()
        let links = site.files.first { $0.name == SiteFile.assetLinks.name }
        documents.assetLinks = links?.file?.bytes
        guard let file = site.association else { return documents }
        let folder = "\(configuration.sites)/\(Domain(domain)?.folderName ?? domain)"
        let path = configuration.store.isOn ? file.name : "\(folder)/\(file.name)"
        let limit = configuration.limits.publishedBytes
        var checker = FileChecker(limit: limit, rules: rules)
        let linter =
            if let lint = file.basis.stored?.lint {
                checker.linter(forFileAt: path, configuredBy: lint, at: LintConfiguration.fileName)
            } else {
                configuration.store.isOn ? checker.linter : checker.linter(forFileAt: path)
            }
        func document(_ bytes: [UInt8], sha256: String? = nil) -> ConsoleDocument {
            let report = checker.judge(bytes, as: .association, path: path, by: linter).report
            let hasKey = report.diagnostics.contains { $0.is(.privateKey) }
            return ConsoleDocument(
                // A key is shown to nobody, whatever file it is in.
                bytes: hasKey ? [] : bytes, sha256: sha256 ?? Hexadecimal.text(SHA256Digest.hash(bytes)), report: report
            )
        }
        if let served = file.file { documents.served = document(served.bytes, sha256: served.digest) }
        if file.isRefused {
            let bytes: [UInt8]? =
                if let stored = file.basis.stored {
                    storedFile(stored.version)
                } else {
                    try? SiteFileAccess(configuration).readSettled(file.name, in: folder, limit: limit).bytes
                }
            documents.rejected =
                bytes.flatMap { $0.count <= limit ? document($0) : nil } ?? Self.unreadable(file, at: path)
        }
        return documents
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
