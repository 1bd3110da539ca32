import Foundation
import OpenSSL
import TestSupport

/// Nodes of a store that get certificates from an authority, each at an address of its own.
final class StoreIssuanceRig {
    let setup: IssuanceSetup
    let database: PostgresDatabase

    init(gate: AuthorityGate? = nil) throws {
        setup = try IssuanceSetup(gate: gate)
        database = try PostgresCluster.shared().database()
        try aasa("store", "init", "--store", database.url())
        let key = try aasa("store", "key").text
        let path = try setup.folder.write(key, to: "store.keys")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Runs a command that must succeed.
    @discardableResult
    func aasa(_ arguments: String...) throws -> Shell.Outcome {
        let outcome = try Shell.run(
            [RunningServer.executable] + arguments, input: Data(), in: setup.folder.url)
        guard outcome.status == 0 else {
            throw TestFailure("\(arguments) exits with \(outcome.status): \(outcome.text)\(outcome.errors)")
        }
        return outcome
    }

    func address(_ node: Int) -> String { setup.address.dropLast() + "\(node)" }

    /// Publishes a site, whose name leads to a node.
    func publish(_ label: String, at node: Int) throws -> String {
        let name = "\(label).\(setup.domain)"
        try setup.authority.pebble.point(name, to: address(node))
        try setup.folder.write(RunningServer.document, to: "\(label).json")
        try aasa("publish", name, "\(label).json", "--store", database.url())
        return name
    }

    /// The path of the server.json of a node.
    func configuration(_ node: Int) -> String { setup.path("node-\(node).json") }

    /// Starts a node.
    func node(_ number: Int, url: String? = nil) throws -> IssuingServer {
        let address = address(number)
        let admin = setup.path("admin-\(number).sock")
        let members: [String: Any] = [
            "acme": setup.acme, "store": url ?? database.url(), "storeCache": "cache-\(number)",
            "storeKeyFile": "store.keys", "storeNode": "node-\(number)", "admin": "unix:\(admin)", "threads": 1,
            "listen": [
                "\(address):\(setup.authority.httpsPort)", "http://\(address):\(setup.authority.httpPort)",
            ],
        ]
        let json = try setup.folder.write(
            String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self),
            to: "node-\(number).json")
        let process = try RunningServer(setup.folder, serving: ["--config", json])
        return IssuingServer(process, address: address, port: setup.authority.httpsPort, admin: admin)
    }

    /// The files below the folder, but for those of the authority, that have a private key in clear.
    func clearKeys() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: setup.folder.path).filter { path in
            guard let data = FileManager.default.contents(atPath: setup.path(path)) else { return false }
            return data.range(of: Data("PRIVATE KEY".utf8)) != nil
        }
    }
}

extension IssuingServer {
    /// Whether this node orders.
    var orders: Bool { (try? metric("aasa_acme_holder")) == "1" }

    /// Waits until it presents a certificate for a name, other than an earlier one.
    func presents(_ name: String, besides earlier: [UInt8] = []) -> [UInt8]? {
        var leaf: [UInt8]?
        _ = Waiting.until {
            leaf = (try? presented(name))?.der
            return leaf != nil && leaf != earlier
        }
        return leaf
    }
}
