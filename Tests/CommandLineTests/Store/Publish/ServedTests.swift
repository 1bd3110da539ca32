import Foundation
import TestSupport
import Testing

/// Publishers learn of the nodes whether they serve what is published, and whether they are there.
@Suite("What nodes serve, for publishers", .waiting, .needs(.postgres))
struct ServedTests {
    private let rig: StoreRig

    init() throws {
        rig = try StoreRig()
        try rig.tool.write(StoreRig.document("a"), to: "a.json")
        try rig.tool.write("Contact: mailto:a@example.com\n", to: "security.txt")
    }

    /// The members that `--wait` has about the nodes once none is behind: the command is repeated, and does nothing again, until then.
    private func progress(_ arguments: String...) throws -> (outcome: Shell.Outcome, nodes: [String: Any]) {
        let line = arguments.map { "'\($0)'" }.joined(separator: " ")
        var last: (outcome: Shell.Outcome, nodes: [String: Any])?
        _ = try Waiting.until {
            let outcome = try rig.tool.shell("$tool \(line) --wait 0 --store '\(rig.url)' --format json")
            let nodes = try #require(outcome.object()["nodes"] as? [String: Any])
            last = (outcome, nodes)
            return (nodes["behind"] as? [String])?.isEmpty == true
        }
        return try #require(last)
    }

    private func hasReported(_ node: String) throws -> Bool {
        try Waiting.until { try rig.database.sql("SELECT count(*) FROM aasa.nodes WHERE node = '\(node)'") == "1" }
    }

    @Test("a name that a node does not serve is warned of, and --wait fails and says which node and why")
    func otherName() throws {
        let node = try rig.node("one")
        #expect(try hasReported("one"))
        let warned = try rig.succeed("publish", "example.com", "security.txt", "--name", "security.txt", "--dry-run")
        #expect(warned.errors.contains("warning: 'security.txt' is not served by one\n"), "\(warned.errors)")
        let (outcome, nodes) = try progress("publish", "example.com", "security.txt", "--name", "security.txt")
        #expect(outcome.status == 1)
        #expect(nodes["current"] as? Int == 0 && nodes["total"] as? Int == 1)
        let unserved = try #require(nodes["unserved"] as? [[String: String]])
        let reason = "example.com/security.txt: its name is not in 'wellKnown'"
        #expect(unserved == [["node": "one", "reason": reason]])
        #expect(outcome.errors.contains("one does not serve \(reason)"), "\(outcome.errors)")
        #expect(try node.fetch("example.com", "security.txt").status == 404)
        let served = try rig.succeed("publish", "example.com", "a.json", "--wait", "\(Patience.seconds)")
        #expect(served.text.contains("served by 1 of 1 node") && !served.errors.contains("warning"))
    }

    @Test("a file that a node refuses is not served, and --wait says so of the same bytes as well")
    func refused() throws {
        // The node takes smaller files than the publisher.
        try rig.tool.write(#"{"limits": {"fileBytes": 1024}}"#, to: "small.json")
        let node = try RunningServer(
            rig.tool.folder, serving: ["--config", "\(rig.tool.folder.path)/small.json"] + rig.nodeArguments("small"))
        #expect(try hasReported("small"))
        try rig.publish("example.com", "a")
        #expect(try node.waits(for: "a", of: "example.com"))
        let large = StoreRig.document("b") + String(repeating: " ", count: 2_000)
        try rig.tool.write(large, to: "large.json")
        for _ in 0..<2 {
            let (outcome, nodes) = try progress("publish", "example.com", "large.json")
            #expect(outcome.status == 1)
            let reason = (nodes["unserved"] as? [[String: String]])?.first?["reason"] ?? ""
            #expect(reason.hasPrefix("example.com/\(StoreRig.name): an earlier version is served"), "\(reason)")
        }
        #expect(try node.fetch("example.com") == (200, StoreRig.document("a")))
        let (outcome, nodes) = try progress("rollback", "example.com", "1")
        #expect(outcome.status == 0 && nodes["current"] as? Int == 1)
    }

    @Test("a domain without a certificate is warned of, and is served once there is one")
    func withoutCertificate() throws {
        try rig.tool.shell("umask 077; $tool store key > keys; mkdir sites")
        let node = try rig.node("one", keyFile: "keys")
        #expect(try hasReported("one"))
        let (outcome, nodes) = try progress("publish", "localhost", "a.json")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("warning: no node has a certificate for 'localhost'\n"), "\(outcome.errors)")
        let reason = "localhost/\(StoreRig.name): no certificate covers the domain"
        #expect(nodes["unserved"] as? [[String: String]] == [["node": "one", "reason": reason]])
        try TestCertificate.make(["DNS:localhost"], in: rig.tool.folder.url.appendingPathComponent("certs/localhost"))
        try rig.succeed("store", "import", "sites", "--certs", "certs", "--store-key-file", "keys")
        let served = try rig.succeed("publish", "localhost", "a.json", "--wait", "\(Patience.seconds)")
        #expect(served.text.contains("served by 1 of 1 node") && !served.errors.contains("warning"))
        let client = try HTTPSClient(port: node.port)
        try client.handshake()
        #expect(try client.get().text == StoreRig.document("a"))
    }

    @Test("a silent node is listed, fails --wait unless it is to be ignored, and is forgotten")
    func silent() throws {
        let node = try rig.node("one")
        try rig.succeed("publish", "example.com", "a.json", "--wait", "\(Patience.seconds)", "--nodes", "1")
        let none = try rig.succeed("store", "nodes", "--format", "json").object()
        #expect((none["nodes"] as? [[String: Any]])?.map { $0["state"] as? String } == ["current"])
        try rig.database.sql(
            """
            INSERT INTO aasa.nodes (node) VALUES ('gone');
            UPDATE aasa.nodes SET seen_at = now() - interval '1 minute' WHERE node = 'gone'
            """)
        let listed = try rig.run("store", "nodes")
        #expect(listed.status == 1)
        #expect(listed.text.contains("node gone: silent, generation 0, seen 1m ago"), "\(listed.text)")
        #expect(listed.text.contains("node one: current"), "\(listed.text)")
        let waited = try rig.run("publish", "example.com", "a.json", "--wait", "\(Patience.seconds)")
        #expect(waited.status == 1 && waited.errors.contains("served only by 1 of 2 nodes; silent: gone"))
        let ignored = try rig.succeed(
            "publish", "example.com", "a.json", "--wait", "\(Patience.seconds)", "--ignore-silent")
        #expect(ignored.text.contains("served by 1 of 1 node"))
        #expect(try rig.run("publish", "example.com", "a.json", "--ignore-silent").status == 64)
        #expect(try rig.succeed("store", "nodes", "--forget", "gone").text == "forgot node 'gone'\n")
        let again = try rig.run("store", "nodes", "--forget", "gone", "--format", "json")
        #expect(again.status == 1 && again.text.contains("not-in-store"))
        #expect(try rig.run("store", "nodes").status == 0)
        // One that is stopped signs off.
        node.signal(SIGTERM)
        #expect(node.exitStatus() == 0)
        #expect(try Waiting.until { try rig.succeed("store", "nodes").text == "no node follows the store\n" })
    }
}
