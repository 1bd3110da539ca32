import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Changes at the same time", .waiting, .needs(.postgres))
struct ConcurrentChangesTests {
    private let history = """
        SELECT string_agg(generation || ' ' || domain || ' ' || version, ', ' ORDER BY generation) FROM aasa.versions
        """

    @Test(
        "of two transactions the one that begins to publish first has the smaller generation",
        arguments: [("COMMIT", "1 a 1, 2 b 1"), ("ROLLBACK", "1 b 1")])
    func twoTransactions(end: String, expected: String) throws {
        let store = try StoreFixture()
        let first = try store.connect()
        try first.run("BEGIN; " + StoreFixture.publication("a", "[]"))
        let second = AtOnce.start { _ in
            let connection = try store.connect()
            try connection.run("BEGIN; " + StoreFixture.publication("b", "[]", name: "links.json") + "COMMIT")
        }
        try store.waitForLock()
        #expect(try store.database.sql("SELECT generation FROM aasa.meta") == "0")
        try first.run(end)
        _ = try second.wait()
        #expect(try store.database.sql(history) == expected)
    }

    @Test("a transaction that began earlier and publishes later has the larger generation")
    func lateStatement() throws {
        let store = try StoreFixture()
        let first = try store.connect()
        try first.run("BEGIN; SELECT count(*) FROM aasa.versions")
        let second = try store.connect()
        try second.run(StoreFixture.publication("b", "[]"))
        try first.run(StoreFixture.publication("a", "[]") + "COMMIT")
        #expect(try store.database.sql(history) == "1 b 1, 2 a 1")
        let isInOrder = try store.database.sql(
            "SELECT bool_and(at >= before) FROM (SELECT at, lag(at, 1, at) OVER (ORDER BY generation) AS before "
                + "FROM aasa.changes) AS times")
        #expect(isInOrder == "t")
    }

    @Test("a transaction that sees an older moment is refused instead of taking a generation again")
    func olderMoment() throws {
        let store = try StoreFixture()
        let first = try store.connect()
        try first.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM aasa.versions")
        try store.database.sql(StoreFixture.publication("b", "[]"))
        let error = try storeError { try first.run(StoreFixture.publication("a", "[]")) }
        #expect(error.kind == .conflict)
        try first.run("ROLLBACK")
        #expect(try store.database.sql(history) == "1 b 1")
    }

    @Test("twenty publishers at once leave versions and generations without gaps")
    func publishers() throws {
        let store = try StoreFixture()
        _ = try AtOnce.run(20) { index in
            let connection = try store.connect()
            for round in 0..<5 {
                try connection.run(
                    StoreFixture.publication(round % 2 == 0 ? "shared" : "d\(index)", "[\(index), \(round)]"))
            }
        }
        #expect(
            try store.database.sql(
                """
                SELECT count(*), max(generation), count(DISTINCT generation) FROM aasa.versions
                """) == "100|100|100")
        #expect(
            try store.database.sql(
                """
                SELECT count(*) FROM (SELECT max(version) = count(*) AS whole FROM aasa.versions GROUP BY domain) AS files
                WHERE NOT whole
                """) == "0")
        #expect(try store.database.sql("SELECT max(version) FROM aasa.versions WHERE domain = 'shared'") == "60")
        #expect(
            try store.database.sql(
                """
                SELECT count(*) FROM aasa.versions AS v JOIN aasa.current AS c USING (domain, name, version)
                WHERE c.sha256 = v.sha256 AND c.generation = v.generation
                """) == "21")
    }

    @Test("a reader never sees a generation before a smaller one")
    func readers() throws {
        let store = try StoreFixture()
        let publishing = AtOnce.start(4) { index in
            let connection = try store.connect()
            for round in 0..<25 { try connection.run(StoreFixture.publication("d\(index)", "[\(round)]")) }
        }
        let connection = try store.connect(as: store.node)
        var generation: Int64 = 0
        while generation < 100 {
            let seen = try connection.transaction(.reading) { () throws(StoreError) -> (Int64, Int64) in
                let rows = try connection.query(
                    "SELECT generation, (SELECT count(*) FROM aasa.versions) FROM aasa.meta")
                guard let row = rows.first else { return (0, 1) }
                return (try row.integer(0), try row.integer(1))
            }
            #expect(seen.0 == seen.1 && seen.0 >= generation)
            guard seen.0 >= generation, seen.0 == seen.1 else { break }
            generation = seen.0
        }
        _ = try publishing.wait()
    }
}
