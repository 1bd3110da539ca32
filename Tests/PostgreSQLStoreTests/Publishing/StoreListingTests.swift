import Diagnostics
import OpenSSL
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Looking at a store", .waiting, .needs(.postgres))
struct StoreListingTests {
    private func files(
        _ pattern: String?, all: Bool = false, over connection: StoreConnection
    ) throws -> [String] {
        var files: [String] = []
        var generation: Int64 = -1
        try StoreListing.forEachFile(
            matching: pattern, includesRemoved: all, over: connection, begin: { generation = $0 },
            { files.append("\($0.key)@\($0.version)\($0.digest == nil ? " removed" : "")") })
        #expect(generation == 5)
        return files
    }

    @Test("files are listed by domain, for a glob, and removed ones where they are asked for")
    func files() throws {
        let store = try StoreFixture()
        let connection = try store.connect()
        for domain in ["b.example", "a.example", "*.a.example", "c_d"].prefix(3) {
            try store.database.sql(StoreFixture.publication(domain, "[]"), user: store.publisher)
        }
        try store.database.sql(StoreFixture.publication("a.example", "[1]"), user: store.publisher)
        _ = try StorePublishing.remove(domains: ["b.example"], message: nil, over: connection)
        let name = "assetlinks.json"
        #expect(try files(nil, over: connection) == ["*.a.example/\(name)@1", "a.example/\(name)@2"])
        #expect(
            try files("*", all: true, over: connection)
                == ["*.a.example/\(name)@1", "a.example/\(name)@2", "b.example/\(name)@2 removed"])
        #expect(try files("a.*", over: connection) == ["a.example/\(name)@2"])
        #expect(try files("?.example", all: true, over: connection).count == 2)
        #expect(try files("%", over: connection).isEmpty)
        #expect(try files("a_example", over: connection).isEmpty)
        #expect(try files("A.example", over: connection).isEmpty)
        var contents: [String] = []
        try StoreListing.forEachContent(over: connection) { file in
            contents.append("\(file.path) \(String(decoding: file.contents?.bytes ?? [], as: UTF8.self))")
        }
        #expect(contents == ["store:*.a.example/\(name)@1 []", "store:a.example/\(name)@2 [1]"])
    }

    @Test(
        "a node that follows another history is behind, whatever its generation, until it says that it follows this one"
    )
    func otherHistory() throws {
        let store = try StoreFixture()
        try store.database.sql(StoreFixture.publication("a.example", "1"))
        let connection = try store.connect(as: store.node)
        func state() throws -> StoredNode.State? { try StoreNodes.all(at: 1, over: connection).first?.state }
        try store.database.sql("INSERT INTO aasa.nodes (node, generation, token) VALUES ('a', 1, gen_random_uuid())")
        for generation in [1, 900] {
            try store.database.sql("UPDATE aasa.nodes SET generation = \(generation), token = gen_random_uuid()")
            #expect(try state() == .behind)
            #expect(try StoreOrders.lowestGeneration(over: connection) == -1)
        }
        try store.database.sql("UPDATE aasa.nodes SET generation = 1, token = (SELECT token FROM aasa.meta)")
        #expect(try state() == .current)
        #expect(try StoreOrders.lowestGeneration(over: connection) == 1)
        // An older program writes no token, and is believed as it was before.
        try store.database.sql(StoreFixture.publication("a.example", "2"))
        try store.database.sql("UPDATE aasa.nodes SET generation = 2")
        #expect(try store.database.sql("SELECT token IS NULL FROM aasa.nodes") == "t")
        #expect(try StoreNodes.all(at: 2, over: connection).first?.state == .current)
    }

    @Test("nodes are current, behind, or silent")
    func nodes() throws {
        let store = try StoreFixture()
        try store.database.sql(StoreFixture.publication("a.example", "[]"), user: store.publisher)
        try store.database.sql(
            """
            INSERT INTO aasa.nodes (node, generation, started_at, program_version, listening, sites, stale, refused) VALUES
                ('a', 1, now(), '1.2', true, 1, 2, 3), ('b', 0, null, null, false, 0, 0, 0), ('c', 1, null, null, true, 0, 0, 0)
            """, user: store.node)
        // Nobody else than the owner can set the clock back.
        try store.database.sql(
            """
            ALTER TABLE aasa.nodes DISABLE TRIGGER fill;
            UPDATE aasa.nodes SET seen_at = now() - interval '31 seconds' WHERE node = 'c';
            ALTER TABLE aasa.nodes ENABLE TRIGGER fill;
            UPDATE aasa.nodes SET sites = sites WHERE node IN ('a', 'b')
            """)
        let connection = try store.connect()
        var nodes = try StoreNodes.all(over: connection)
        #expect(nodes.map(\.name) == ["a", "b", "c"])
        #expect(nodes.map(\.state) == [.current, .behind, .silent])
        #expect(nodes[0].programVersion == "1.2" && nodes[0].isListening && nodes[0].startedAt != nil)
        #expect((nodes[0].sites, nodes[0].stale, nodes[0].refused) == (1, 2, 3))
        nodes = try StoreNodes.all(at: 0, over: connection)
        #expect(nodes.map(\.state) == [.current, .current, .silent])
        nodes = try StoreNodes.all(at: 2, over: connection)
        #expect(nodes.map(\.state) == [.behind, .behind, .silent])
    }

    @Test("the condition of a store has its counts, and what the role may see")
    func condition() throws {
        let store = try StoreFixture()
        let node = try store.connect(as: store.node)
        let publisher = try store.connect()
        try store.database.sql(StoreFixture.publication("a.example", "[]"), user: store.publisher)
        try store.database.sql(StoreFixture.publication("b.example", "[]"), user: store.publisher)
        let row = StoreCertificates.Row(
            name: "a.example", names: ["a.example"], chain: "PEM", keyID: "k1", sealedKey: [1, 2], notAfter: 5,
            source: .import)
        #expect(try StoreCertificates.write([row], over: node) == 3)
        let seen = try StoreCondition(over: node)
        #expect(seen.position.generation == 3 && seen.versions.schema == 3)
        #expect((seen.sites, seen.files, seen.fileVersions, seen.contents, seen.contentBytes) == (2, 2, 2, 1, 2))
        #expect(seen.certificates == 1 && seen.keyIDs == ["k1"])
        #expect(seen.isNode && !seen.isPublisher && !seen.isOwner && seen.isDirect && !seen.isReplica)
        let other = try StoreCondition(over: publisher)
        #expect(other.certificates == nil && other.keyIDs == nil)
        #expect(!other.isNode && other.isPublisher && !other.isOwner)
        #expect(other.position == seen.position)
    }

    @Test("certificates are written over each other, and removed ones stay as rows")
    func certificates() throws {
        let store = try StoreFixture()
        let node = try store.connect(as: store.node)
        func row(_ name: String, _ chain: String) -> StoreCertificates.Row {
            StoreCertificates.Row(
                name: name, names: [name, "www.\(name)"], chain: chain, keyID: "k1", sealedKey: [0, 255], notAfter: nil,
                source: .acme)
        }
        #expect(try StoreCertificates.write([row("a", "1"), row("b", "1")], over: node) == 2)
        #expect(try StoreCertificates.remove(["a"], over: node) == 3)
        #expect(try StoreCertificates.remove(["a"], over: node) == 3)
        #expect(try StoreCertificates.all(over: node).map(\.name) == ["b"])
        let all = try StoreCertificates.all(includesRemoved: true, over: node)
        #expect(all.map(\.isRemoved) == [true, false] && all.map(\.generation) == [3, 2])
        #expect(all[1].sealedKey == [0, 255] && all[1].source == .acme && all[1].keyID == "k1")
        #expect(try StoreCertificates.write([row("a", "2")], over: node) == 4)
        #expect(try StoreCertificates.all(over: node).map(\.chain) == ["2", "1"])
        let publisher = try store.connect()
        let error = try storeError { _ = try StoreCertificates.all(over: publisher) }
        #expect(error.kind == .permissionDenied)
    }

    @Test("secrets are encrypted with the first key, and those that cannot be opened stay")
    func rekey() throws {
        let store = try StoreFixture()
        let node = try store.connect(as: store.node)
        func key(_ id: String, _ byte: UInt8) -> StoreKeyRing.Key {
            StoreKeyRing.Key(id: id, secret: SecretBytes([UInt8](repeating: byte, count: 32)))
        }
        let old = StoreKeyRing([key("old", 1)])
        let rows = try (0..<250).map { number in
            let name = "c\(number)"
            let sealed = try old.seal(SecretBytes(Array("key \(number)".utf8)), table: "certificates", primaryKey: name)
            return StoreCertificates.Row(
                name: name, names: [], chain: "", keyID: sealed.keyID, sealedKey: sealed.bytes, notAfter: nil,
                source: .import)
        }
        _ = try StoreCertificates.write(rows, over: node)
        let ticket = try old.seal(SecretBytes([9]), table: "ticket_keys", primaryKey: "ff00")
        _ = try node.query(
            "INSERT INTO aasa.ticket_keys (name, key_id, key_sealed, use_from) VALUES ($1, $2, $3, now())",
            [.bytes([255, 0]), .text("old"), .bytes(ticket.bytes)])
        // A ciphertext in another row, and one whose key nobody has.
        try store.database.sql(
            """
            UPDATE aasa.certificates SET key_sealed = (SELECT key_sealed FROM aasa.certificates WHERE name = 'c1')
            WHERE name = 'c2';
            UPDATE aasa.certificates SET key_id = 'lost' WHERE name = 'c3';
            """)
        let both = StoreKeyRing([key("new", 2), key("old", 1)])
        let result = try StoreRekeying.run(both, over: node)
        #expect(result.changed == 249)
        #expect(
            result.failures.map { "\($0.path) \($0.rule.code.rawValue)" } == [
                "store:certificates/c2 store-key-wrong", "store:certificates/c3 store-key-missing",
            ])
        #expect(try StoreCondition(over: node).keyIDs == ["lost", "new", "old"])
        #expect(try StoreRekeying.run(both, over: node).changed == 0)
        let new = StoreKeyRing([key("new", 2)])
        for certificate in try StoreCertificates.all(over: node) where !["c2", "c3"].contains(certificate.name) {
            let plain = try new.open(
                certificate.sealedKey, keyID: certificate.keyID, table: "certificates", primaryKey: certificate.name)
            #expect(plain.withText { $0 } == "key \(certificate.name.dropFirst())")
        }
        let row = try node.query("SELECT key_id, key_sealed FROM aasa.ticket_keys").first
        let opened = try new.open(
            row?.bytes(1) ?? [], keyID: row?.text(0) ?? "", table: "ticket_keys", primaryKey: "ff00")
        #expect(opened.withBytes { $0 } == [9])
    }
}
