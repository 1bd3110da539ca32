internal import AssociationLint
internal import Diagnostics
internal import EventLoops

/// Reads the folder of sites, and has their files checked as `aasa validate` does (server.md, sections 1 and 5).
struct SiteLoader {
    static let fileName = "apple-app-site-association"
    /// More than this no system of Apple's reads.
    private static let systemLimit = 131_072

    private let folder: String
    private let fileBytes: Int
    private let cacheMaxAge: Int
    /// What is served now, by domain.
    private let previous: [String: LoadedSite]

    /// - Parameter previous: the sites that are served now.
    init(_ configuration: ServerConfiguration, previous: [LoadedSite] = []) {
        folder = configuration.sites
        fileBytes = configuration.limits.fileBytes
        cacheMaxAge = configuration.cacheMaxAge
        self.previous = Dictionary(previous.map { ($0.domain, $0) }) { first, _ in first }
    }

    /// - Throws: `ServerError.Code.unreadable` if the folder itself cannot be read; what is wrong with one site is a
    ///   finding, that of the site or, for a folder that can be no site, one of those that are returned.
    func load() throws(ServerError) -> (sites: [LoadedSite], findings: [Finding]) {
        let names: [String]
        do throws(SystemError) {
            names = try FileAccess.folders(in: folder)
        } catch {
            let help = "expected a folder with a folder for each domain, like '\(folder)/example.com'"
            throw ServerError(.unreadable, "cannot read the sites folder '\(folder)': \(error.reason); \(help)")
        }
        var sites: [LoadedSite] = []
        var findings: [Finding] = []
        var checker = FileChecker()
        for name in names {
            let path = Path.join(folder, name)
            if let domain = Self.domain(of: name) {
                sites.append(site(domain, "\(path)/\(Self.fileName)", &checker))
            } else {
                findings.append(.error(path, Self.nameProblem(name)))
            }
        }
        findings += checker.configurationReports().flatMap(Self.findings)
        return (sites, findings)
    }

    private func site(_ domain: String, _ path: String, _ checker: inout FileChecker) -> LoadedSite {
        let lastGood = previous[domain]?.file
        let contents: FileAccess.Contents
        do throws(SystemError) {
            contents = try FileAccess.read(path, limit: fileBytes)
        } catch {
            let finding = Finding.error(path, "the file cannot be read: \(error.reason)")
            return LoadedSite(domain: domain, file: lastGood, findings: [finding], isRefused: true)
        }
        let findings = check(contents.bytes, path, &checker)
        guard findings.allSatisfy({ $0.severity == .warning }) else {
            return LoadedSite(domain: domain, file: lastGood, findings: findings, isRefused: true)
        }
        let file = lastGood.flatMap { $0.hasBytes(contents.bytes) ? $0 : nil } ?? published(contents)
        return LoadedSite(domain: domain, file: file, findings: findings, isRefused: false)
    }

    private func check(_ bytes: [UInt8], _ path: String, _ checker: inout FileChecker) -> [Finding] {
        guard bytes.count <= fileBytes else { return [tooLarge(path)] }
        let linter = checker.linter(forFileAt: path)
        return Self.findings(checker.report(linter.linter.check(bytes, path: path), by: linter))
    }

    private static func findings(_ report: FileReport) -> [Finding] {
        report.diagnostics.map { Finding($0, in: report.source) }
    }

    private func tooLarge(_ path: String) -> Finding {
        let notes = fileBytes < Self.systemLimit ? [] : ["the system ignores files of more than \(Self.systemLimit)"]
        return Finding(
            Diagnostic(
                code: DiagnosticCode(rawValue: "file-too-large"), severity: .error,
                message: "the file has more than \(fileBytes) bytes, which is what 'limits.fileBytes' allows",
                range: SourceRange(start: 0, end: 0), notes: notes),
            in: SourceText([], path: path))
    }

    private func published(_ contents: FileAccess.Contents) -> PublishedFile {
        PublishedFile(
            // Never later than the answer's date (RFC 9110, section 8.8.2.1).
            bytes: contents.bytes, lastModified: min(contents.modified, Clock.wallSeconds()), cacheMaxAge: cacheMaxAge)
    }

    // MARK: Names

    private static func domain(of folder: String) -> String? {
        let isWildcard = folder.hasPrefix(HostName.wildcardPrefix)
        let name = isWildcard ? String(folder.dropFirst(HostName.wildcardPrefix.count)) : folder
        guard HostName.isValid(name), name == name.lowercased() else { return nil }
        return isWildcard ? "*.\(name)" : name
    }

    private static func nameProblem(_ folder: String) -> String {
        let lower = folder.lowercased()
        if folder != lower, domain(of: lower) != nil {
            return "the folder's name is not in lower case; name it '\(lower)'"
        }
        return "the folder's name is not a host name; expected one like 'example.com' or '_wildcard.example.com'"
    }
}
