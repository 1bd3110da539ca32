import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Stores behind a pooler", .waitingForSeconds, .needs(.postgres, .pgBouncer))
struct PoolerTests {
    @Test(
        "publishing works through PgBouncer, whichever way it lends connections",
        arguments: [
            PgBouncer.Mode.transaction, .session,
        ])
    func publishing(mode: PgBouncer.Mode) throws {
        let store = try StoreFixture()
        let pooler = try PgBouncer(store.database, user: store.publisher, mode: mode)
        let results = try AtOnce.run(12) { index in
            let connection = try StoreFixture.connect(pooler.url)
            let key = StoreFileKey(domain: "d\(index).example", name: "assetlinks.json")
            guard
                case .published(let version, _, nil) = try StorePublishing.publish(
                    StorePublication(key, bytes: Array("[\(index)]".utf8)), over: connection)
            else { throw TestFailure("not published") }
            let file = try StoreVersions.file(key, version: version, over: connection)
            return file?.contents?.bytes == Array("[\(index)]".utf8)
        }
        #expect(results == [Bool](repeating: true, count: 12))
        let connection = try StoreFixture.connect(pooler.url)
        let condition = try StoreCondition(over: connection)
        #expect(!condition.isDirect && condition.isPublisher)
        #expect(try StoreListing.domains(over: connection).count == 12)
        #expect(
            try store.database.sql("SELECT max(generation), count(DISTINCT published_by) FROM aasa.versions") == "12|1")
    }

    @Test("settings do not stay on a connection that others get")
    func settings() throws {
        let store = try StoreFixture()
        let pooler = try PgBouncer(store.database, user: store.publisher, mode: .transaction)
        let first = try StoreConnection(
            StoreAddress(pooler.url, applicationName: "tests"), StoreTimeouts(statement: 7, deadline: 600))
        let during = try first.transaction(.reading) { () throws(StoreError) in
            try first.query("SHOW statement_timeout").first?.text(0)
        }
        #expect(during == "7s")
        for _ in 0..<10 {
            let other = try StoreFixture.connect(pooler.url)
            let after = try other.query("SHOW statement_timeout").first?.text(0)
            #expect(after == "0")
        }
    }

    @Test("a pooler that has lost its server says so")
    func lostServer() throws {
        let cluster = try PostgresCluster()
        let store = try StoreFixture(cluster)
        let pooler = try PgBouncer(store.database, user: store.publisher, mode: .transaction)
        let connection = try StoreFixture.connect(pooler.url)
        #expect(try StoreListing.domains(over: connection).isEmpty)
        cluster.kill()
        let error = try storeError { _ = try StoreListing.domains(over: connection) }
        #expect(error.kind == .unreachable && error.isConnectionLost)
        try cluster.start()
        // It remembers for a second that the server was not there.
        let isBack = Waiting.until {
            (try? {
                let connection = try StoreFixture.connect(pooler.url)
                return try StoreListing.domains(over: connection).isEmpty
            }()) == true
        }
        #expect(isBack)
    }
}
