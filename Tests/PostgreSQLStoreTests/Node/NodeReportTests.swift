import Foundation
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

/// Nodes write into the store what they serve, and publishers read it.
@Suite("Reports of nodes", .waitingForSeconds, .needs(.postgres))
struct NodeReportTests {
    private let store: StoreFixture
    private let folder: TemporaryFolder

    init() throws {
        store = try StoreFixture()
        folder = try TemporaryFolder()
    }

    private func node(_ name: String, keyFile: String? = nil) throws -> RunningNode {
        try RunningNode(
            store.database.url(user: store.node), cache: "\(folder.path)/\(name)", keyFile: keyFile, name: name)
    }

    private func publish(_ domain: String, _ text: String) throws {
        try store.database.sql(StoreFixture.publication(domain, text), user: store.publisher)
    }

    private func file(_ domain: String, _ name: String = "assetlinks.json") -> StoreFileKey {
        StoreFileKey(domain: domain, name: name)
    }

    /// The report of a node once it has a generation.
    private func serving(_ node: String, at generation: Int64) throws -> NodeServing? {
        let connection = try store.connect()
        var found: StoredNode?
        _ = try Waiting.until {
            found = try StoreNodes.all(at: generation, over: connection).first { $0.name == node }
            return found?.state == .current
        }
        return found?.state == .current ? found?.serving : nil
    }

    @Test("a publisher reads which present versions a node does not serve, and why, until it does")
    func unserved() throws {
        let node = try node("a")
        try publish("a.example", "good")
        #expect(try #require(try serving("a", at: 1)).problem(of: [file("a.example")]) == nil)
        try publish("a.example", "bad")
        try publish("b.example", "bad")
        let serving = try #require(try serving("a", at: 3))
        #expect(serving.names == ["assetlinks.json", "a"] && serving.needsStoreCertificates)
        #expect(serving.problem(of: [file("a.example")]) == "a.example/assetlinks.json: stale")
        #expect(serving.problem(of: [file("c.example"), file("b.example")]) == "b.example/assetlinks.json: refused")
        #expect(serving.problem(of: [file("b.example", "x")]) == "b.example/x: its name is not in 'wellKnown'")
        try publish("a.example", "good again")
        #expect(try #require(try self.serving("a", at: 4)).problem(of: [file("a.example")]) == nil)
        try store.database.sql("INSERT INTO aasa.versions(domain, name) VALUES ('b.example', 'assetlinks.json')")
        #expect(try self.serving("a", at: 5)?.unserved == [])
        withExtendedLifetime(node) {}
    }

    @Test("however many files are refused, a bounded number is listed, the last one among them")
    func bounded() throws {
        let node = try node("a")
        try store.database.sql(
            """
            INSERT INTO aasa.content (sha256, bytes) VALUES (sha256('bad'), 'bad');
            INSERT INTO aasa.versions (domain, name, sha256)
            SELECT 'd' || i || '.example', 'assetlinks.json', sha256('bad') FROM generate_series(1, 300) AS i;
            """, user: store.publisher)
        try publish("last.example", "bad")
        let serving = try #require(try serving("a", at: 2))
        #expect((100...200).contains(serving.unserved.count))
        #expect(serving.problem(of: [file("last.example")]) == "last.example/assetlinks.json: refused")
        withExtendedLifetime(node) {}
    }

    @Test("what a newer program has left in the row of an older one is not believed")
    func olderProgram() throws {
        try store.database.sql(
            """
            INSERT INTO aasa.nodes (node, schema_version, names, store_certificates, unserved) VALUES
                ('new', 3, '{a}', true, '{"a.example/a refused"}'), ('old', 2, '{a}', true, '{"a.example/a refused"}'),
                ('unknown', null, '{a}', null, null)
            """, user: store.node)
        let connection = try store.connect()
        let nodes = try StoreNodes.all(over: connection)
        let said = NodeServing(names: ["a"], needsStoreCertificates: true, unserved: ["a.example/a refused"])
        #expect(nodes.map(\.serving) == [said, NodeServing(), NodeServing()])
    }

    @Test("a node that stops takes its row back, and leaves that of another one with its name")
    func signingOff() throws {
        let (first, second) = (try node("a"), try node("b"))
        func rows() throws -> String {
            try store.database.sql("SELECT string_agg(node, ' ' ORDER BY node) FROM aasa.nodes")
        }
        #expect(try Waiting.until { try rows() == "a b" })
        first.end()
        #expect(try Waiting.until { try rows() == "b" })
        // Its heartbeats fail from now on, so that the row stays that of another process.
        try store.database.sql(
            "REVOKE UPDATE ON aasa.nodes FROM aasa_node; UPDATE aasa.nodes SET instance = 'of another process'")
        second.end()
        #expect(try rows() == "b")
    }

    @Test("a row is forgotten by a node's role alone, and once")
    func forget() throws {
        try store.database.sql("INSERT INTO aasa.nodes (node) VALUES ('gone'), ('here')", user: store.node)
        let publisher = try store.connect()
        let denied = try storeError { _ = try StoreNodes.forget("gone", over: publisher) }
        #expect(denied.kind == .permissionDenied)
        let connection = try store.connect(as: store.node)
        #expect(try StoreNodes.forget("gone", over: connection))
        #expect(try !StoreNodes.forget("gone", over: connection))
        #expect(try StoreNodes.all(over: connection).map(\.name) == ["here"])
    }

    @Test(
        "a publisher learns whether a certificate of the store is for a domain",
        arguments: [
            ("a.example", true), ("www.b.example", true), ("b.example", false), ("x.www.b.example", false),
            ("*.b.example", true), ("c.example", false),
        ])
    func certificates(domain: String, isCovered: Bool) throws {
        try store.database.sql(
            """
            INSERT INTO aasa.certificates (name, names, chain, key_id, key_sealed, removed) VALUES
                ('a', '{a.example}', '', '', '', false), ('b', '{*.b.example}', '', '', '', false),
                ('c', '{c.example}', '', '', '', true)
            """, user: store.node)
        let connection = try store.connect()
        #expect(try StoreCertificates.cover(domain, over: connection) == isCovered)
    }

    @Test("the cache of a node has certificates' keys as the store has them, and no keys of session tickets")
    func cachedSecrets() throws {
        let keys = try folder.write("k1 \(String(repeating: "ab", count: 32))\n", to: "keys")
        let sealed = Array("the sealed key of a certificate".utf8)
        try store.database.sql(
            """
            INSERT INTO aasa.certificates (name, chain, key_id, key_sealed)
                VALUES ('a.example', 'PEM', 'k1', '\(String(decoding: sealed, as: UTF8.self))')
            """, user: store.node)
        try publish("a.example", "1")
        let node = try node("a", keyFile: keys)
        #expect(Waiting.until { node.host.status.sharedTicketKeys == 1 && node.host.status.cacheWritten != nil })
        // Another change after the keys were read, so that the cache is written with them in memory.
        try publish("a.example", "2")
        #expect(try serving("a", at: 3) != nil)
        let name = try #require(node.host.ticketKeys.first)
        let connection = try store.connect(as: store.node)
        let row = try #require(
            try connection.query("SELECT name, key_sealed FROM aasa.ticket_keys").first)
        #expect(try row.bytes(0) == name)
        let ticketKey = try row.bytes(1)
        node.end()
        var bytes: [UInt8] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a") {
            bytes += try Data(contentsOf: folder.url.appendingPathComponent("a/\(file)"))
        }
        #expect(Data(bytes).range(of: Data(sealed)) != nil)
        for secret in [name, ticketKey, [UInt8](repeating: 0xAB, count: 32)] {
            #expect(Data(bytes).range(of: Data(secret)) == nil)
        }
    }
}
