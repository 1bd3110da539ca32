import ArgumentParser
import CommandLineSupport
import Diagnostics
import EventLoops
import PostgreSQLStore
import SiteStore
import SystemSupport

struct StoreNodesCommand: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes",
        abstract: "List the servers that follow a store, or forget one that is gone for good.",
        discussion: manual.discussion(
            """
            A server reports itself every 10 seconds, and is silent after 30; one that is stopped signs off. 'aasa publish \
            --wait' fails because of a silent one, and 'aasa status' warns of it on every other.

            --forget needs the rights of a node. A server that still runs is listed again with its next report.
            """)
    )

    static let manual = CommandManual.ofStore(
        examples: [
            .init("aasa store nodes --store postgresql://admin@db/links", "list the servers"),
            .init("aasa store nodes --forget edge-3", "forget a machine that was switched off"),
        ],
        exits: [
            .init(.done, "if all are current, or one was forgotten"),
            .init(.failed, "if one is behind or silent, or the store has no node of that name"),
        ],
        seeAlso: ["aasa-status(1)", "aasa-store-status(1)"])

    @Option(help: ArgumentHelp("Delete the row of NODE.", valueName: "node"))
    var forget: String?

    @OptionGroup var options: StoreSelection

    func run() throws { try options.reporting("aasa store nodes", show) }

    private func show() throws {
        let connection = try options.connect()
        if let forget { return try end(forget, over: connection) }
        let nodes = try StoreNodes.all(over: connection)
        options.write(nodes.lines(now: Clock.wallSeconds()), json: ["nodes": .array(nodes.map(\.json))])
        if nodes.contains(where: { $0.state != .current }) { throw ExitStatus.failed.code }
    }

    private func end(_ name: String, over connection: StoreConnection) throws {
        guard try StoreNodes.forget(name, over: connection) else {
            throw CommandFailure.notInStore(
                "the store has no node \(quoted(name))", help: "'aasa store nodes' lists them")
        }
        options.write(["forgot node \(quoted(name))"], json: ["forgotten": .string(name)])
    }
}

extension StoredNode {
    /// As commands print it.
    var json: JSONOutput {
        .object([
            "node": .string(name), "generation": .number(Int(generation)), "state": .string(state.rawValue),
            "seenAt": .string(InternetDate.string(seenAt / 1_000_000)),
            "startedAt": .optional(startedAt.map { InternetDate.string($0 / 1_000_000) }),
            "programVersion": .optional(programVersion), "listening": .boolean(isListening), "stale": .number(stale),
            "refused": .number(refused),
        ])
    }

    fileprivate func line(now: Int64) -> String {
        var parts = [
            "node \(name): \(state.rawValue), generation \(generation)",
            "seen \(SitesWriter.age(now - seenAt / 1_000_000)) ago",
        ]
        if let programVersion { parts.append("aasa \(programVersion)") }
        if !isListening { parts.append("not listening") }
        if stale > 0 { parts.append("\(stale) stale") }
        if refused > 0 { parts.append("\(refused) refused") }
        return VisibleText.escaped(parts.joined(separator: ", "))
    }
}

extension [StoredNode] {
    /// A line for each, like `node edge-1: current, generation 812, seen 3s ago, aasa 1.2.0`.
    ///
    /// - Parameter now: seconds since 1970.
    func lines(now: Int64) -> [String] { isEmpty ? ["no node follows the store"] : map { $0.line(now: now) } }
}
