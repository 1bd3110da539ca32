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
        let (cluster, tool) = (try cluster ?? PostgresCluster.shared(), try BuiltTool())
        self.tool = tool
        guard isInitialised else {
            database = try cluster.database()
            return
        }
        database = try cluster.database(like: "aasa store init") { (database) in
            let outcome = try tool.run("store", "init", "--store", database.url())
            guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        }
        // A store, and not the copy of one.
        try database.sql("UPDATE aasa.meta SET store_id = DEFAULT, token = DEFAULT")
    }

    var url: String { database.url() }

    /// Runs a command with the store.
    func run(_ arguments: String..., input: String = "", user: String = "postgres") throws -> Shell.Outcome {
        try run(arguments, input: input, user: user)
    }

    private func run(_ arguments: [String], input: String = "", user: String = "postgres") throws -> Shell.Outcome {
        try Shell.run(
            [tool.executable] + arguments + ["--store", database.url(user: user)],
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

    /// The address of a store that nobody is at.
    static let nowhere = "postgresql://127.0.0.1:1/none"

    /// Starts a node.
    ///
    /// - Parameters:
    ///   - keyFile: of the store; with one the node serves HTTPS, otherwise plain HTTP.
    ///   - cache: the folder of its cache; nil for one of its own.
    ///   - launcher: a command that runs the command behind it.
    func node(
        _ name: String, url: String? = nil, poll: String = "30", keyFile: String? = nil, cache: String? = nil,
        launcher: [String] = []
    ) throws -> RunningServer {
        try RunningServer(
            tool.folder, serving: nodeArguments(name, url: url, poll: poll, keyFile: keyFile, cache: cache),
            launcher: launcher)
    }

    func nodeArguments(
        _ name: String, url: String? = nil, poll: String = "30", keyFile: String? = nil, cache: String? = nil
    ) -> [String] {
        [
            "--store", url ?? self.url, "--store-cache", cache ?? cachePath(name), "--store-node", name,
            "--store-poll", poll, "--threads", "1", "--admin", "unix:\(tool.folder.path)/\(name).sock", "--listen",
        ]
            + (keyFile.map { ["127.0.0.1:0", "--store-key-file", "\(tool.folder.path)/\($0)"] } ?? [
                "http://127.0.0.1:0"
            ])
    }

    func cachePath(_ name: String) -> String { "\(tool.folder.path)/cache-\(name)" }

    /// Waits until a node has written its cache.
    func hasCache(_ name: String) -> Bool {
        Waiting.until {
            (try? admin(name, "/metrics"))?.contains(/\naasa_store_cache_written_seconds [1-9]/) == true
        }
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
