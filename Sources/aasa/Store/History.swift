import ArgumentParser
import CommandLineSupport
import Diagnostics
import PostgreSQLStore
import SiteStore
import SystemSupport

struct History: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the versions of a file in a store: who published it, and when.",
        discussion: manual.discussion(
            "The newest version comes first. --print writes the bytes of a version exactly as they were published.")
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa history example.com --limit 10", "list the last ten versions"),
            .init("aasa history example.com --print 12 > old.json", "write a version into a file"),
        ],
        exits: [
            .init(.done, "if there are versions"), .init(.failed, "if the file or the version was never published"),
        ],
        seeAlso: ["aasa-publish(1)", "aasa-rollback(1)", "aasa-sites(1)"])

    @Argument(help: ArgumentHelp("The domain of the site.", valueName: "domain"), transform: DomainArgument.read)
    var domain: DomainArgument

    @OptionGroup var name: FileNameOption

    @Option(help: ArgumentHelp("Show at most N versions (default: all).", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Write the bytes of VERSION to standard output.", valueName: "version"))
    var print: Int64?

    @OptionGroup var options: StoreSelection

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("'--limit \(limit)' is out of range; expected 1 or more") }
        if let print, print < 1 { throw ValidationError("'\(print)' is not a version; the first is 1") }
        if print != nil, limit != nil { throw ValidationError("'--print' and '--limit' exclude each other") }
        if print != nil, options.format == .json {
            throw ValidationError("'--print' writes the bytes of a file; remove '--format'")
        }
    }

    func run() throws { try options.reporting("aasa history", list) }

    private func list() throws {
        let key = StoreFileKey(domain: domain.domain, name: name.name ?? FileNameOption.standard)
        let connection = try options.connect()
        if let version = print {
            let file = try StoreVersions.file(key, version: version, over: connection)
            guard let bytes = file?.contents?.bytes else {
                let reason = file == nil ? "has no version \(version)" : "was removed in version \(version)"
                throw CommandFailure.notInStore("\(quoted(key.description, limit: 300)) \(reason)")
            }
            return StandardOutput.print(bytes: bytes)
        }
        let versions = try StoreVersions.versions(of: key, limit: limit, over: connection)
        guard !versions.isEmpty else {
            throw CommandFailure.notInStore("\(quoted(key.description, limit: 300)) was never published")
        }
        let report = HistoryReport(key: key, versions: versions, output: options.output)
        options.write(report.lines, json: report.json)
    }
}

/// The versions of a file, as a table or as JSON.
struct HistoryReport {
    let key: StoreFileKey
    let versions: [StoredVersion]
    let output: OutputOptions

    var json: [String: JSONOutput] {
        ["domain": .string(key.domain), "name": .string(key.name), "versions": .array(versions.map(Self.json))]
    }

    private static func json(_ version: StoredVersion) -> JSONOutput {
        .object([
            "fileVersion": .number(Int(version.version)), "sha256": .optional(version.digest?.hex),
            "bytes": version.size.map(JSONOutput.number) ?? .null,
            "publishedAt": .string(InternetDate.string(version.publishedAt / 1_000_000)),
            "publishedBy": .string(version.publishedBy), "message": .optional(version.message),
            "current": .boolean(version.isCurrent),
            "findings": version.findings.map {
                .object(["errors": .number($0.errors), "warnings": .number($0.warnings)])
            } ?? .null,
        ])
    }

    var lines: [String] {
        let header = ["VERSION", "PUBLISHED", "BY", "SHA-256", "BYTES", "MESSAGE"]
        let rows = [header] + versions.map(Self.cells)
        let widths = header.indices.map { column in rows.map { TerminalWidth.columns($0[column]) }.max() ?? 0 }
        return rows.enumerated().map { index, row in
            var line = TableLine(index > 0 && versions[index - 1].isCurrent ? "* " : "  ")
            for (column, cell) in row.enumerated() {
                let isLast = column == row.count - 1
                let used = widths.dropLast().reduce(2) { $0 + $1 + TableLine.gap }
                let width = isLast ? output.width.map { max(8, $0 - used) } ?? widths[column] : widths[column]
                let text = isLast ? TableLine.cut(cell, to: width, ellipsis: output.symbols.ellipsis) : cell
                line.add(
                    text, painted: index == 0 ? output.style.dim(text) : text, width: widths[column],
                    isRight: column == 0 || column == 4)
            }
            return line.text
        }
    }

    private static func cells(_ version: StoredVersion) -> [String] {
        [
            "\(version.version)", InternetDate.string(version.publishedAt / 1_000_000), version.publishedBy,
            version.digest.map { String($0.hex.prefix(12)) } ?? "removed", version.size.map { grouped($0) } ?? "",
            version.message ?? "",
        ].map(VisibleText.escaped)
    }
}
