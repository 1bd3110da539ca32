import OpenSSL
import PostgreSQLStore
import SiteStore
import SystemSupport
import TestSupport
import Testing

@Suite("Orders in a store", .waiting, .needs(.postgres))
struct StoreOrdersTests {
    private static let ring = StoreKeyRing([
        StoreKeyRing.Key(id: "one", secret: SecretBytes([UInt8](repeating: 7, count: 32)))
    ])

    private static func challenge(_ token: String) -> StoredChallenge {
        StoredChallenge(
            domain: "shop.example.com", kind: .tlsALPN01, token: token, keyAuthorization: "\(token).thumbprint")
    }

    private static func row(_ name: String, _ source: StoredCertificate.Source = .acme) -> StoreCertificates.Row {
        StoreCertificates.Row(
            name: name, names: ["shop.example.com"], chain: "chain", keyID: "one", sealedKey: [1], notAfter: 9,
            source: source, authority: source == .acme ? "https://ca.example.net/dir" : nil)
    }

    private static func orderer(_ store: StoreFixture, _ node: String) throws -> StoreOrderer {
        try StoreOrderer(
            StoreAddress(store.database.url(user: store.node), applicationName: "aasa/1 \(node)"), node: node
        ) {}
    }

    @Test("one node has the right to order, and another one gets it when the connection of the first ends")
    func lock() throws {
        let store = try StoreFixture()
        let first = try Self.orderer(store, "edge-1")
        #expect(Waiting.until { first.right == .owned })
        let second = try Self.orderer(store, "edge-2")
        #expect(Waiting.until { second.right == .ownedByOther(node: "edge-1") })
        #expect(throws: StoreError.self) {
            try second.run { (connection) throws(StoreError) in
                try StoreOrders.setState("{}", of: "d", over: connection)
            }
        }
        let connection = try store.connect(as: store.node)
        let holder = try StoreOrders.holder(over: connection)
        #expect(holder.isHeld && holder.node == "edge-1")
        first.stop()
        #expect(Waiting.until { second.right == .owned && first.right != .owned })
        #expect(try StoreOrders.holder(over: connection).node == "edge-2")
        // Nobody else's heartbeat was touched.
        #expect(try store.database.sql("SELECT node FROM aasa.nodes WHERE orders") == "edge-2")
        try store.database.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'aasa/1 edge-2%'")
        #expect(Waiting.until { second.right != .owned })
        #expect(Waiting.until { second.right == .owned })
        second.stop()
        #expect(try Waiting.until { try !StoreOrders.holder(over: connection).isHeld })
    }

    @Test("a challenge reaches the nodes with a generation, the orderer waits for them, and one of a killed node ends")
    func challenges() throws {
        let store = try StoreFixture()
        let folder = try TemporaryFolder()
        let node = try RunningNode(store.database.url(user: store.node), cache: "\(folder.path)/cache", name: "edge-1")
        let orderer = try Self.orderer(store, "edge-1")
        #expect(Waiting.until { orderer.right == .owned })
        let served = Locked<[[StoredChallenge]]>([])
        let host = node.host
        orderer.publish(Self.challenge("a")) { served.withLock { $0.append(host.challenges) } }
        #expect(Waiting.until { served.withLock { $0 } == [[Self.challenge("a")]] })
        orderer.publish(Self.challenge("b")) { served.withLock { $0.append(host.challenges) } }
        #expect(Waiting.until { served.withLock { $0.last } == [Self.challenge("b")] })
        #expect(try store.database.sql("SELECT token FROM aasa.acme_challenges") == "b")
        try store.database.sql(
            "UPDATE aasa.acme_challenges SET expires_at = clock_timestamp() + interval '0.3 seconds'")
        #expect(Waiting.until { host.challenges.isEmpty })
        try orderer.run { (connection) throws(StoreError) in
            try StoreOrders.withdraw(Self.challenge("b"), over: connection)
        }
        #expect(try store.database.sql("SELECT count(*) FROM aasa.acme_challenges") == "0")
        orderer.stop()
    }

    @Test("a silent node, and one that takes too long, is not waited for")
    func silentNode() throws {
        let store = try StoreFixture()
        try store.database.sql(
            """
            INSERT INTO aasa.nodes (node) VALUES ('gone');
            ALTER TABLE aasa.nodes DISABLE TRIGGER fill;
            UPDATE aasa.nodes SET seen_at = clock_timestamp() - interval '31 seconds';
            ALTER TABLE aasa.nodes ENABLE TRIGGER fill
            """)
        let orderer = try Self.orderer(store, "edge-1")
        #expect(Waiting.until { orderer.right == .owned })
        // It has a row because it orders, and no heartbeat of its own.
        try store.database.sql("DELETE FROM aasa.nodes WHERE node = 'edge-1'")
        let isServed = Locked(false)
        orderer.publish(Self.challenge("a")) { isServed.withLock { $0 = true } }
        #expect(Waiting.until { isServed.withLock { $0 } })
        orderer.stop()
    }

    @Test("an ordered certificate replaces what was ordered, and never what was imported")
    func installation() throws {
        let store = try StoreFixture()
        let connection = try store.connect(as: store.node)
        let names = ["shop.example.com", "shop.example.com-acme"]
        func install() throws -> String {
            try StoreOrders.install(names: names, { (name) throws(StoreKeyError) in Self.row(name) }, over: connection)
                .name
        }
        #expect(try install() == names[0])
        #expect(try install() == names[0])
        _ = try StoreCertificates.write([Self.row(names[0], .import)], over: connection)
        #expect(try install() == names[1])
        _ = try StoreCertificates.write([Self.row(names[1], .import)], over: connection)
        #expect(throws: StoreOrders.InstallationError.self) { try install() }
        _ = try StoreCertificates.remove(names, over: connection)
        #expect(try install() == names[0])
        let held = try StoreCertificates.all(over: connection)
        #expect(held.map(\.authority) == ["https://ca.example.net/dir"] && held.map(\.source) == [.acme])
    }

    @Test("accounts are never replaced, states have revisions, and requests wait")
    func rows() throws {
        let store = try StoreFixture()
        let connection = try store.connect(as: store.node)
        let sealed = try Self.ring.seal(SecretBytes(Array("k".utf8)), table: "acme_accounts", primaryKey: "d")
        #expect(try StoreOrders.add(sealed, of: "d", over: connection))
        #expect(try !StoreOrders.add(sealed, of: "d", over: connection))
        try StoreOrders.setAccount("{}", url: "u", of: "d", over: connection)
        #expect(try StoreOrders.account("d", over: connection)?.account == "{}")
        #expect(try StoreOrders.state("d", over: connection) == nil)
        try StoreOrders.setState("1", of: "d", over: connection)
        try StoreOrders.setState("2", of: "d", over: connection)
        let state = try #require(try StoreOrders.state("d", over: connection))
        #expect(state.json == "2" && state.revision == 2)
        #expect(try StoreOrders.state("d", besides: 2, over: connection) == nil)
        try StoreOrders.setOrderKey(sealed, of: "a.example", "d", over: connection)
        #expect(try StoreOrders.orderKeys("d", over: connection) == ["a.example"])
        #expect(try StoreOrders.orderKey(of: "a.example", over: connection) == sealed)
        try StoreOrders.removeOrderKey(of: "a.example", over: connection)
        #expect(try StoreOrders.orderKeys("d", over: connection).isEmpty)
        try StoreOrders.request("a.example", over: connection)
        try StoreOrders.request("a.example", over: connection)
        #expect(try StoreOrders.requests(over: connection) == ["a.example"])
        try StoreOrders.endRequest("a.example", over: connection)
        #expect(try StoreOrders.requests(over: connection).isEmpty)
    }
}
