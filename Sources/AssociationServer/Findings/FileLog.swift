internal import Diagnostics
internal import Logging
internal import SystemSupport

/// Writes what was found in the files of sites to the log: one line for each file.
struct FileLog {
    let logger: Logger

    /// - Parameter files: of the site, those of which there is something to say.
    func write(_ files: [LoadedFile], of site: LoadedSite) {
        for file in files where !file.findings.isEmpty {
            logger.log(level: file.isRefused ? .error : .warning, "\(Self.line(file, of: site))")
        }
    }

    /// What has happened, what it means for the site, and what to look at.
    static func line(_ file: LoadedFile, of site: LoadedSite) -> String {
        let subject = file.name == site.association.name ? site.domain : "\(site.domain)/\(file.name)"
        let errors = file.findings.filter { $0.severity == .error }
        var line: String
        if !file.isRefused {
            line = "\(subject): \(Count.text(file.findings.count, "warning"))"
        } else if let published = file.file {
            let version = "version \(published.digest.prefix(8)) from \(InternetDate.string(file.loadedAt))"
            line = "\(subject): new file rejected (\(Count.text(errors.count, "error"))), still serving \(version)"
        } else {
            line = "\(subject): file rejected (\(Count.text(errors.count, "error"))), answering 503"
        }
        let shown = file.isRefused ? errors : file.findings
        guard let first = shown.first else { return line }
        line += "; \(shown.count > 1 ? "first: " : "")\(first.shortLine)"
        // What cannot be read has no details.
        if first.diagnostic != nil { line += "; details: aasa validate \(Self.validated(first.path, file))" }
        return line
    }

    /// An association file is named by its folder, as people do.
    private static func validated(_ path: String, _ file: LoadedFile) -> String {
        file.name == SiteFile.association.name ? Path.folder(of: path) : path
    }
}
