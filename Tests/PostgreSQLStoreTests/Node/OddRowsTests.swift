import Diagnostics
import OpenSSL
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

/// Rows that were written past the checks of the schema, or before there were any (store.md, section 7).
@Suite("Rows with odd values", .waiting, .needs(.postgres))
struct OddRowsTests {
    private let store: StoreFixture
    private let folder: TemporaryFolder

    init() throws {
        (store, folder) = (try StoreFixture(), try TemporaryFolder())
        try store.database.sql(
            """
            ALTER TABLE aasa.current DROP CONSTRAINT current_sha256_check;
            ALTER TABLE aasa.versions DROP CONSTRAINT versions_counts_check;
            ALTER TABLE aasa.acme_challenges DROP CONSTRAINT acme_challenges_expires_at_check;
            ALTER TABLE aasa.ticket_keys DROP CONSTRAINT ticket_keys_times_check;
            \(StoreFixture.publication("a.example", "1"))
            """)
    }

    /// A node that shares ticket keys.
    private func node() throws -> RunningNode {
        let file = "\(folder.path)/keys"
        try folder.write("k1 " + String(repeating: "ab", count: 32) + "\n", to: "keys")
        return try RunningNode(store.database.url(user: store.node), cache: "\(folder.path)/cache", keyFile: file)
    }

    private func publishAgain(_ node: RunningNode) throws {
        try store.database.sql(StoreFixture.publication("b.example", "2"))
        #expect(Waiting.until { node.host.served["b.example/assetlinks.json"] == "2" })
    }

    @Test(
        "a challenge that never expires is answered, and one of its kind harms no other",
        arguments: ["infinity", "294276-12-31", "2299-12-31"])
    func challenges(expiry: String) throws {
        let node = try node()
        try store.database.sql(
            """
            INSERT INTO aasa.acme_challenges VALUES ('odd.example', 'http-01', 'o', 'k', '\(expiry)'),
                ('a.example', 'http-01', 't', 'k', clock_timestamp() + interval '30 minutes'),
                ('old.example', 'http-01', 't', 'k', '-infinity')
            """)
        #expect(Waiting.until { node.host.challenges.map(\.domain).sorted() == ["a.example", "odd.example"] })
        #expect(Waiting.until { node.host.findings == ["store-row-invalid"] })
        try publishAgain(node)
        try store.database.sql("DELETE FROM aasa.acme_challenges WHERE domain = 'odd.example'")
        try store.database.sql(StoreFixture.publication("b.example", "3"))
        #expect(Waiting.until { node.host.findings.isEmpty })
    }

    @Test("a digest of another length costs its own file alone, and the last good one stays")
    func digest() throws {
        let node = try node()
        try store.database.sql(StoreFixture.publication("c.example", "1"))
        #expect(Waiting.until { node.host.served.count == 2 })
        try store.database.sql(
            """
            BEGIN; \(StoreFixture.publication("a.example", "2"))
            UPDATE aasa.current SET sha256 = '\\x01' WHERE domain = 'a.example'; COMMIT;
            """)
        try publishAgain(node)
        #expect(node.host.damaged == ["a.example/assetlinks.json"])
        #expect(node.host.served["a.example/assetlinks.json"] == "1")
        // So it is for a node that reads everything.
        let fresh = try RunningNode(store.database.url(user: store.node), cache: "\(folder.path)/fresh")
        #expect(fresh.host.served["c.example/assetlinks.json"] == "1")
        #expect(fresh.host.served["a.example/assetlinks.json"] == "1")
        let connection = try store.connect()
        let files = ["a", "c"].map {
            StorePublication(StoreFileKey(domain: "\($0).example", name: "assetlinks.json"), bytes: Array("1".utf8))
        }
        #expect(try StorePublishing.changed(files, over: connection) == [0])
        #expect(try StoreCondition(over: connection).oddRows == ["store:current/a.example/assetlinks.json"])
    }

    @Test(
        "counts of findings that are no numbers are not shown, and history goes on",
        arguments: [#"{"errors":"abc"}"#, #"{"warnings":[1]}"#, #"{"errors":1e30,"warnings":-1}"#, #"{"errors":1.5}"#])
    func counts(findings: String) throws {
        try store.database.sql(
            """
            INSERT INTO aasa.versions (domain, name, sha256, findings)
            VALUES ('a.example', 'assetlinks.json', sha256('1'), '\(findings)')
            """)
        let connection = try store.connect()
        let key = StoreFileKey(domain: "a.example", name: "assetlinks.json")
        let versions = try StoreVersions.versions(of: key, limit: nil, over: connection)
        #expect(versions.map(\.version) == [2, 1] && versions[0].findings == nil)
        let again = StorePublication(key, bytes: [], findings: StoreFindings(errors: 0, warnings: 3))
        guard case .published = try StorePublishing.publish(again, over: connection) else {
            throw TestFailure("not published")
        }
        #expect(try StoreVersions.current(key, over: connection)?.findings?.warnings == 3)
        #expect(
            try StoreCondition(over: connection).oddRows == ["store:versions/a.example/assetlinks.json@2"])
    }

    @Test(
        "a ticket key from the future is not used, and the next one takes its place",
        arguments: [
            ("294276-12-31", "now"), ("infinity", "now"), ("-infinity", "now"), ("now", "infinity"),
            ("now", "2299-12-31"),
        ])
    func ticketKeys(madeAt: String, useFrom: String) throws {
        try store.database.sql(
            "INSERT INTO aasa.ticket_keys VALUES ('\\x00', 'k1', '\\x00', '\(useFrom)', '\(madeAt)')")
        let node = try node()
        // The key that was made is there, and the odd one is not any more.
        #expect(Waiting.until { node.host.ticketKeys.count == 1 && node.host.status.sharedTicketKeys == 1 })
        #expect(try store.database.sql("SELECT count(*) FROM aasa.ticket_keys WHERE name = '\\x00'") == "0")
        #expect(node.host.findings.isEmpty)
        // One that comes when none is due stays for a while, as a finding.
        try store.database.sql(
            "INSERT INTO aasa.ticket_keys VALUES ('\\x00', 'k1', '\\x00', '\(useFrom)', '\(madeAt)')")
        node.node.reload(keyFile: "\(folder.path)/keys", poll: 30)
        #expect(Waiting.until { node.host.findings == ["store-row-invalid"] })
        #expect(node.host.ticketKeys.count == 1)
    }

    @Test("times beyond those that dates can have are taken as the last one")
    func times() throws {
        let connection = try store.connect()
        let row = try connection.query(
            "SELECT 'infinity'::timestamptz, '-infinity'::timestamptz, '294276-12-31'::timestamptz, '2026-01-01Z'::timestamptz"
        ).first
        let times = try (0..<4).map { (column) in try row?.time(column) }
        #expect(
            times == [253_402_300_799_999_999, -62_135_596_800_000_000, 253_402_300_799_999_999, 1_767_225_600_000_000])
    }
}
