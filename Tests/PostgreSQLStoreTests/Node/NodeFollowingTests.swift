import Foundation
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

/// Nodes that follow what is published.
@Suite("Nodes that follow a store", .waitingForSeconds, .needs(.postgres))
struct NodeFollowingTests {
    private let store: StoreFixture
    private let folder: TemporaryFolder

    init() throws {
        store = try StoreFixture()
        folder = try TemporaryFolder()
    }

    private var url: String { store.database.url(user: store.node) }

    private func publish(_ domain: String, _ text: String) throws {
        try store.database.sql(StoreFixture.publication(domain, text), user: store.publisher)
    }

    private func remove(_ domain: String) throws {
        try store.database.sql(
            "INSERT INTO aasa.versions(domain, name) VALUES ('\(domain)', 'assetlinks.json')", user: store.publisher)
    }

    private func node(_ name: String = "a", keyFile: String? = nil) throws -> RunningNode {
        try RunningNode(url, cache: "\(folder.path)/\(name)", keyFile: keyFile, name: name)
    }

    @Test("an empty store is no error, and what is published is served at once, changed, and removed")
    func following() throws {
        let node = try node()
        #expect(node.host.served.isEmpty && node.host.findings.isEmpty)
        try publish("a.example", "1")
        #expect(node.serves(["a.example/assetlinks.json": "1"]))
        try publish("b.example", "1")
        try publish("a.example", "2")
        #expect(node.serves(["a.example/assetlinks.json": "2", "b.example/assetlinks.json": "1"]))
        try remove("a.example")
        #expect(node.serves(["b.example/assetlinks.json": "1"]))
        #expect(Waiting.until { node.host.status.isListening && node.host.status.generation == 4 })
        #expect(node.host.status.isUp && !node.host.status.isFromCache && node.host.findings.isEmpty)
    }

    @Test("a bad version is replaced by the last good one, on nodes that have seen that and on others")
    func badVersions() throws {
        let first = try node("first")
        try publish("a.example", "good")
        #expect(first.serves(["a.example/assetlinks.json": "good"]))
        for number in 1...4 { try publish("a.example", "bad \(number)") }
        try publish("b.example", "bad")
        let generation: Int64 = 6
        #expect(Waiting.until { first.host.status.generation == generation && first.host.refused == 1 })
        #expect(first.host.served == ["a.example/assetlinks.json": "good"])
        let second = try node("second")
        #expect(second.serves(["a.example/assetlinks.json": "good"]))
        #expect(second.host.refused == 1)
        let isReported = try Waiting.until {
            try store.database.sql("SELECT node, stale, refused FROM aasa.nodes ORDER BY node")
                == "first|1|1\nsecond|1|1"
        }
        #expect(isReported)
        // What is served instead is in the cache, too.
        second.end()
        let again = try node("second")
        #expect(again.serves(["a.example/assetlinks.json": "good"]))
    }

    @Test("a node that starts again checks nothing that it has in its cache, and reads what is newer")
    func restart() throws {
        try publish("a.example", "1")
        let first = try node()
        #expect(first.serves(["a.example/assetlinks.json": "1"]))
        #expect(Waiting.until { first.host.status.cacheWritten != nil })
        first.end()
        try publish("b.example", "2")
        let again = try node()
        #expect(again.serves(["a.example/assetlinks.json": "1", "b.example/assetlinks.json": "2"]))
        #expect(again.host.checkedUpdates == 1)
        #expect(again.host.status.reads[StoreStatus.Read(isFull: true, hasFailed: false)] == nil)
    }

    @Test("20,000 domains in one statement arrive in one read, and a change among them costs its own size")
    func manyDomains() throws {
        let node = try node()
        try store.database.sql(
            """
            INSERT INTO aasa.content (sha256, bytes) VALUES (sha256('1'), '1');
            INSERT INTO aasa.versions (domain, name, sha256)
            SELECT 'd' || i || '.example', 'assetlinks.json', sha256('1') FROM generate_series(1, 20000) AS i;
            """, user: store.publisher)
        #expect(Waiting.until { node.host.status.generation == 1 && node.host.status.cacheWritten != nil })
        #expect(node.host.served.count == 20_000)
        let updates = node.host.updates
        try publish("d777.example", "2")
        #expect(Waiting.until { node.host.status.generation == 2 })
        #expect(node.host.served["d777.example/assetlinks.json"] == "2" && node.host.updates == updates + 1)
        let folder = folder.url.appendingPathComponent("a")
        func size(_ name: String) -> Int? { try? Data(contentsOf: folder.appendingPathComponent(name)).count }
        node.end()
        #expect(Waiting.until { size("cache.db") ?? 0 > 1_000_000 && size("cache.db-wal") == nil })
        let again = try self.node()
        #expect(again.host.served.count == 20_000 && again.host.served["d777.example/assetlinks.json"] == "2")
    }

    @Test("each node needs a cache of its own")
    func oneCache() throws {
        let first = try node()
        let error = #expect(throws: StoreNode.StartError.self) { try node() }
        guard case .cache(let failure) = try #require(error), failure.kind == .inUse else {
            throw TestFailure("\(String(describing: error))")
        }
        first.end()
        _ = try node()
    }

    @Test("a damaged cache is ignored by name, and the store is read anew")
    func damagedCache() throws {
        try publish("a.example", "1")
        let first = try node()
        #expect(Waiting.until { first.host.status.cacheWritten != nil })
        first.end()
        let cache = folder.url.appendingPathComponent("a/cache.db")
        var bytes = try Data(contentsOf: cache)
        let domain = try #require(bytes.range(of: Data("a.example".utf8)))
        bytes[domain.lowerBound] ^= 1
        try bytes.write(to: cache)
        let again = try node()
        #expect(again.serves(["a.example/assetlinks.json": "1"]))
        #expect(again.host.reported == ["store-cache-damaged"])
        #expect(Waiting.until { again.host.findings.isEmpty })
        again.end()
        #expect(try node().host.reported.isEmpty)
    }

    @Test("nodes with a key file share keys of session tickets")
    func ticketKeys() throws {
        let keys = try folder.write("k1 \(String(repeating: "ab", count: 32))\n", to: "keys")
        let nodes = try ["a", "b", "c"].map { try node($0, keyFile: keys) }
        let names = { nodes.map(\.host.ticketKeys) }
        #expect(Waiting.until { names().allSatisfy { $0.count == 1 && $0 == names()[0] } })
        #expect(nodes.allSatisfy { $0.host.status.sharedTicketKeys == 1 })
        #expect(try node("without").host.ticketKeys.isEmpty)
        #expect(try !store.database.sql("SELECT key_id FROM aasa.ticket_keys").isEmpty)
        // An hour later there is another one, which is not used before every node has it.
        try store.database.sql("UPDATE aasa.ticket_keys SET made_at = made_at - interval '61 minutes'")
        #expect(Waiting.until { names().allSatisfy { $0.count == 2 && $0 == names()[0] } })
        let lead = try store.database.sql(
            "SELECT round(extract(epoch FROM use_from - made_at)) FROM aasa.ticket_keys ORDER BY made_at DESC LIMIT 1")
        #expect(lead == "120")
    }

    @Test("rows of nodes that were silent for seven days are deleted by a node that starts")
    func cleanUp() throws {
        try store.database.sql(
            """
            INSERT INTO aasa.nodes (node) VALUES ('gone'), ('quiet');
            ALTER TABLE aasa.nodes DISABLE TRIGGER fill;
            UPDATE aasa.nodes SET seen_at = now() - interval '8 days' WHERE node = 'gone';
            UPDATE aasa.nodes SET seen_at = now() - interval '6 days' WHERE node = 'quiet';
            ALTER TABLE aasa.nodes ENABLE TRIGGER fill;
            """)
        let node = try node("new")
        let isClean = try Waiting.until {
            try store.database.sql("SELECT string_agg(node, ' ' ORDER BY node) FROM aasa.nodes") == "new quiet"
        }
        #expect(isClean)
        withExtendedLifetime(node) {}
    }

    @Test("two nodes with one name are warned, and their rows say what is served")
    func oneName() throws {
        let first = try RunningNode(url, cache: "\(folder.path)/1", name: "same")
        let second = try RunningNode(url, cache: "\(folder.path)/2", name: "same")
        for node in [first, second] { #expect(Waiting.until { node.host.findings == ["store-node-shared"] }) }
        try publish("a.example", "1")
        let row = try Waiting.until {
            try store.database.sql("SELECT node, generation, sites, stale, refused, listening FROM aasa.nodes")
                == "same|1|1|0|0|t"
        }
        #expect(row)
    }
}
