import ArgumentParser
import AssociationFiles
import AssociationServer
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import PostgreSQLStore
import SiteStore
import SystemSupport

struct StoreImportCommand: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Publish a folder of sites, and certificates with their keys.",
        discussion: manual.discussion(
            """
            Reads SITES/<domain>/ as 'aasa serve' does: apple-app-site-association, assetlinks.json, links.json with the \
            images that it names, and the names in 'wellKnown' of server.json. Files with errors are reported and left, files with the same bytes as in \
            the store are skipped, so that a broken-off import is simply repeated. Private keys are encrypted before they \
            leave this machine.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa store import /etc/aasa/sites", "publish a folder of sites"),
            .init(
                "aasa store import sites --certs certs --store-key-file store.key", "with the certificates"),
        ],
        exits: [
            .init(.done, "if everything is in the store"),
            .init(.failed, "if something was left, because of its errors"),
            .init(.missingFile, "if a folder cannot be read"),
        ] + PublishingOptions.exits,
        environment: [.init(StoreSelection.variable, "The store, if --store does not name one.")],
        seeAlso: ["aasa-publish(1)", "aasa-store-export(1)"])

    @Argument(help: ArgumentHelp("The folder of sites.", valueName: "sites"), completion: .directory)
    var sites: String

    @Option(
        help: ArgumentHelp("Import the certificates in FOLDER, too.", valueName: "folder"), completion: .directory)
    var certs: String?

    @Flag(help: "Remove the domains that SITES has no folder for.")
    var prune = false

    @Flag(help: "Show what would be done, and write nothing.")
    var dryRun = false

    @OptionGroup var keys: StoreKeyOptions
    @OptionGroup var options: StoreSelection

    func run() throws { try options.reporting("aasa store import", importAll) }

    private func importAll() throws {
        let ring = try certs.map { _ in try keys.requiredKeys(options) }
        var configuration = try options.serverConfiguration()
        configuration.sites = sites
        let folders = try Self.folders(sites)
        var connection = try options.connect()
        var run = SiteImport(configuration, isDryRun: dryRun)
        for folder in folders { try run.add(folder, over: &connection) }
        try run.finish(over: &connection)
        if prune { try run.prune(over: &connection) }
        if let certs, let ring { try run.add(certificates: certs, ring, over: &connection) }
        run.write(options)
        if run.hasFailures { throw ExitStatus.failed.code }
    }

    static func folders(_ path: String) throws -> [String] {
        do throws(SystemError) {
            return try Folder.folders(in: path)
        } catch {
            throw CommandFailure(
                status: .missingFile, code: .unreadableFile,
                message: "cannot read the folder '\(path)': \(error.reason)",
                path: path)
        }
    }
}

/// The import of a folder of sites, a thousand files at a time.
private struct SiteImport {
    private let configuration: ServerConfiguration
    private let access: SiteFileAccess
    private let names: [String]
    private let isDryRun: Bool
    private var checker = FileChecker(rules: AllRules.catalogue)
    private var waiting: [StorePublication] = []
    private var waitingBytes = 0
    private var reports: [FileReport] = []
    private var notes: [Report.Note] = []
    private var files = 0
    private var domains: Set<String> = []
    private var published = 0
    private var removed: [StoreFileKey] = []
    private var certificates: CertificateImport?
    private var failures = 0

    init(_ configuration: ServerConfiguration, isDryRun: Bool) {
        self.configuration = configuration
        self.isDryRun = isDryRun
        access = SiteFileAccess(configuration)
        let names = [FileNameOption.standard, "assetlinks.json"]
        self.names = names + configuration.wellKnown.map(\.name).filter { !names.contains($0) }
    }

    var hasFailures: Bool { failures > 0 || certificates?.failures.isEmpty == false }

    /// Reads and checks the files of a site.
    mutating func add(_ folder: String, over connection: inout StoreConnection) throws {
        let path = Path.join(configuration.sites, folder)
        guard let domain = StoreNames.domain(ofFolder: folder) else {
            return fail(
                path, "the folder's name is not a domain; expected one like 'example.com' or '_wildcard.example.com'")
        }
        domains.insert(domain)
        for name in names where name != NamedFiles.source && !Path.isMissing("\(path)/\(name)") {
            if let file = read(name, of: domain, in: path) { try publish(file, over: &connection) }
        }
        let named = try addLinks(of: domain, in: path, over: &connection)
        for name in Folder.names(in: path, most: 1_000).sorted()
        where !names.contains(name) && !named.contains(name) && name != ".aasa.json" {
            notes.append(Report.Note(path: Path.join(path, name), message: "left, because no server would serve it"))
        }
    }

    /// Reads `links.json` and the files that it names, which are published before it.
    ///
    /// - Returns: the names of all of them.
    private mutating func addLinks(
        of domain: String, in path: String, over connection: inout StoreConnection
    ) throws(StoreError) -> [String] {
        let name = NamedFiles.source
        guard !Path.isMissing("\(path)/\(name)"), let links = read(name, of: domain, in: path),
            let bytes = links.bytes
        else { return [name] }
        let named = NamedFiles(in: bytes)
        var problems = named.others.map { "it names \(quoted($0)), which is not a file in the folder of the site" }
        for other in named.names where !names.contains(other) && other != name {
            if Path.isMissing("\(path)/\(other)") {
                problems.append("it names '\(other)', which is not there")
            } else if let file = read(other, of: domain, in: path) {
                try publish(file, over: &connection)
            } else {
                problems.append("it names '\(other)', which cannot be published")
            }
        }
        if problems.isEmpty { try publish(links, over: &connection) }
        for problem in problems.prefix(1) { fail("\(path)/\(name)", problem) }
        return named.names + [name]
    }

    /// Reads and checks a file; nil if that fails, which is reported.
    private mutating func read(_ name: String, of domain: String, in path: String) -> StorePublication? {
        let file = "\(path)/\(name)"
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try access.readSettled(name, in: path, limit: PublicationCheck.mostBytes).bytes
        } catch {
            failures += 1
            reports.append(UnreadableFile.report(file, "the file cannot be read: \(error.reason)"))
            return nil
        }
        files += 1
        let check = PublicationCheck(bytes, path: file, name: name, checker: &checker)
        reports += check.report.files.filter { !$0.diagnostics.isEmpty }
        guard !check.isRefused(isStrict: false) else {
            failures += 1
            return nil
        }
        return StorePublication(
            StoreFileKey(domain: domain, name: name), bytes: bytes, message: "import", lint: check.lint,
            findings: check.findings)
    }

    /// Publishes a file, as soon as there are enough of them.
    private mutating func publish(
        _ file: StorePublication, over connection: inout StoreConnection
    ) throws(StoreError) {
        waiting.append(file)
        waitingBytes += file.bytes?.count ?? 0
        let batch = StorePublishing.batch
        if waiting.count >= batch.files || waitingBytes >= batch.bytes { try finish(over: &connection) }
    }

    private mutating func fail(_ path: String, _ message: String) {
        failures += 1
        let finding = Diagnostic(code: .unnamed, severity: .error, message: message, subject: .file(path))
        reports.append(FileReport(SourceText([], path: path), [finding]))
    }

    /// Publishes what was read.
    mutating func finish(over connection: inout StoreConnection) throws(StoreError) {
        guard !waiting.isEmpty else { return }
        published += try StorePublishing.publish(waiting, isDryRun: isDryRun, over: &connection).published.count
        waiting = []
        waitingBytes = 0
    }

    /// Removes the domains without a folder.
    mutating func prune(over connection: inout StoreConnection) throws {
        guard !domains.isEmpty else {
            throw CommandFailure(
                status: .failed, code: .unusableFile, message: "the folder '\(configuration.sites)' has no site",
                help: "'--prune' would remove all domains; to remove them, use 'aasa unpublish'")
        }
        let gone = try StoreListing.domains(over: &connection).filter { !domains.contains($0) }
        guard !gone.isEmpty else { return }
        if isDryRun {
            removed = gone.map { StoreFileKey(domain: $0, name: "") }
        } else {
            removed = try StorePublishing.remove(domains: gone, message: "import --prune", over: &connection).files
        }
    }

    mutating func add(
        certificates folder: String, _ keys: StoreKeyRing, over connection: inout StoreConnection
    ) throws {
        var certificates = CertificateImport(keys, isDryRun: isDryRun)
        try certificates.run(folder, over: &connection)
        self.certificates = certificates
    }

    /// Prints the findings, and what was done.
    func write(_ options: StoreSelection) {
        let output = options.output
        var results = StandardOutput()
        let report = Report(reports, fileCount: files, notes: notes)
        switch options.format {
        case .text:
            if !reports.isEmpty || !notes.isEmpty {
                let text = ReportFormat.text.text(
                    report, style: output.style, width: output.width, showsFixed: false, isQuiet: false)
                if !text.isEmpty { results.write(text) }
            }
            for failure in certificates?.failures ?? [] { results.write(VisibleText.escaped(failure)) }
            results.write(summary)
        case .json:
            results.write(
                JSONOutput.object([
                    "version": .number(1), "files": .number(files), "published": .number(published),
                    "unchanged": .number(max(0, files - failures - published)), "refused": .number(failures),
                    "removed": .number(Set(removed.map(\.domain)).count),
                    "certificates": certificates.map { .number($0.written) } ?? .null,
                    "dryRun": .boolean(isDryRun),
                    "diagnostics": .array(
                        reports.flatMap { file in file.diagnostics.map { .object($0.members(in: file.source)) } }),
                ]).text)
        }
        results.flush()
    }

    private var summary: String {
        var parts = ["\(counted(files, "file")): \(published) \(isDryRun ? "would be published" : "published")"]
        if failures > 0 { parts.append("\(failures) left because of errors") }
        let domains = Set(removed.map(\.domain)).count
        if domains > 0 { parts.append("\(counted(domains, "domain")) \(isDryRun ? "would be removed" : "removed")") }
        if let certificates { parts.append("\(counted(certificates.written, "certificate")) written") }
        return parts.joined(separator: ", ")
    }
}
