import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

/// The part that a node reads of a store that has more than it may keep (server.md, section 7).
@Suite("A store with more than a node may keep", .waiting, .needs(.postgres))
struct NodeLimitsTests {
    private let store: StoreFixture
    private let folder: TemporaryFolder

    init() throws { (store, folder) = (try StoreFixture(), try TemporaryFolder()) }

    private func limits(sites: Int = 1_000, bytes: Int = 1 << 30) -> StoreLimits {
        StoreLimits(sites: sites, bytes: bytes, fileBytes: 131_072)
    }

    private func node(_ limits: StoreLimits, cache: String = "cache") throws -> RunningNode {
        try RunningNode(store.database.url(user: store.node), cache: "\(folder.path)/\(cache)", limits: limits)
    }

    /// Publishes files of their own contents with one statement.
    private func publish(_ count: Int, _ prefix: String, size: Int = 1) throws {
        try store.database.sql(
            """
            CREATE TEMPORARY TABLE new AS SELECT '\(prefix)' || n || '.example' AS domain,
                convert_to('\(prefix)' || n || repeat(' ', \(size)), 'UTF8') AS bytes FROM generate_series(1, \(count)) AS n;
            INSERT INTO aasa.content(sha256, bytes) SELECT sha256(bytes), bytes FROM new;
            INSERT INTO aasa.versions(domain, name, sha256) SELECT domain, 'assetlinks.json', sha256(bytes) FROM new;
            DROP TABLE new;
            """)
    }

    @Test("rows of one statement beyond the number of sites are neither kept nor handed over, whoever reads them")
    func sites() throws {
        for name in ["old", "zz"] { try store.database.sql(StoreFixture.publication("\(name).example", "1")) }
        let node = try node(limits(sites: 50))
        try publish(5_000, "a")
        #expect(Waiting.until { node.host.omitted?.files == 4_952 })
        #expect(node.host.omitted?.limit == .sites(50))
        #expect(node.host.served.count == 50 && node.host.most.files == 48)
        // A change of what is there is served all the same.
        try store.database.sql(StoreFixture.publication("zz.example", "2"))
        #expect(Waiting.until { node.host.served["zz.example/assetlinks.json"] == "2" })
        // A node that reads everything, in two pages, keeps what is older than the statement.
        try store.database.sql(StoreFixture.publication("b.example", "3"))
        let fresh = try self.node(limits(sites: 50), cache: "fresh")
        #expect(fresh.host.most.files == 50 && fresh.host.omitted?.files == 4_953)
        #expect(fresh.host.served["old.example/assetlinks.json"] == "1")
    }

    @Test("files that were left out are read when sites end, when there may be more, and known after a restart")
    func room() throws {
        try publish(3, "a")
        let first = try node(limits(sites: 3))
        try store.database.sql(StoreFixture.publication("b.example", "1"))
        #expect(Waiting.until { first.host.omitted?.first.domain == "b.example" })
        #expect(Waiting.until { first.host.status.cacheWritten != nil && first.host.status.generation == 2 })
        first.end()
        let second = try node(limits(sites: 3))
        #expect(Waiting.until { second.host.omitted?.first.domain == "b.example" })
        #expect(second.host.served.count == 3)
        try store.database.sql("INSERT INTO aasa.versions(domain, name) VALUES ('a2.example', 'assetlinks.json')")
        #expect(Waiting.until { second.host.served["b.example/assetlinks.json"] == "1" })
        #expect(Waiting.until { second.host.omitted == nil })
        try store.database.sql(StoreFixture.publication("c.example", "1"))
        #expect(Waiting.until { second.host.omitted?.first.domain == "c.example" })
        second.host.storeLimits.sites = 4
        second.node.reload(keyFile: nil, poll: 30)
        #expect(Waiting.until { second.host.served.count == 4 && second.host.omitted == nil })
    }

    @Test("sites that have ended make room for those of the same read, also if everything is read")
    func exchange() throws {
        try publish(5, "a")
        let node = try node(limits(sites: 5))
        try store.database.sql(
            """
            BEGIN; INSERT INTO aasa.versions(domain, name)
                SELECT 'a' || n || '.example', 'assetlinks.json' FROM generate_series(1, 5) AS n;
            \(StoreFixture.publication("b.example", "1")) \(StoreFixture.publication("c.example", "1")) COMMIT;
            """)
        let expected = ["b.example/assetlinks.json": "1", "c.example/assetlinks.json": "1"]
        #expect(node.serves(expected) && Waiting.until { node.host.omitted == nil })
        #expect(Waiting.until { node.host.status.cacheWritten != nil })
        node.end()
        // A store with another history is read as a whole.
        try publish(5, "d")
        try store.database.sql(
            """
            INSERT INTO aasa.versions(domain, name)
                VALUES ('b.example', 'assetlinks.json'), ('c.example', 'assetlinks.json');
            ALTER TABLE aasa.changes DISABLE TRIGGER ALL; UPDATE aasa.changes SET token = gen_random_uuid();
            UPDATE aasa.meta SET token = DEFAULT;
            """)
        let again = try self.node(limits(sites: 5))
        #expect(Waiting.until { again.host.served.count == 5 && again.host.omitted == nil })
        #expect(again.host.reported.contains("store-history-rewritten"))
    }

    @Test("contents beyond the bytes are not read, and what was served stays, also if everything is read anew")
    func bytes() throws {
        try store.database.sql(StoreFixture.publication("zz.example", "1"))
        let node = try node(limits(bytes: 1_000_000))
        try publish(100, "a", size: 100_000)
        #expect(Waiting.until { node.host.omitted?.files == 91 })
        #expect(node.host.omitted?.limit == .bytes(1_000_000) && node.host.most.bytes < 1_000_000)
        try store.database.sql(
            """
            INSERT INTO aasa.content(sha256, bytes) SELECT sha256(b), b
                FROM (SELECT decode(repeat('20', 300000), 'hex') AS b) AS new;
            INSERT INTO aasa.versions(domain, name, sha256)
                VALUES ('zz.example', 'assetlinks.json', sha256(decode(repeat('20', 300000), 'hex')));
            """)
        let generation = Int64(try store.database.sql("SELECT generation FROM aasa.meta"))
        #expect(Waiting.until { node.host.status.generation == generation })
        let updates = node.host.updates
        node.node.reload(keyFile: nil, poll: 30)
        #expect(Waiting.until { node.host.updates > updates })
        let isEarlier = node.host.served["zz.example/assetlinks.json"] == "1"
        #expect(isEarlier)
        #expect(node.host.most.bytes < 1_000_000)
    }

    @Test("older versions that are larger than a file may be are not read")
    func older() throws {
        for size in [10, 200_000, 200_001] { try publish(size, in: "a.example") }
        try store.database.sql(StoreFixture.publication("a.example", "bad"))
        let node = try node(limits())
        #expect(node.host.served["a.example/assetlinks.json"]?.utf8.count == 10)
        #expect(node.host.most.bytes < 1_000)
    }

    private func publish(_ size: Int, in domain: String) throws {
        try store.database.sql(StoreFixture.publication(domain, String(repeating: "x", count: size)))
    }
}
