import ArgumentParser
import AssociationFiles
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics
import DomainNames
import FindingCatalogue
import LinkPages
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

            Everything is one change of the store, so that servers see all of it or nothing. What changes is shown before it \
            is written. If --prune ends more than 10 sites, and more than a tenth of all, --removes must say how many.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa store import /etc/aasa/sites", "publish a folder of sites"),
            .init(
                "aasa store import sites --certs certs --store-key-file store.key", "with the certificates"),
            .init("aasa store import sites --prune --dry-run", "show what would be published and removed"),
        ],
        exits: [
            .init(.done, "if everything is in the store"),
            .init(
                .failed,
                "if something was left because of its errors, --removes names another number, or not all servers have it in time"
            ),
            .init(.missingFile, "if a folder cannot be read"),
        ],
        seeAlso: ["aasa-publish(1)", "aasa-store-export(1)"])

    @Argument(help: ArgumentHelp("The folder of sites.", valueName: "sites"), completion: .directory)
    var sites: String

    @Option(
        help: ArgumentHelp("Import the certificates in FOLDER, too.", valueName: "folder"), completion: .directory)
    var certs: String?

    @Flag(help: "Remove the domains and the files that SITES does not have.")
    var prune = false

    @Option(help: ArgumentHelp("With --prune, end exactly N sites (required for many).", valueName: "n"))
    var removes: Int?

    @Flag(help: "Show what would be done, and write nothing.")
    var dryRun = false

    @Flag(help: "Show all changes (default: the first 20).")
    var all = false

    @OptionGroup var recording: MessageOption
    @OptionGroup var waiting: WaitOptions
    @OptionGroup var keys: StoreKeyOptions
    @OptionGroup var options: StoreSelection

    func validate() throws {
        if removes != nil, !prune { throw ValidationError("'--removes' needs '--prune'") }
    }

    func run() throws { try options.reporting("aasa store import", importAll) }

    private func importAll() throws {
        let ring = try certs.map { _ in try keys.requiredKeys(options) }
        var configuration = try options.serverConfiguration()
        configuration.sites = sites
        let folders = try Self.folders(sites)
        let connection = try options.connect()
        var run = SiteImport(
            configuration, options, isDryRun: dryRun, message: recording.message, mostShown: all ? .max : 20)
        for folder in folders { try run.add(folder, over: connection) }
        try run.finishBatch(over: connection)
        if prune { try run.prune(removes, over: connection) }
        run.showChanges()
        // Before the sites: a node that reads a new store in between takes nothing over until it has files.
        if let certs, let ring { try run.add(certificates: certs, ring, over: connection) }
        try run.publish(waiting, over: connection)
        run.write()
        if let failure = run.nodesFailure(least: waiting.nodes ?? 0) {
            StandardError.write("error: \(failure)")
            throw ExitStatus.failed.code
        }
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

/// The import of a folder of sites: the contents a thousand files at a time, then all versions as one change.
private struct SiteImport {
    private let configuration: ServerConfiguration
    private let options: StoreSelection
    private let message: String?
    private let access: SiteFileAccess
    private let names: [String]
    private let isDryRun: Bool
    private var checker: FileChecker
    private var waiting: [StorePublication] = []
    private var waitingBytes = 0
    private var reports: [FileReport] = []
    private var notes: [Report.Note] = []
    private var files = 0
    /// The folders of each domain.
    private var folders: [String: [String]] = [:]
    /// The files that are new, differ or are removed; the contents are in the store already.
    private var rows: [StorePublication] = []
    private var changes: ImportChanges
    private var published = 0
    private var removed: [StoreFileKey] = []
    private var ended = 0
    /// Whether the number of sites that end has to be confirmed, which has been done.
    private var isConfirmed = false
    private var generation: Int64?
    private var nodes: NodeProgress?
    private var certificates: CertificateImport?
    private var failures = 0

    init(
        _ configuration: ServerConfiguration, _ options: StoreSelection, isDryRun: Bool, message: String?,
        mostShown: Int
    ) {
        self.configuration = configuration
        self.options = options
        self.isDryRun = isDryRun
        self.message = message
        changes = ImportChanges(options.output, most: mostShown)
        access = SiteFileAccess(configuration)
        checker = FileChecker(limit: configuration.limits.fileBytes, rules: AllRules.catalogue)
        let names = [FileNameOption.standard, "assetlinks.json"]
        self.names = names + configuration.wellKnown.map(\.name).filter { !names.contains($0) }
    }

    var hasFailures: Bool { failures > 0 || certificates?.failures.isEmpty == false }

    /// Reads and checks the files of a site.
    mutating func add(_ folder: String, over connection: StoreConnection) throws {
        let path = Path.join(configuration.sites, folder)
        let domain: String
        do throws(DomainError) {
            domain = try Domain(folder: folder).identifier
        } catch {
            return fail(path, "the folder's name \(error.message)" + (error.help.map { "; \($0)" } ?? ""))
        }
        folders[domain, default: []].append(path)
        for name in names where name != SiteFile.links.name && !Path.isMissing("\(path)/\(name)") {
            if let file = read(name, of: domain, in: path) { try publish(file, over: connection) }
        }
        let named = try addLinks(of: domain, in: path, over: connection)
        for name in Folder.names(in: path, most: 1_000).sorted()
        where !names.contains(name) && !named.contains(name) && name != ".aasa.json" {
            notes.append(Report.Note(path: Path.join(path, name), message: "left, because no server would serve it"))
        }
    }

    /// Reads `links.json` and the files that it names, which are published before it.
    ///
    /// - Returns: the names of all of them.
    private mutating func addLinks(
        of domain: String, in path: String, over connection: StoreConnection
    ) throws(StoreError) -> [String] {
        let name = SiteFile.links.name
        let images = access.images(in: path)
        var named: [String] = []
        let links =
            Path.isMissing("\(path)/\(name)")
            ? nil
            : read(name, of: domain, in: path) { name, limit in
                named.append(name)
                return images(name, limit)
            }
        guard let links else { return named + [name] }
        var problem: String?
        for image in named where !names.contains(image) {
            if StoreNames.isFileName(image), let file = read(image, of: domain, in: path) {
                try publish(file, over: connection)
            } else {
                problem = "it names \(quoted(image)), which cannot be published"
            }
        }
        if let problem { fail("\(path)/\(name)", problem) } else { try publish(links, over: connection) }
        return named + [name]
    }

    /// Reads and checks a file; nil if that fails, which is reported.
    ///
    /// - Parameter images: Finds those that a `links.json` names.
    private mutating func read(
        _ name: String, of domain: String, in path: String, _ images: LinkImageLookup? = nil
    ) -> StorePublication? {
        let file = "\(path)/\(name)"
        let bytes: [UInt8]
        do throws(SystemError) {
            let limits = configuration.limits
            bytes = try access.readSettled(
                name, in: path, limit: images == nil ? limits.fileBytes : limits.linksBytes
            ).bytes
        } catch {
            failures += 1
            reports.append(UnreadableFile.report(file, "the file cannot be read: \(error.reason)"))
            return nil
        }
        files += 1
        let siteFile = SiteFile(name: name, in: configuration)
        let judgement = checker.judge(
            bytes, as: siteFile, path: file, by: checker.linter(forFileAt: file),
            links: images.map { LinkSurroundings(domain: domain, configuration, images: $0) })
        if !judgement.report.diagnostics.isEmpty { reports.append(judgement.report) }
        guard judgement.isAcceptable else {
            failures += 1
            return nil
        }
        return StorePublication(
            StoreFileKey(domain: domain, name: name), bytes, Report([judgement.report], fileCount: 1),
            message: message ?? "import",
            lint: siteFile.kind == .other ? nil : checker.configurationText(forFileAt: file, publishedAs: name))
    }

    /// Has a file published, its contents as soon as there are enough of them.
    private mutating func publish(_ file: StorePublication, over connection: StoreConnection) throws(StoreError) {
        waiting.append(file)
        waitingBytes += file.bytes?.count ?? 0
        let batch = StorePublishing.batch
        if waiting.count >= batch.files || waitingBytes >= batch.bytes { try finishBatch(over: connection) }
    }

    private mutating func fail(_ path: String, _ message: String) {
        failures += 1
        let finding = Diagnostic(code: .unnamed, severity: .error, message: message, subject: .file(path))
        reports.append(FileReport(SourceText([], path: path), [finding]))
    }

    /// Writes the contents of what was read and differs.
    mutating func finishBatch(over connection: StoreConnection) throws(StoreError) {
        guard !waiting.isEmpty else { return }
        let changed = try StorePublishing.changed(waiting, over: connection).map { waiting[$0] }
        waiting = []
        waitingBytes = 0
        for file in changed {
            try changes.add(file, folder: folders[file.key.domain]?.last ?? "", over: connection)
        }
        published += changed.count
        guard !isDryRun else { return }
        let contents = Dictionary(changed.compactMap { file in file.digest.map { ($0, file.bytes) } }) { first, _ in
            first
        }
        try StorePublishing.addContents(contents.values.compactMap { $0 }, over: connection)
        rows += changed.map(\.withoutBytes)
    }

    /// Removes the domains without a folder, and the files that are not in theirs.
    ///
    /// - Parameter told: how many sites are meant to end; nil if the option is not given.
    mutating func prune(_ told: Int?, over connection: StoreConnection) throws {
        guard !folders.isEmpty else {
            throw CommandFailure(
                status: .failed, code: .unusableFile, message: "the folder '\(configuration.sites)' has no site",
                help: "'--prune' would remove all domains; to remove them, use 'aasa unpublish'")
        }
        var held: [String: Bool] = [:]
        var gone: [StoreFileKey] = []
        try StoreListing.forEachFile(over: connection) { (entry) throws(StoreError) in
            let key = entry.key
            let isGone = folders[key.domain]?.allSatisfy { Path.isMissing("\($0)/\(key.name)") } ?? true
            held[key.domain] = (held[key.domain] ?? true) && isGone
            if isGone { gone.append(key) }
        }
        for row in rows where held[row.key.domain] != nil { held[row.key.domain] = false }
        ended = held.values.count { $0 }
        let isMass = MassRemoval.isMass(ended, of: held.count)
        if let told, told != ended {
            throw refusal(ended, of: held.count, "'--removes' says \(grouped(told))")
        }
        if isMass, told == nil, !isDryRun {
            throw refusal(ended, of: held.count, "which is more than 10 and more than a tenth")
        }
        isConfirmed = isMass
        removed = gone
        for key in gone {
            let removal = StorePublication(key, bytes: nil, message: message ?? "import --prune")
            rows.append(removal)
            try changes.add(removal, folder: "", over: connection)
        }
    }

    private func refusal(_ ended: Int, of total: Int, _ reason: String) -> CommandFailure {
        CommandFailure(
            status: .failed, code: .usage,
            message:
                "'--prune' would end \(grouped(ended)) of \(counted(total, "site")), \(reason); nothing is published",
            help: "look at them with '--dry-run'; if that is meant, say '--removes \(ended)'")
    }

    /// Publishes and removes what has changed, and waits for the nodes.
    mutating func publish(_ waiting: WaitOptions, over connection: StoreConnection) throws(StoreError) {
        guard !isDryRun, !rows.isEmpty || waiting.wait != nil else { return }
        let batch = try StorePublishing.publish(rows, isConfirmed: isConfirmed, over: connection)
        // Somebody else may have published the same since it was compared.
        published = batch.published.count { rows[$0].digest != nil }
        generation = batch.generation
        // Those that 'links.json' names are answered with it.
        let served = names + [SiteFile.links.name]
        let files = rows.filter { $0.digest != nil && served.contains($0.key.name) }.map(\.key)
        nodes = waiting.progress(to: batch.generation, serving: files, over: connection)
    }

    func nodesFailure(least: Int) -> String? {
        generation.flatMap { generation in nodes?.failure(generation: generation, least: least) }
    }

    /// Prints what changes, before it is written; for a program all is in one object in the end.
    func showChanges() {
        guard options.format == .text else { return }
        StandardOutput.print(changes.lines)
    }

    mutating func add(certificates folder: String, _ keys: StoreKeyRing, over connection: StoreConnection) throws {
        var certificates = CertificateImport(keys, isDryRun: isDryRun)
        try certificates.run(folder, over: connection)
        self.certificates = certificates
    }

    /// Prints the findings, and what was done.
    func write() {
        options.write(
            lines,
            json: [
                "files": .number(files), "published": .number(published),
                "unchanged": .number(max(0, files - failures - published)), "refused": .number(failures),
                "removed": .number(ended), "removedFiles": .number(removed.count),
                "generation": generation.map { .number(Int($0)) } ?? .null, "changes": changes.json,
                "nodes": nodes?.json ?? .null, "certificates": certificates.map { .number($0.written) } ?? .null,
                "dryRun": .boolean(isDryRun), "diagnostics": reports.json,
            ])
    }

    private var lines: [String] {
        let report = Report(reports, fileCount: files, notes: notes)
        let findings = reports.isEmpty && notes.isEmpty ? [] : report.lines(options.output, isQuiet: false)
        return findings + (certificates?.failures ?? []).map { VisibleText.escaped($0) } + [summary]
    }

    private var summary: String {
        var parts = ["\(counted(files, "file")): \(published) \(isDryRun ? "would be published" : "published")"]
        if failures > 0 { parts.append("\(failures) left because of errors") }
        if !removed.isEmpty {
            parts.append(
                "\(counted(removed.count, "file")) \(isDryRun ? "would be removed" : "removed")"
                    + (ended > 0 ? ", which ends \(counted(ended, "domain"))" : ""))
        }
        if let certificates { parts.append("\(counted(certificates.written, "certificate")) written") }
        if let generation { parts.append("generation \(generation)") }
        let text = parts.joined(separator: ", ") + (nodes.map { "; \($0.text)" } ?? "")
        let needed = isDryRun && isConfirmed ? "; '--removes \(ended)' is needed for it" : ""
        return text + needed
    }
}
