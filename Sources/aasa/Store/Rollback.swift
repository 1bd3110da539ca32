import ArgumentParser
import AssociationFiles
import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import PostgreSQLStore
import SiteStore

struct Rollback: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Publish an earlier version of a file again.",
        discussion: manual.discussion(
            """
            The bytes of VERSION become a new version, so that the history stays as it was. They are checked again: a \
            version that has errors by now is refused. Without VERSION the newest one with other bytes than the current \
            file is taken, after a removal the last one that there was.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa rollback example.com", "return to the version before"),
            .init("aasa rollback example.com 12 --dry-run", "show which links version 12 would change"),
        ],
        exits: [
            .init(.done, "if it was published, or is the same already"),
            .init(
                .failed,
                "if there is no such version, it has errors, another file is current than --if-match says, or not all "
                    + "servers have it in time"),
        ],
        seeAlso: ["aasa-history(1)", "aasa-publish(1)"])

    @Argument(help: ArgumentHelp("The domain of the site.", valueName: "domain"), transform: DomainArgument.read)
    var domain: DomainArgument

    @Argument(help: ArgumentHelp("The number of the version.", valueName: "version"))
    var version: Int64?

    @OptionGroup var name: FileNameOption
    @OptionGroup var publishing: PublishingOptions
    @OptionGroup var options: StoreSelection

    func validate() throws {
        if let version, version < 1 { throw ValidationError("'\(version)' is not a version; the first is 1") }
    }

    func run() throws { try options.reporting("aasa rollback", rollBack) }

    private func rollBack() throws {
        let key = StoreFileKey(domain: domain.domain, name: name.name ?? FileNameOption.standard)
        let connection = try options.connect()
        let number = try version ?? Self.target(key, over: connection)
        guard let file = try StoreVersions.file(key, version: number, over: connection) else {
            throw CommandFailure.notInStore(
                "\(quoted(key.description, limit: 300)) has no version \(number)",
                help: "'aasa history \(domain.domain)' lists the versions")
        }
        guard let contents = file.contents else {
            throw CommandFailure.notInStore(
                "version \(number) of \(quoted(key.description, limit: 300)) is a removal, and has no bytes",
                help: "to remove the file, use 'aasa unpublish'")
        }
        let settings = try options.judgingSettings()
        var checker = FileChecker(limit: settings.limits.fileBytes, rules: AllRules.catalogue)
        let judgement = checker.judge(
            contents.bytes, as: SiteFile(name: key.name, in: settings), path: file.path,
            by: file.lint.map {
                checker.linter(
                    forFileAt: key.name, configuredBy: $0, at: "store:\(key.domain)/\(LintConfiguration.fileName)")
            } ?? checker.linter, links: LinkSurroundings(of: key.domain, settings, over: connection))
        let report = Report([judgement.report, judgement.configuration].compactMap { $0 }, fileCount: 1)
        let publication = StorePublication(
            key, contents.bytes, report, message: publishing.message ?? "rollback to version \(number)",
            lint: file.lint)
        guard judgement.isAcceptable else {
            return try PublicationResult.refused(publication, report).write(options, path: file.path, least: 0)
        }
        let request = PublicationRequest(
            publication: publication, host: domain.host, report: report, path: file.path,
            condition: try publishing.condition(for: key, over: connection), isDryRun: publishing.dryRun)
        try publishing.warn(about: key, over: connection)
        var result = try request.run(over: connection, show: options.showing(path: file.path))
        publishing.wait(for: &result, serving: key, over: connection)
        try result.write(options, path: file.path, least: publishing.nodes ?? 0)
    }

    /// The newest version with bytes that are not the current ones.
    private static func target(_ key: StoreFileKey, over connection: StoreConnection) throws -> Int64 {
        let versions = try StoreVersions.versions(of: key, limit: nil, over: connection)
        guard let current = versions.first else {
            throw CommandFailure.notInStore("\(quoted(key.description, limit: 300)) was never published")
        }
        guard let target = versions.first(where: { $0.digest != nil && $0.digest != current.digest }) else {
            throw CommandFailure.notInStore(
                "\(quoted(key.description, limit: 300)) has no version with other bytes than the current one")
        }
        return target.version
    }
}
