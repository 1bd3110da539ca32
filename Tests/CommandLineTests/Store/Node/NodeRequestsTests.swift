import Foundation
import TestSupport
import Testing

/// Requests while the database has faults (store.md, section 8).
@Suite("Requests while the database has faults", .waitingForSeconds, .needs(.postgres))
struct NodeRequestsTests {
    private static let bodies = ["a", "b", "c", "d"].map { StoreRig.document($0) }

    @Test("no request fails while connections end and the database is killed, and changes arrive soon after it is back")
    func killed() throws {
        let cluster = try PostgresCluster()
        let rig = try StoreRig(cluster)
        try rig.publish("example.com", "a")
        let node = try rig.node("one", poll: "1")
        #expect(try node.waits(for: "a", of: "example.com"))
        let requests = SteadyRequests(port: node.port, domain: "example.com", bodies: Self.bodies)
        try rig.database.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'aasa/% one'")
        try rig.publish("example.com", "b")
        #expect(try node.waits(for: "b", of: "example.com"))
        cluster.kill()
        #expect(node.waitForLog("[store-unreachable]"))
        #expect(try rig.admin("one", "/metrics").contains("\naasa_store_up 0\n"))
        #expect(try rig.admin("one", "/readyz").hasPrefix("ready"))
        try cluster.start()
        try rig.publish("example.com", "c")
        let start = Waiting.seconds
        #expect(try node.waits(for: "c", of: "example.com"))
        #expect(Waiting.seconds - start < 20 || Patience.isSanitizing)
        #expect(node.waitForLog("the store can be followed again"))
        #expect(try rig.admin("one", "/metrics").contains("\naasa_store_up 1\n"))
        let (count, failures) = requests.end()
        #expect(count > 100 && failures.isEmpty, "\(failures.prefix(3))")
        // Whatever is said of the address is said once a line.
        for line in node.logText.split(separator: "\n") {
            #expect(line.components(separatedBy: rig.database.cluster.socketFolder).count <= 2, "\(line)")
        }
    }

    @Test("no request fails while the database answers nothing, and a publisher gives up")
    func frozen() throws {
        let cluster = try PostgresCluster()
        let rig = try StoreRig(cluster)
        try rig.publish("example.com", "a")
        let node = try rig.node("one", poll: "1")
        #expect(try node.waits(for: "a", of: "example.com"))
        let requests = SteadyRequests(port: node.port, domain: "example.com", bodies: Self.bodies)
        try cluster.freeze()
        try rig.tool.write(StoreRig.document("b"), to: "b.json")
        let outcome = try rig.tool.run("publish", "example.com", "b.json", "--store", "\(rig.url)?connect_timeout=2")
        #expect(outcome.status == 69 && outcome.errors.contains("[store-unreachable]"), "\(outcome.errors)")
        cluster.thaw()
        try rig.publish("example.com", "c")
        #expect(try node.waits(for: "c", of: "example.com"))
        let (count, failures) = requests.end()
        #expect(count > 100 && failures.isEmpty, "\(failures.prefix(3))")
    }

    @Test("a lock on the store delays no request, a command names it, and the node reads on when it is gone")
    func locked() throws {
        let rig = try StoreRig()
        try rig.publish("example.com", "a")
        let node = try rig.node("one", poll: "1")
        #expect(try node.waits(for: "a", of: "example.com"))
        let requests = SteadyRequests(port: node.port, domain: "example.com", bodies: Self.bodies)
        let lock = "LOCK TABLE aasa.meta IN ACCESS EXCLUSIVE MODE"
        let database = rig.database
        Thread { _ = database.failure(of: "BEGIN; \(lock); SELECT pg_sleep(600)") }.start()
        let holder = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep%'"
        #expect(try Waiting.until { try database.sql("SELECT count(*) \(holder) AND pid <> pg_backend_pid()") == "1" })
        try rig.tool.write(StoreRig.document("b"), to: "b.json")
        let outcome = try rig.run("publish", "example.com", "b.json")
        #expect(outcome.status == 69 && outcome.errors.contains("waiting for a lock"), "\(outcome.errors)")
        #expect(node.waitForLog("waiting for a lock"))
        try database.sql("SELECT pg_terminate_backend(pid) \(holder) AND pid <> pg_backend_pid()")
        try rig.publish("example.com", "b")
        #expect(try node.waits(for: "b", of: "example.com"))
        let (count, failures) = requests.end()
        #expect(count > 100 && failures.isEmpty, "\(failures.prefix(3))")
    }
}
