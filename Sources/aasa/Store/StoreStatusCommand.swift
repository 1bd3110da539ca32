import ArgumentParser
import CommandLineSupport
import Diagnostics
import PostgreSQLStore
import SiteStore

struct StoreStatusCommand: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of a store: schema, contents, keys, rights, and the servers that follow it.",
        discussion: manual.discussion()
    )

    static let manual = CommandManual.ofStore(
        examples: [.init("aasa store status --store postgresql://admin@db/links", "look at a store")],
        exits: [
            .init(.done, "if all is well"),
            .init(
                .failed,
                "if something was found: a server is behind or silent, or refuses files, or the connection is unsafe"),
        ],
        seeAlso: ["aasa-sites(1)", "aasa-store-migrate(1)"])

    @OptionGroup var keys: StoreKeyOptions
    @OptionGroup var options: StoreSelection

    func run() throws { try options.reporting("aasa store status", show) }

    private func show() throws {
        let ring = try keys.keys(options)
        let address = try options.address()
        let connection = try StoreConnection(address, .command)
        let condition = try StoreCondition(over: connection)
        let nodes = try StoreNodes.all(over: connection)
        let report = StoreStatusReport(
            condition: condition, nodes: nodes, address: address, keyIDs: ring?.keys.map(\.id))
        options.write(report.lines, json: report.json)
        if !report.findings.isEmpty { throw ExitStatus.failed.code }
    }
}

/// The state of a store, as text or as JSON.
struct StoreStatusReport {
    let condition: StoreCondition
    let nodes: [StoredNode]
    let address: StoreAddress
    /// The names in the key file; nil without one.
    let keyIDs: [String]?

    /// The findings.
    var findings: [String] {
        var findings = address.warnings.map { "\($0.message): \(address) [\($0.code.rawValue)]" }
        if condition.versions.schema < StoreSchema.version {
            findings.append(
                "the store has schema \(condition.versions.schema); run 'aasa store migrate' [store-schema-older]")
        } else if condition.versions.schema > StoreSchema.version {
            findings.append(
                "the store has schema \(condition.versions.schema), which this program does not know [store-schema-newer]"
            )
        }
        findings += condition.oddRows.map { "\($0) has a value that nothing can be done with [store-row-invalid]" }
        if !condition.isDirect {
            findings.append(
                "the connection leads through a pooler that lends sessions out; nodes need a direct one "
                    + "[store-listen-broken]")
        }
        if let keyIDs, let used = condition.keyIDs {
            for id in used where !keyIDs.contains(id) {
                findings.append("the key file has no key '\(id)', which secrets are encrypted with [store-key-missing]")
            }
            if let first = keyIDs.first, used.contains(where: { $0 != first && keyIDs.contains($0) }) {
                findings.append("secrets are encrypted with other keys than '\(first)'; run 'aasa store rekey'")
            }
        }
        for node in nodes where node.state == .silent {
            findings.append(
                "node '\(node.name)' is silent; start it, or run 'aasa store nodes --forget \(node.name)' if it is gone "
                    + "for good")
        }
        for node in nodes where node.state != .silent {
            if node.state == .behind { findings.append("node '\(node.name)' is behind") }
            if node.stale > 0 {
                findings.append(
                    "node '\(node.name)' serves older versions of \(counted(node.stale, "file")) with errors")
            }
            if node.refused > 0 {
                findings.append(
                    "node '\(node.name)' refuses \(counted(node.refused, "file or certificate", "files or certificates"))"
                )
            }
            if !node.isListening {
                findings.append("node '\(node.name)' gets no notifications, and polls [store-listen-broken]")
            }
        }
        return findings
    }

    private var rights: [String] {
        [
            (condition.isOwner, "owner"), (condition.isNode, "aasa_node"), (condition.isPublisher, "aasa_publisher"),
        ].filter(\.0).map(\.1)
    }

    private var server: String { "\(condition.serverVersion / 10_000).\(condition.serverVersion % 10_000)" }

    var json: [String: JSONOutput] {
        [
            "schema": .number(condition.versions.schema),
            "readableFrom": .number(condition.versions.readableFrom), "storeId": .string(condition.position.storeID),
            "generation": .number(Int(condition.position.generation)), "sites": .number(condition.sites),
            "files": .number(condition.files), "versions": .number(condition.fileVersions),
            "contents": .number(condition.contents), "contentBytes": .number(Int(condition.contentBytes)),
            "certificates": condition.certificates.map(JSONOutput.number) ?? .null,
            "keyIDs": condition.keyIDs.map { .array($0.map(JSONOutput.string)) } ?? .null,
            "rights": .array(rights.map(JSONOutput.string)), "direct": .boolean(condition.isDirect),
            "replica": .boolean(condition.isReplica), "server": .string(server),
            "nodes": .array(nodes.map(\.json)),
            "findings": .array(findings.map(JSONOutput.string)),
        ]
    }

    var lines: [String] {
        let count = condition
        var lines = [
            "store \(count.position.storeID), schema \(count.versions.schema), generation \(count.position.generation)",
            "PostgreSQL \(server)\(count.isReplica ? ", a replica" : ""), "
                + (count.isDirect ? "connected directly" : "connected through a pooler"),
            "\(counted(count.sites, "site")), \(counted(count.files, "file")), "
                + "\(counted(count.fileVersions, "version")), \(counted(count.contents, "content")) of "
                + counted(Int(count.contentBytes), "byte"),
        ]
        if let certificates = count.certificates {
            let ids = count.keyIDs ?? []
            lines.append(
                "\(counted(certificates, "certificate"))"
                    + (ids.isEmpty ? "" : ", keys in use: \(ids.joined(separator: ", "))"))
        }
        lines.append("rights: \(rights.isEmpty ? "none of a role" : rights.joined(separator: ", "))")
        let states = StoredNode.State.allCases.map { state in
            (state, nodes.count { $0.state == state })
        }.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }
        lines.append("\(counted(nodes.count, "node"))" + (states.isEmpty ? "" : ": \(states.joined(separator: ", "))"))
        return (lines + findings.map { "finding: \($0)" }).map(VisibleText.escaped)
    }
}
