import ArgumentParser
import AssociationFiles
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import PostgreSQLStore
import SiteStore

struct Publish: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a file of a site to all servers that follow a store.",
        discussion: manual.discussion(
            """
            Checks FILE as 'aasa validate' does, shows which links change, and writes the file into the store. Every \
            server with this store serves it within a second. A file with errors is never written, and the same bytes as \
            before are no new version, so that the command can be repeated.

            DOMAIN is a host like example.com, or *.example.com for a wildcard.

            --if-match keeps two people from overwriting each other's changes: it names the SHA-256 that must be current \
            ('aasa sites' and 'aasa history' show it).
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init(
                "aasa publish example.com apple-app-site-association --store postgresql://deploy@db/links",
                "publish a file"),
            .init(
                "aasa publish example.com assetlinks.json --name assetlinks.json --wait 30",
                "publish the file for Android, and wait until all servers have it"),
            .init("aasa publish example.com new.json --dry-run", "show which links would change"),
        ],
        exits: [
            .init(.done, "if it was published, or is the same already"),
            .init(
                .failed,
                "if the file has errors (with --strict: or warnings), another file is current than --if-match says, or "
                    + "not all servers have it in time"),
            .init(.missingFile, "if the file cannot be read"),
        ],
        seeAlso: ["aasa-history(1)", "aasa-rollback(1)", "aasa-store(1)", "aasa-validate(1)"])

    @Argument(help: ArgumentHelp("The domain of the site.", valueName: "domain"), transform: DomainArgument.read)
    var domain: DomainArgument

    @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var name: FileNameOption

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup var options: StoreSelection

    func run() throws { try options.reporting("aasa publish", publish) }

    private func publish() throws {
        let name = self.name.name ?? FileNameOption.standard
        let bytes = try AssociationFile.content(file, for: "aasa publish \(domain.domain) -")
        let path = InputFile.name(file)
        let settings = try options.judgingSettings()
        let siteFile = SiteFile(name: name, in: settings)
        var checker = FileChecker(limit: settings.limits.fileBytes, rules: AllRules.catalogue)
        // Links are judged with the images that the store has.
        let early = siteFile.kind == .links ? try options.connect() : nil
        let judgement = checker.judge(
            bytes, as: siteFile, path: path, by: checker.linter(forFileAt: file),
            links: early.map { LinkSurroundings(of: domain.domain, settings, over: $0) })
        let lint = siteFile.kind == .other ? nil : checker.configurationText(forFileAt: file, publishedAs: name)
        let report = Report([judgement.report] + checker.configurationReports(), fileCount: 1)
        let key = StoreFileKey(domain: domain.domain, name: name)
        let publication = StorePublication(key, bytes, report, message: publishing.message, lint: lint)
        guard report.errorCount == 0, !strict || report.warningCount == 0 else {
            return try PublicationResult.refused(publication, report).write(options, path: path, least: 0)
        }
        let connection = try early ?? options.connect()
        let request = PublicationRequest(
            publication: publication, host: domain.host, report: report, path: path,
            condition: try publishing.condition(for: key, over: connection), isDryRun: publishing.dryRun)
        try publishing.warn(about: key, over: connection)
        var result = try request.run(over: connection, show: options.showing(path: path))
        publishing.wait(for: &result, serving: key, over: connection)
        try result.write(options, path: path, least: publishing.nodes ?? 0)
    }
}
