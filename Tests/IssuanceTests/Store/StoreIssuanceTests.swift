import Foundation
import TestSupport
import Testing

@Suite("aasa serve with acme and a store", .waitingForSeconds, .needs(.pebble), .needs(.postgres))
struct StoreIssuanceTests {
    /// The locks of the processes that have the right to order, or wait for it.
    private static let locks = """
        FROM pg_locks WHERE locktype = 'advisory'
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """

    @Test("one node orders, another one answers the challenge, all present the certificate, and another goes on")
    func threeNodes() throws {
        let rig = try StoreIssuanceRig()
        rig.setup.acme["challenges"] = ["tls-alpn-01"]
        let first = try rig.node(1)
        #expect(first.metric("aasa_acme_holder", becomes: "1"), "\(first.log)")
        let others = try [rig.node(2), rig.node(3)]
        for node in others {
            #expect(node.process.waitForLog("acme: node 'node-1' orders the certificates"), "\(node.log)")
        }
        let name = try rig.publish("shop", at: 3)
        #expect(first.hasIssued(name), "\(first.log)")
        let leaf = try #require(first.presents(name), "\(first.log)")
        for node in others {
            #expect(node.presents(name) == leaf, "\(node.log)")
            #expect(try node.metric("aasa_acme_holder") == "0" && node.reaches("valid", name))
        }
        #expect(try others[1].metric(#"aasa_acme_challenges_total{type="tls-alpn-01",result="answered"}"#) == "3")
        #expect(try first.metric(#"aasa_acme_challenges_total{type="tls-alpn-01",result="answered"}"#) == "0")
        #expect(try Waiting.until { try rig.database.sql("SELECT count(*) FROM aasa.acme_challenges") == "0" })
        #expect(try Waiting.until { try rig.database.sql("SELECT count(*) FROM aasa.acme_orders") == "0" })
        let row = try rig.database.sql(
            "SELECT source, authority IS NOT NULL, key_id <> '' FROM aasa.certificates WHERE name = '\(name)'")
        #expect(row == "acme|t|t")

        // The connection with the lock ends; what was registered and issued stays.
        try rig.database.sql("SELECT pg_terminate_backend(pid) \(Self.locks) AND granted")
        #expect(first.process.waitForLog("acme: this process has lost the right"), "\(first.log)")
        let all = [first] + others
        // A metric can be older than the end of the connection.
        #expect(try Waiting.until { try rig.database.sql("SELECT count(*) \(Self.locks)") == "1" })
        #expect(Waiting.until { all.count(where: \.orders) == 1 })
        let listing = try rig.aasa("certificates", "--config", rig.configuration(2))
        #expect(listing.text.contains(name) && listing.text.contains("1 certificate, 1 site"), "\(listing.text)")
        let renewal = try rig.aasa(
            "certificates", "--config", rig.configuration(3), "--renew", name, "--wait", "\(Patience.seconds)")
        #expect(renewal.text.contains("\(name): issued by"), "\(renewal.text)")
        let renewed = try #require(first.presents(name, besides: leaf))
        for node in others { #expect(node.presents(name, besides: leaf) == renewed) }
        #expect(try rig.database.sql("SELECT count(*) FROM aasa.acme_accounts") == "1")
        #expect(try rig.clearKeys().isEmpty)
    }

    @Test("the node that orders is killed in the middle of an order, and another one finishes it")
    func killed() throws {
        let gate = try AuthorityGate(.shared)
        let rig = try StoreIssuanceRig(gate: gate)
        rig.setup.acme["challenges"] = ["http-01"]
        let first = try rig.node(1)
        #expect(first.metric("aasa_acme_holder", becomes: "1"), "\(first.log)")
        let second = try rig.node(2)
        #expect(second.process.waitForLog("acme: node 'node-1' orders the certificates"), "\(second.log)")
        gate.stop("/finalize-order/", at: .answer)
        let name = try rig.publish("shop", at: 2)
        #expect(gate.waitUntilStopped(), "\(first.log)")
        first.kill()
        gate.open()
        #expect(second.hasIssued(name), "\(second.log)")
        #expect(second.presents(name) != nil && second.orders)
        // The same order, and the same account.
        #expect(gate.orders == 1 && gate.answered.count { $0 == "POST /sign-me-up 201" } == 1, "\(gate.answered)")
        let third = try rig.node(3)
        #expect(third.presents(name) != nil && gate.orders == 1)
    }

    @Test(
        "behind a pooler that lends connections out no node orders, and it says why", .needs(.pgBouncer))
    func pooler() throws {
        let rig = try StoreIssuanceRig()
        let pooler = try PgBouncer(rig.database, mode: .transaction)
        defer { pooler.end() }
        let name = try rig.publish("shop", at: 1)
        let node = try rig.node(1, url: pooler.url)
        #expect(node.process.waitForLog("which a pooler may lend to others; no certificate is ordered"), "\(node.log)")
        #expect(try node.metric("aasa_acme_holder") == "0" && node.errorType(name) == "storage")
        #expect(try rig.database.sql("SELECT count(*) \(Self.locks)") == "0")
        #expect(try rig.database.sql("SELECT count(*) FROM aasa.acme_accounts") == "0")
    }
}
