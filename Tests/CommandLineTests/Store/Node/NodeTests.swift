import Foundation
import TestSupport
import Testing

@Suite("aasa serve with a store", .waiting, .needs(.postgres))
struct NodeTests {
    @Test("what is published is served by all nodes, and publish --wait knows it")
    func propagation() throws {
        let rig = try StoreRig()
        let nodes = try ["one", "two", "three"].map { try rig.node($0) }
        #expect(try rig.admin("one", "/readyz").contains("nothing published"))
        try rig.tool.write(StoreRig.document("a"), to: "a.json")
        let outcome = try rig.succeed(
            "publish", "example.com", "a.json", "--wait", "\(Patience.seconds)", "--nodes", "3", "--format", "json")
        let progress = try #require(outcome.object()["nodes"] as? [String: Any])
        #expect(progress["current"] as? Int == 3)
        for node in nodes {
            #expect(try node.fetch("example.com") == (200, StoreRig.document("a")))
            #expect(try node.fetch("example.com", "assetlinks.json").status == 404)
            #expect(try node.fetch("example.org").status == 404)
        }
        try rig.succeed("unpublish", "example.com", "--wait", "\(Patience.seconds)")
        for node in nodes { #expect(try node.fetch("example.com").status == 404) }
        let states = try #require(
            rig.succeed("sites", "--nodes", "--format", "json").object()["nodes"] as? [[String: Any]])
        #expect(states.map { $0["state"] as? String } == ["current", "current", "current"])
    }

    @Test("a node starts from its cache when the database is away, and serves what is published after it is back")
    func cache() throws {
        let cluster = try PostgresCluster()
        let rig = try StoreRig(cluster)
        try rig.publish("example.com", "a")
        var node: RunningServer? = try rig.node("one")
        #expect(try #require(node).waits(for: "a", of: "example.com"))
        #expect(rig.hasCache("one"))
        node?.signal(SIGKILL)
        node = nil
        cluster.kill()
        let second = try rig.node("one")
        #expect(try second.fetch("example.com") == (200, StoreRig.document("a")))
        #expect(second.logText.contains("[store-unreachable]"))
        #expect(try rig.admin("one", "/readyz").hasPrefix("ready"))
        try cluster.start()
        try rig.publish("example.com", "b")
        #expect(try second.waits(for: "b", of: "example.com"))
    }

    @Test("a bad file that SQL has written is not served: old and fresh nodes serve the last good one")
    func badFile() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let old = try rig.node("old")
        #expect(try old.waits(for: "a", of: "example.com"))
        try rig.insert("example.com", "{")
        try rig.insert("never.example", "{")
        #expect(old.waitForLog("example.com: new file rejected"))
        #expect(try Waiting.until { try old.fetch("never.example").status == 503 })
        let fresh = try rig.node("fresh")
        for node in [old, fresh] {
            #expect(try node.fetch("example.com") == (200, StoreRig.document("a")))
            #expect(try node.fetch("never.example").status == 503)
        }
        #expect(try rig.admin("fresh", "/sites").contains("stale"))
    }

    @Test("an emptied database takes nothing away")
    func emptied() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let node = try rig.node("one", poll: "1")
        #expect(try node.waits(for: "a", of: "example.com"))
        try rig.database.sql("DROP SCHEMA aasa CASCADE")
        try rig.succeed("store", "init")
        #expect(node.waitForLog("[store-emptied]"))
        #expect(try node.fetch("example.com") == (200, StoreRig.document("a")))
        try rig.publish("example.com", "b")
        #expect(try node.waits(for: "b", of: "example.com"))
    }

    @Test("rights that are taken away cost nothing that is served, and the finding names the right")
    func rights() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let user = try rig.database.login("node", roles: "aasa_node")
        let node = try rig.node("one", url: rig.database.url(user: user), poll: "1")
        #expect(try node.waits(for: "a", of: "example.com"))
        try rig.database.sql("REVOKE aasa_node FROM \(user)")
        #expect(node.waitForLog("[store-permission-denied]"))
        #expect(try node.fetch("example.com") == (200, StoreRig.document("a")))
        #expect(node.logText.contains("aasa_node"))
    }

    @Test("a second node with the cache of another is refused, and one without cache and store has nothing to serve")
    func refusedStarts() throws {
        let rig = try StoreRig()
        let first = try rig.node("one")
        let line = rig.nodeArguments("one").map { "'\($0)'" }.joined(separator: " ")
        let second = try rig.tool.shell("$tool serve \(line)")
        #expect(second.status == 69)
        #expect(second.errors.contains("needs a folder of its own"))
        #expect(first.isRunning)
        let nowhere = rig.nodeArguments("two", url: StoreRig.nowhere).map { "'\($0)'" }
        let third = try rig.tool.shell("$tool serve \(nowhere.joined(separator: " "))")
        #expect(third.status == 69)
        #expect(third.errors.contains("[store-unreachable]"))
    }

    @Test("--check reads the store, and writes neither a cache nor a heartbeat")
    func check() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let line = rig.nodeArguments("one").map { "'\($0)'" }.joined(separator: " ")
        #expect(try rig.tool.shell("$tool serve --check \(line)").status == 0)
        try rig.insert("example.org", "{")
        #expect(try rig.tool.shell("$tool serve --check \(line)").status == 1)
        #expect(try rig.database.sql("SELECT count(*) FROM aasa.nodes") == "0")
        #expect(try rig.tool.shell("test -e cache-one").status == 1)
    }

    @Test(
        "behind a pooler that lends sessions out notifications are lost, and the node says so and polls",
        .needs(.pgBouncer))
    func pooler() throws {
        let rig = try StoreRig()
        let pooler = try PgBouncer(rig.database, mode: .transaction)
        defer { pooler.end() }
        let node = try rig.node("one", url: pooler.url, poll: "1")
        #expect(node.waitForLog("[store-listen-broken]"))
        try rig.publish("example.com", "a")
        #expect(try node.waits(for: "a", of: "example.com"))
    }
}
