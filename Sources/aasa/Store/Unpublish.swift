import ArgumentParser
import CommandLineSupport
import Diagnostics
import PostgreSQLStore
import SiteStore

struct Unpublish: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpublish",
        abstract: "Remove a file of a site, or the whole site, from all servers that follow a store.",
        discussion: manual.discussion(
            """
            Without --name all files of the domain are removed, and the site ends. The history keeps every version: \
            'aasa rollback' brings a file back.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa unpublish example.com --name assetlinks.json", "remove one file"),
            .init("aasa unpublish example.com --wait 30", "end a site, and wait until no server has it"),
        ],
        exits: [
            .init(.done, "if it was removed, or is removed already"),
            .init(
                .failed,
                "if it was never there, another file is current than --if-match says, or not all servers know in time"),
        ],
        seeAlso: ["aasa-publish(1)", "aasa-rollback(1)"])

    @Argument(help: ArgumentHelp("The domain of the site.", valueName: "domain"), transform: DomainArgument.read)
    var domain: DomainArgument

    @Option(
        help: ArgumentHelp("Remove only the file NAME (default: all files of the site).", valueName: "name"),
        transform: FileNameOption.read)
    var name: String?

    @OptionGroup var publishing: PublishingOptions
    @OptionGroup var options: StoreSelection

    func validate() throws {
        if publishing.ifMatch != nil, name == nil {
            throw ValidationError("'--if-match' is about one file; name it with '--name'")
        }
    }

    func run() throws { try options.reporting("aasa unpublish", unpublish) }

    private func unpublish() throws {
        let connection = try options.connect()
        var result = try name.map { try removeFile($0, over: connection) } ?? removeSite(over: connection)
        publishing.wait(for: &result, over: connection)
        try result.write(options, path: "", least: publishing.nodes ?? 0)
    }

    private func removeFile(_ name: String, over connection: StoreConnection) throws -> PublicationResult {
        let key = StoreFileKey(domain: domain.domain, name: name)
        guard try StoreVersions.versions(of: key, limit: 1, over: connection).first != nil else {
            throw CommandFailure.notInStore("\(quoted(key.description, limit: 300)) was never published")
        }
        return try PublicationRequest(
            publication: StorePublication(key, bytes: nil, message: publishing.message), host: domain.host, path: "",
            condition: try publishing.condition(for: key, over: connection), isDryRun: publishing.dryRun
        ).run(over: connection, show: options.showing(path: ""))
    }

    private func removeSite(over connection: StoreConnection) throws -> PublicationResult {
        let domain = self.domain.domain
        var entries: [StoreListing.Entry] = []
        try StoreListing.forEachFile(matching: domain, includesRemoved: true, over: connection) {
            (entry) throws(StoreError) in
            // A wildcard is a pattern that others fit as well.
            if entry.key.domain == domain { entries.append(entry) }
        }
        guard !entries.isEmpty else {
            throw CommandFailure.notInStore("\(quoted(domain, limit: 300)) was never published")
        }
        let present = entries.filter { $0.digest != nil }
        let only = entries.count == 1 ? entries.first : nil
        var result = PublicationResult(
            kind: present.isEmpty ? .unchanged : publishing.dryRun ? .wouldPublish : .removed, domain: domain,
            name: nil)
        if let key = only?.key {
            result.previous = try StoreVersions.versions(of: key, limit: 1, over: connection).first
        }
        if result.kind == .unchanged {
            // Whoever waits for the nodes waits for the removal.
            for entry in entries {
                let last = try StoreVersions.versions(of: entry.key, limit: 1, over: connection).first
                result.generation = max(result.generation ?? 0, last?.generation ?? 0)
            }
        }
        guard result.kind == .removed else { return result }
        let removed = try StorePublishing.remove(
            domains: [domain], message: publishing.message, over: connection)
        result.removed = removed.files
        result.generation = removed.generation
        return result
    }
}
