internal import AssociationFiles
internal import Diagnostics
internal import Logging
internal import SystemSupport

/// Writes findings to the log: one line for each file of a site, and one for each other finding, up to a number of either.
struct FindingLog {
    /// A broken file must not fill a disk.
    static let mostOfOnePath = 20
    /// The most files of sites, and the most other paths, that have lines in one batch; one more line counts the others. A
    /// publisher can change all sites by one statement.
    static let mostPaths = 100

    let logger: Logger

    /// Everything that was found.
    func write(_ snapshot: ServerSnapshot) {
        write(snapshot.loadedSites.lazy.flatMap { site in site.files.lazy.map { (site.domain, $0) } })
        write(snapshot.otherFindings)
    }

    func write(_ findings: [LocatedDiagnostic]) {
        var rest = findings[...]
        var paths = 0
        while paths < Self.mostPaths, let first = rest.first {
            let ofOnePath = rest.prefix { $0.path == first.path }
            rest = rest.dropFirst(ofOnePath.count)
            paths += 1
            for finding in ofOnePath.prefix(Self.mostOfOnePath) {
                logger.log(
                    level: Self.level([finding]), "\(finding.isOfStore ? finding.storeLogLine : finding.logLine)")
            }
            let omitted = ofOnePath.dropFirst(Self.mostOfOnePath)
            if !omitted.isEmpty {
                logger.log(level: Self.level(omitted), "\(first.path): \(grouped(omitted.count)) more")
            }
        }
        if !rest.isEmpty {
            logger.log(level: Self.level(rest), "\(counted(rest.count, "more finding")); \(Self.listing)")
        }
    }

    private static let listing = "'aasa status' and /sites of the admin listener list all sites"

    private static func level(_ findings: some Sequence<LocatedDiagnostic>) -> Logger.Level {
        findings.contains(where: \.isError) ? .error : .warning
    }

    /// Writes about files of sites.
    func write(_ files: some Sequence<(domain: String, file: LoadedFile)>) {
        var written = 0
        var others = 0
        var refused = 0
        for (domain, file) in files where !file.findings.isEmpty {
            guard written < Self.mostPaths else {
                others += 1
                if file.isRefused { refused += 1 }
                continue
            }
            written += 1
            logger.log(level: file.isRefused ? .error : .warning, "\(Self.line(file, of: domain))")
        }
        guard others > 0 else { return }
        logger.log(
            level: refused > 0 ? .error : .warning,
            "\(counted(others, "more file")) with findings, \(grouped(refused)) of them rejected; \(Self.listing)")
    }

    /// The line for a file: what has happened, what it means for the site, and where to find out more.
    private static func line(_ file: LoadedFile, of domain: String) -> String {
        let subject = file.name == SiteFile.association.name ? domain : "\(domain)/\(file.name)"
        let errors = file.findings.filter(\.isError)
        var line: String
        if !file.isRefused {
            line = "\(subject): \(counted(file.findings.count, "warning"))"
        } else if let published = file.file {
            let version = "version \(published.digest.prefix(8)) from \(InternetDate.string(file.loadedAt))"
            line = "\(subject): new file rejected (\(counted(errors.count, "error"))), still serving \(version)"
        } else {
            let answer = file.name == SiteFile.links.name ? "no link answers" : "answering 503"
            line = "\(subject): file rejected (\(counted(errors.count, "error"))), \(answer)"
        }
        let shown = file.isRefused ? errors : file.findings
        guard let first = shown.first else { return line }
        line += "; \(shown.count > 1 ? "first: " : "")\(first.shortLogLine)"
        // What cannot be read has no details.
        if first.start != nil { line += "; details: \(command(for: file, of: domain, at: first.path))" }
        return line
    }

    /// The command that shows all findings in a file.
    private static func command(for file: LoadedFile, of domain: String, at path: String) -> String {
        guard let stored = file.basis.stored else { return "aasa validate \(validatePath(path, file))" }
        let name = file.name == SiteFile.association.name ? "" : " --name \(file.name)"
        let check = file.name == SiteFile.links.name ? "links check" : "validate"
        return "aasa history '\(domain)'\(name) --print \(stored.version) | aasa \(check) -"
    }

    /// An association file is named by its folder, as people do.
    private static func validatePath(_ path: String, _ file: LoadedFile) -> String {
        file.name == SiteFile.association.name ? Path.folder(of: path) : path
    }
}

extension LocatedDiagnostic {
    /// Whether it is about a store.
    var isOfStore: Bool { diagnostic.code.rawValue.hasPrefix("store-") }

    /// The line for a log of a finding about a store: it ends in the code.
    var storeLogLine: String {
        let help = diagnostic.help.map { "; help: \($0)" } ?? ""
        return "\(path.isEmpty ? "" : "\(path): ")\(message)\(help) [\(diagnostic.code)]"
    }
}
