import Foundation
import TestSupport

/// A store in a database of its own, a folder with files, and nodes that follow the store.
final class StoreRig: Sendable {
    static let name = "apple-app-site-association"

    let tool: BuiltTool
    let database: PostgresDatabase

    /// - Parameters:
    ///   - cluster: nil for the one that tests share.
    ///   - isInitialised: whether the store is set up.
    init(_ cluster: PostgresCluster? = nil, isInitialised: Bool = true) throws {
        database = try (cluster ?? PostgresCluster.shared()).database()
        tool = try BuiltTool()
        if isInitialised { try succeed("store", "init") }
    }

    var url: String { database.url() }

    /// Runs a command with the store.
    func run(_ arguments: String..., input: String = "", user: String = "postgres") throws -> Shell.Outcome {
        try run(arguments, input: input, user: user)
    }

    private func run(_ arguments: [String], input: String = "", user: String = "postgres") throws -> Shell.Outcome {
        try Shell.run(
            Patience.timeout + [tool.executable] + arguments + ["--store", database.url(user: user)],
            input: Data(input.utf8), in: tool.folder.url)
    }

    /// Runs a command that must succeed.
    @discardableResult
    func succeed(_ arguments: String...) throws -> Shell.Outcome {
        let outcome = try run(arguments)
        guard outcome.status == 0 else {
            throw TestFailure("\(arguments) exits with \(outcome.status): \(outcome.text)\(outcome.errors)")
        }
        return outcome
    }

    /// A file that opens the links below a path.
    static func document(_ path: String) -> String {
        #"{"applinks":{"details":[{"appIDs":["7K3QWZ9PLM.com.shop.app"],"components":[{"/":"/\#(path)/*"}]}]}}"#
    }

    /// Publishes a file that opens the links below a path.
    @discardableResult
    func publish(_ domain: String, _ path: String) throws -> Shell.Outcome {
        try tool.write(Self.document(path), to: "\(domain).json")
        return try succeed("publish", domain, "\(domain).json", "--format", "json")
    }

    /// Writes a row as the contract for plain SQL says, past all checks of the commands.
    func insert(_ domain: String, _ text: String, name: String = StoreRig.name) throws {
        try database.sql(
            """
            INSERT INTO aasa.content(sha256, bytes) VALUES (sha256('\(text)'), '\(text)') ON CONFLICT DO NOTHING;
            INSERT INTO aasa.versions(domain, name, sha256) VALUES ('\(domain)', '\(name)', sha256('\(text)'));
            """)
    }

    /// Starts a node that serves plain HTTP.
    func node(_ name: String, url: String? = nil, poll: String = "30", arguments: [String] = []) throws -> RunningServer
    {
        try RunningServer(tool.folder, serving: nodeArguments(name, url: url, poll: poll) + arguments)
    }

    func nodeArguments(_ name: String, url: String? = nil, poll: String = "30") -> [String] {
        [
            "--store", url ?? self.url, "--store-cache", "\(tool.folder.path)/cache-\(name)", "--store-node", name,
            "--store-poll", poll, "--listen", "http://127.0.0.1:0", "--threads", "1", "--admin",
            "unix:\(tool.folder.path)/\(name).sock",
        ]
    }

    /// The document at a path of the admin listener of a node.
    func admin(_ node: String, _ path: String) throws -> String {
        try Shell.run([
            "curl", "-sS", "--max-time", "\(Patience.seconds)", "--unix-socket", "\(tool.folder.path)/\(node).sock",
            "http://localhost\(path)", "-H", "Host: localhost",
        ]).text
    }
}

extension RunningServer {
    /// The status and the body of the file of a site, over plain HTTP.
    func fetch(_ domain: String, _ name: String = StoreRig.name) throws -> (status: Int, body: String) {
        let outcome = try Shell.run([
            "curl", "-sS", "--max-time", "\(Patience.seconds)", "--noproxy", "*", "-H", "Host: \(domain)", "-w",
            "\n%{http_code}", "http://127.0.0.1:\(port)/.well-known/\(name)",
        ])
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
        return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
    }

    /// Waits until the file of a site opens the links below a path.
    func waits(for path: String, of domain: String) throws -> Bool {
        try Waiting.until { try fetch(domain).body == StoreRig.document(path) }
    }
}
