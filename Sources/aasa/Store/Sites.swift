import ArgumentParser
import CommandLineSupport
import Diagnostics
import EventLoops
import PostgreSQLStore
import SiteStore
import SystemSupport

struct Sites: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "sites",
        abstract: "List the sites in a store, and the servers that follow it.",
        discussion: manual.discussion(
            """
            PATTERN is compared with whole domains: * stands for any characters, ? for one. Each file is a row: its \
            domain, name, version, the first 12 digits of its SHA-256, its age, and who published it.

            A server is 'behind' if it does not have the newest generation yet, and 'silent' if it has not reported for \
            30 seconds.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa sites shop-example.com", "show the files of a site"),
            .init("aasa sites --nodes --format json", "list all sites and servers for a program"),
        ],
        exits: [.init(.done, "if the store could be read")],
        seeAlso: ["aasa-history(1)", "aasa-store(1)"])

    @Argument(
        help: ArgumentHelp("List only domains that match PATTERN.", valueName: "pattern"),
        transform: Sites.pattern)
    var pattern: Pattern?

    @Flag(help: "List the servers, too.")
    var nodes = false

    @Flag(help: "List removed files, too.")
    var all = false

    @OptionGroup var options: StoreSelection

    /// A glob over domains.
    struct Pattern {
        let text: String
        let glob: DomainGlob

        /// As the database can use it; nil if only the glob knows.
        var search: String? { text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : nil }
    }

    private static func pattern(_ text: String) throws -> Pattern {
        do throws(StoreNameError) {
            return Pattern(text: text, glob: try DomainGlob(text))
        } catch {
            throw ValidationError(error.message)
        }
    }

    func run() throws { try options.reporting("aasa sites", list) }

    private func list() throws {
        let connection = try options.connect()
        // Before: a row that is written then has a line that is complete.
        let nodes = try self.nodes ? StoreNodes.all(over: connection) : []
        let now = Clock.wallSeconds()
        let writer = SitesWriter(options, now: now)
        let pattern = self.pattern
        try StoreListing.forEachFile(
            matching: pattern?.search, includesRemoved: all, over: connection,
            begin: { (generation) throws(StoreError) in writer.begin(generation) },
            { (entry: StoreListing.Entry) throws(StoreError) in
                if pattern?.glob.matches(entry.key.domain) ?? true { writer.write(entry) }
            })
        writer.end(self.nodes ? nodes : nil)
    }
}

/// Writes sites as they come, so that 100,000 of them are never in memory.
final class SitesWriter {
    private var results = StandardOutput()
    private let format: ResultFormat
    private let style: TextStyle
    /// Seconds since 1970.
    private let now: Int64
    private var domain: String?
    private var hasFiles = false

    init(_ options: StoreSelection, now: Int64) {
        format = options.format
        style = options.output.style
        self.now = now
    }

    func begin(_ generation: Int64) {
        if format == .json { results.write(text: "{\"version\":1,\"generation\":\(generation),\"sites\":[") }
    }

    func write(_ entry: StoreListing.Entry) {
        guard format == .json else { return writeRow(entry) }
        if entry.key.domain != domain {
            let start = domain == nil ? "" : "]},"
            results.write(text: "\(start){\"domain\":\(JSONOutput.string(entry.key.domain).text),\"files\":[")
            domain = entry.key.domain
            hasFiles = false
        }
        results.write(text: (hasFiles ? "," : "") + Self.json(entry).text)
        hasFiles = true
    }

    private static func json(_ entry: StoreListing.Entry) -> JSONOutput {
        .object([
            "name": .string(entry.key.name), "fileVersion": .number(Int(entry.version)),
            "sha256": .optional(entry.digest?.hex), "bytes": entry.size.map(JSONOutput.number) ?? .null,
            "publishedAt": .string(InternetDate.string(entry.publishedAt / 1_000_000)),
            "publishedBy": .string(entry.publishedBy),
        ])
    }

    private func writeRow(_ entry: StoreListing.Entry) {
        let name = VisibleText.escaped(entry.key.domain)
        var line = TableLine()
        line.add(name, painted: style.bold(name), width: 24)
        for (cell, width) in [
            (entry.key.name, 27), ("\(entry.version)", 3),
            (entry.digest.map { String($0.hex.prefix(12)) } ?? "removed", 12),
            (Self.age(now - entry.publishedAt / 1_000_000), 4), (entry.publishedBy, 0),
        ] {
            let cell = VisibleText.escaped(cell)
            line.add(cell, painted: cell, width: width)
        }
        results.write(line.text)
    }

    /// Writes the rest.
    ///
    /// - Parameter nodes: nil if they were not asked for.
    func end(_ nodes: [StoredNode]?) {
        if format == .json {
            results.write(text: domain == nil ? "]" : "]}]")
            if let nodes { results.write(text: ",\"nodes\":\(JSONOutput.array(nodes.map(\.json)).text)") }
            results.write(text: "}\n")
        } else if let nodes {
            for line in nodes.lines(now: now) { results.write(line) }
        }
        results.flush()
    }

    /// A duration in its largest unit: `3d`.
    static func age(_ seconds: Int64) -> String {
        for (unit, length) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)] where seconds >= length {
            return "\(seconds / length)\(unit)"
        }
        return "\(max(0, seconds))s"
    }
}
