import Foundation
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

/// Nodes whose store is away, is another one, or lacks something (store.md, section 8).
@Suite("Nodes whose store has faults", .waitingForSeconds, .needs(.postgres))
struct NodeFaultsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func node(
        _ store: StoreFixture, cache: String = "cache", url: String? = nil, poll: Double = 30
    ) throws -> RunningNode {
        try RunningNode(url ?? store.database.url(user: store.node), cache: "\(folder.path)/\(cache)", poll: poll)
    }

    private func publish(_ store: StoreFixture, _ text: String, domain: String = "a.example") throws {
        try store.database.sql(StoreFixture.publication(domain, text), user: store.publisher)
    }

    private func serves(_ node: RunningNode, _ text: String) -> Bool {
        node.serves(["a.example/assetlinks.json": text])
    }

    @Test("without a database a node starts from its cache, or not at all, and follows again when it is back")
    func withoutDatabase() throws {
        let cluster = try PostgresCluster()
        let store = try StoreFixture(cluster)
        try publish(store, "1")
        let first = try node(store)
        #expect(Waiting.until { first.host.status.cacheWritten != nil })
        cluster.kill()
        #expect(Waiting.until { first.host.findings == ["store-unreachable"] })
        #expect(first.host.served == ["a.example/assetlinks.json": "1"] && !first.host.status.isUp)
        first.end()
        let second = try node(store)
        #expect(second.host.served == ["a.example/assetlinks.json": "1"])
        #expect(second.host.status.isFromCache)
        let error = #expect(throws: StoreNode.StartError.self) { try node(store, cache: "other") }
        guard case .nothingToServe(let failure) = try #require(error) else { throw TestFailure("\(error as Any)") }
        #expect(failure.kind == .unreachable)
        try cluster.start()
        try publish(store, "2")
        #expect(serves(second, "2"))
        #expect(Waiting.until { second.host.findings.isEmpty && second.host.status.isUp })
    }

    @Test("a database that answers nothing is noticed by the deadline of the poll")
    func frozen() throws {
        let cluster = try PostgresCluster()
        let store = try StoreFixture(cluster)
        try publish(store, "1")
        let node = try node(store, poll: 1)
        #expect(serves(node, "1"))
        try cluster.freeze()
        #expect(Waiting.until { node.host.findings == ["store-unreachable"] })
        #expect(node.host.served == ["a.example/assetlinks.json": "1"])
        cluster.thaw()
        try publish(store, "2")
        #expect(serves(node, "2"))
        #expect(Waiting.until { node.host.findings.isEmpty })
    }

    @Test("a connection that was ended is made again, and what was published meanwhile arrives")
    func endedConnection() throws {
        let store = try StoreFixture()
        let node = try node(store)
        #expect(Waiting.until { node.host.status.isListening })
        try store.database.sql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = '\(store.node)'
            """)
        try publish(store, "1")
        #expect(serves(node, "1"))
        #expect(Waiting.until { node.host.status.isListening && node.host.status.reconnects >= 1 })
    }

    @Test("a store that was emptied takes nothing away, until something is published")
    func emptied() throws {
        let store = try StoreFixture()
        try publish(store, "1")
        let node = try node(store, poll: 1)
        #expect(serves(node, "1"))
        try renew(store)
        #expect(Waiting.until { node.host.findings.contains("store-emptied") })
        #expect(node.host.served == ["a.example/assetlinks.json": "1"])
        try publish(store, "2", domain: "b.example")
        #expect(node.serves(["b.example/assetlinks.json": "2"]))
        #expect(Waiting.until { !node.host.findings.contains("store-emptied") })
        #expect(node.host.reported.contains("store-history-rewritten"))
    }

    /// Publishes 40 sites as `aasa store import` does.
    private func importMany(_ store: StoreFixture) throws {
        let connection = try store.connect()
        try StorePublishing.addContents([Array("1".utf8)], over: connection)
        let files = (0..<40).map { number in
            StorePublication(StoreFileKey(domain: "d\(number).example", name: "a"), bytes: Array("1".utf8)).withoutBytes
        }
        #expect(try StorePublishing.publish(files, over: connection).published.count == 40)
    }

    private func certificate(_ store: StoreFixture, _ chain: String) throws {
        try store.database.sql(
            "INSERT INTO aasa.certificates (name, chain, key_id, key_sealed) VALUES ('c', '\(chain)', '', '')")
    }

    @Test("a change that ends many sites is taken over when it is confirmed, by what has made it or afterwards")
    func massRemoval() throws {
        let store = try StoreFixture()
        try importMany(store)
        let node = try node(store)
        #expect(node.host.served.count == 40)
        let connection = try store.connect()
        // By plain SQL: the store does not know that it is meant.
        try store.database.sql(
            """
            INSERT INTO aasa.versions (domain, name)
            SELECT domain, name FROM aasa.current WHERE domain NOT LIKE 'd1%'
            """)
        #expect(Waiting.until { node.host.findings == ["store-mass-removal"] })
        try publish(store, "2")
        #expect(try Waiting.until { try StoreNodes.all(over: connection).map(\.state) == [.behind] })
        #expect(node.host.served.count == 40)
        #expect(try StorePublishing.confirm(9, over: connection).confirmation == nil)
        #expect(try StorePublishing.confirm(2, over: connection).confirmation == 4)
        #expect(Waiting.until { node.host.served.count == 12 && node.host.findings.isEmpty })
        // The eleven that are left end in a change that says that it is meant.
        let domains = Set(node.host.served.keys.map { String($0.prefix { $0 != "/" }) }).subtracting(["a.example"])
        #expect(domains.count == 11)
        let removals = domains.map { StorePublication(StoreFileKey(domain: $0, name: "a"), bytes: nil) }
        _ = try StorePublishing.publish(removals, isConfirmed: true, over: connection)
        #expect(node.serves(["a.example/assetlinks.json": "2"]))
        #expect(node.host.reported == ["store-mass-removal"])
    }

    @Test("a store that was made anew takes no site away by its first publication, nor by an import that is complete")
    func rebuilt() throws {
        let store = try StoreFixture()
        try importMany(store)
        try certificate(store, "c")
        let node = try node(store)
        #expect(node.host.served.count == 40 && node.host.certificates == ["c": "c"])
        try renew(store)
        try publish(store, "stray")
        #expect(Waiting.until { node.host.findings.contains("store-mass-removal") })
        #expect(node.host.served.count == 40 && node.host.certificates == ["c": "c"])
        // All sites are there again, but no certificate.
        try importMany(store)
        #expect(
            Waiting.until {
                node.host.messages["store-mass-removal"]?.contains("of the store would end 1 certificate;")
                    == true
            })
        #expect(node.host.certificates == ["c": "c"] && node.host.served.count == 40)
        try certificate(store, "d")
        #expect(Waiting.until { node.host.certificates == ["c": "d"] && node.host.served.count == 41 })
        #expect(Waiting.until { !node.host.findings.contains("store-mass-removal") })
        // The same with a confirmation: who confirms knows the generation of the message, and the store goes on.
        try renew(store)
        for text in ["1", "2"] { try publish(store, text) }
        #expect(Waiting.until { node.host.findings.contains("store-mass-removal") })
        let message = try #require(node.host.messages["store-mass-removal"])
        #expect(message.contains("would end 40 of 41 sites and 1 certificate"))
        let generation = try #require(message.split(separator: " ").lazy.compactMap { Int64($0) }.first)
        for text in ["3", "4"] { try publish(store, text) }
        let connection = try store.connect()
        #expect(try StorePublishing.confirm(generation, over: connection).confirmation == 5)
        #expect(node.serves(["a.example/assetlinks.json": "4"]))
        #expect(node.host.certificates.isEmpty)
    }

    @Test("another store is read anew, whatever its generation")
    func rewritten() throws {
        let store = try StoreFixture()
        try publish(store, "1")
        try publish(store, "2")
        let node = try node(store, poll: 1)
        #expect(serves(node, "2"))
        var statements = "DROP SCHEMA aasa CASCADE; " + StoreSchema.sql
        for text in ["3", "4", "5"] { statements += StoreFixture.publication("c.example", text) }
        try store.database.sql("BEGIN; \(statements) COMMIT;")
        #expect(node.serves(["c.example/assetlinks.json": "5"]))
        #expect(node.host.reported.contains("store-history-rewritten"))
    }

    @Test(
        "after the generation has dropped a publication is served at once, and is served by no node before",
        arguments: [true, false])
    func droppedGeneration(isDump: Bool) throws {
        let store = try StoreFixture()
        try publish(store, "1")
        let token = try store.database.sql("SELECT token FROM aasa.meta")
        for text in ["2", "3", "4"] { try publish(store, text) }
        // Polls are too rare to be waited for.
        let node = try node(store, poll: 3_600)
        #expect(serves(node, "4") && Waiting.until { node.host.status.isListening })
        if isDump {
            // The same store as it was after the first publication, restored in place.
            try store.database.sql(
                """
                SET session_replication_role = replica; BEGIN;
                DELETE FROM aasa.changes WHERE generation > 1; DELETE FROM aasa.versions WHERE version > 1;
                UPDATE aasa.current SET (version, generation, sha256) = (SELECT version, generation, sha256 FROM aasa.versions);
                UPDATE aasa.meta SET generation = 1, token = '\(token)'; COMMIT;
                """)
        } else {
            try renew(store)
        }
        let connection = try store.connect()
        let result = try StorePublishing.publish(
            StorePublication(StoreFileKey(domain: "a.example", name: "assetlinks.json"), bytes: Array("5".utf8)),
            over: connection)
        guard case .published(_, let generation, _) = result else { throw TestFailure("\(result)") }
        #expect(generation < 4)
        // Whoever waits for the nodes knows only of this one.
        let isCurrent = try Waiting.until {
            try StoreNodes.all(at: generation, over: connection).map(\.state) == [.current]
        }
        #expect(isCurrent && node.host.served == ["a.example/assetlinks.json": "5"])
        #expect(node.host.reported.contains("store-history-rewritten"))
    }

    /// The schema as it is after `aasa store init`.
    private func renew(_ store: StoreFixture) throws {
        try store.database.sql("BEGIN; DROP SCHEMA aasa CASCADE; \(StoreSchema.sql) COMMIT;")
    }

    @Test("a right that was taken away is named, and what is held is served")
    func rights() throws {
        let store = try StoreFixture()
        try publish(store, "1")
        let node = try node(store, poll: 1)
        #expect(serves(node, "1"))
        try store.database.sql("REVOKE aasa_node FROM \(store.node)")
        #expect(Waiting.until { node.host.findings == ["store-permission-denied"] })
        #expect(node.host.served == ["a.example/assetlinks.json": "1"])
        try store.database.sql("GRANT aasa_node TO \(store.node)")
        try publish(store, "2")
        #expect(serves(node, "2"))
        #expect(Waiting.until { node.host.findings.isEmpty })
    }

    @Test("a schema that is newer than the node is named, and followed as long as it can be read")
    func newerSchema() throws {
        let store = try StoreFixture()
        let node = try node(store, poll: 1)
        try store.database.sql("UPDATE aasa.meta SET schema_version = 99")
        try publish(store, "1")
        #expect(serves(node, "1"))
        try store.database.sql("UPDATE aasa.meta SET readable_from = 99")
        try publish(store, "2")
        #expect(Waiting.until { node.host.findings == ["store-schema-newer"] })
        #expect(node.host.served == ["a.example/assetlinks.json": "1"])
    }

    @Test(
        "behind a pooler in transaction mode LISTEN is found broken, and the store is polled; in session mode it works",
        .needs(.pgBouncer), arguments: [PgBouncer.Mode.transaction, .session])
    func pooler(_ mode: PgBouncer.Mode) throws {
        let store = try StoreFixture()
        let pooler = try PgBouncer(store.database, user: store.node, mode: mode)
        let node = try node(store, cache: mode.rawValue, url: pooler.url)
        if mode == .transaction {
            #expect(Waiting.until { node.host.findings == ["store-listen-broken"] })
        } else {
            #expect(Waiting.until { node.host.status.isListening })
        }
        try publish(store, "1")
        #expect(serves(node, "1"))
        withExtendedLifetime(pooler) {}
    }

    @Test("after a failover the node follows the server that takes changes")
    func failover() throws {
        let primary = try PostgresCluster()
        let store = try StoreFixture(primary)
        let standby = try primary.standby()
        let folders = [primary, standby].map { $0.socketFolder.replacingOccurrences(of: "/", with: "%2F") }
        let url =
            "postgresql://\(store.node)@\(folders.joined(separator: ","))/\(store.database.name)"
            + "?target_session_attrs=read-write"
        try publish(store, "1")
        let node = try node(store, url: url)
        #expect(serves(node, "1"))
        let hasCopied = try Waiting.until {
            try standby.sql("SELECT count(*) FROM aasa.versions", database: store.database.name) == "1\n"
        }
        #expect(hasCopied)
        primary.kill()
        try standby.promote()
        let statements = StoreFixture.publication("a.example", "2")
        #expect(Waiting.until { (try? standby.sql(statements, database: store.database.name)) != nil })
        #expect(serves(node, "2"))
    }

    @Test("a replica is followed by polling, and takes no heartbeat")
    func replica() throws {
        let primary = try PostgresCluster()
        let store = try StoreFixture(primary)
        let standby = try primary.standby()
        let folderName = standby.socketFolder.replacingOccurrences(of: "/", with: "%2F")
        let node = try node(
            store, url: "postgresql://\(store.node)@\(folderName)/\(store.database.name)", poll: 0.5)
        try publish(store, "1")
        #expect(serves(node, "1"))
        #expect(node.logs("the database is a replica without notifications"))
        #expect(!node.host.status.isListening && node.host.findings.isEmpty)
    }
}
