import Diagnostics
import Foundation
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Setting a store up", .waiting, .needs(.postgres))
struct StoreSchemaTests {
    /// All definitions of the schema, with its rights, which have no order.
    private func dump(_ database: PostgresDatabase) throws -> [Substring] {
        let outcome = try Shell.run([
            "pg_dump", "--schema-only", "-n", "aasa", "-h", database.cluster.socketFolder, "-U", "postgres",
            database.name,
        ])
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        // Some lines have a random word in each dump.
        return outcome.text.split(separator: "\n").filter { !$0.hasPrefix("\\") }.sorted()
    }

    @Test("a store is made once, and setting it up again grants its rights again")
    func initialise() throws {
        let store = try StoreFixture()
        let before = try dump(store.database)
        try store.database.sql("REVOKE SELECT ON aasa.meta FROM aasa_publisher")
        let connection = try store.connect(as: "postgres")
        #expect(try StoreSchema.initialise(connection) == .existing(version: 3))
        #expect(try dump(store.database) == before)
        #expect(try store.database.sql("SELECT count(*), sum(generation) FROM aasa.changes") == "1|0")
        let publisher = try store.connect()
        #expect(try StoreSchema.initialise(publisher) == .existing(version: 3))
    }

    @Test("the printed SQL makes the same store")
    func printed() throws {
        let (store, other) = (try StoreFixture(), try PostgresCluster.shared().database())
        try other.sql(StoreSchema.sql)
        #expect(try dump(other) == dump(store.database))
        let connection = try StoreFixture.connect(other.url())
        #expect(try StoreSchema.versions(connection) == StoreSchema.Versions(schema: 3, readableFrom: 1))
        #expect(try other.sql("SELECT generation FROM aasa.meta") == "0")
        #expect(other.failure(of: StoreSchema.sql) != nil)
        try StoreSchema.checkWritable(connection)
    }

    @Test("of several that set a store up at once one makes it")
    func atOnce() throws {
        let database = try PostgresCluster.shared().database()
        let setups = try AtOnce.run(4) { _ in
            let connection = try StoreFixture.connect(database.url())
            return try StoreSchema.initialise(connection)
        }
        #expect(setups.count { $0 == .created(version: 3) } == 1)
        #expect(setups.count { $0 == .existing(version: 3) } == 3)
        let databases = try (0..<4).map { _ in try database.cluster.database() }
        let others = try AtOnce.run(4) { index in
            let connection = try StoreFixture.connect(databases[index].url())
            return try StoreSchema.initialise(connection)
        }
        #expect(others.allSatisfy { $0 == .created(version: 3) })
    }

    @Test("who may not create roles and tables is told the statements, which are enough")
    func withoutRights() throws {
        let cluster = try PostgresCluster()
        let database = try cluster.database()
        let owner = try database.login("owner")
        let connection = try StoreFixture.connect(database.url(user: owner))
        let error = try storeError { _ = try StoreSchema.initialise(connection) }
        #expect(error.kind == .permissionDenied)
        #expect(error.message == "user '\(owner)' may not set up a store in database '\(database.name)'")
        let statements = try #require(error.help?.split(separator: "again: ").last)
        #expect(
            statements == "CREATE ROLE aasa_node NOLOGIN; CREATE ROLE aasa_publisher NOLOGIN; "
                + "GRANT CREATE ON DATABASE \(database.name) TO \(owner);")
        try database.sql(String(statements))
        #expect(try StoreSchema.initialise(connection) == .created(version: 3))
        #expect(try StoreSchema.initialise(connection) == .existing(version: 3))
        let stranger = try database.login("stranger")
        let other = try StoreFixture.connect(database.url(user: stranger))
        let second = try storeError { _ = try StoreSchema.initialise(other) }
        #expect(second.kind == .permissionDenied)
    }

    @Test("migrations are applied in their order, each once, also by several at once")
    func migrations() throws {
        let store = try StoreFixture()
        let migrations =
            StoreSchema.migrations + [
                StoreMigration(version: 4, readableFrom: 1, sql: "ALTER TABLE aasa.nodes ADD COLUMN region text;"),
                StoreMigration(version: 5, readableFrom: 5, sql: "CREATE TABLE aasa.regions (name text);"),
            ]
        let connection = try store.connect(as: "postgres")
        #expect(try StoreSchema.migrate(connection) == [])
        let applied = try AtOnce.run(4) { _ in
            let connection = try store.connect(as: "postgres")
            return try StoreSchema.migrate(connection, migrations)
        }
        #expect(applied.flatMap { $0 }.sorted() == [4, 5])
        #expect(try StoreSchema.versions(connection) == StoreSchema.Versions(schema: 5, readableFrom: 5))
        #expect(try store.database.sql("SELECT count(*) FROM aasa.regions", user: store.node) == "0")
    }

    /// The store as version 1 of the schema has set it up.
    private func firstVersion() throws -> PostgresDatabase {
        let database = try PostgresCluster.shared().database()
        let first = StoreSchema.migrations[0]
        try database.sql("CREATE SCHEMA aasa; \(first.sql)")
        return database
    }

    @Test(
        "a store of version 1 is migrated with its odd rows, gets the rights of the present version, and is the one that is made anew"
    )
    func migrationOfFirst() throws {
        let store = try StoreFixture()
        let database = try firstVersion()
        try database.sql(
            """
            \(StoreFixture.publication("a.example", "1"))
            INSERT INTO aasa.versions (domain, name, sha256, findings)
                VALUES ('b.example', 'a', sha256('1'), '{"errors":"abc"}');
            UPDATE aasa.current SET sha256 = '\\x01' WHERE domain = 'a.example';
            INSERT INTO aasa.ticket_keys VALUES ('a', '', '', now(), '294276-12-31'), ('b', '', '', now(), now());
            INSERT INTO aasa.acme_challenges VALUES ('a.example', 'http-01', 't', 'k', 'infinity');
            """)
        let connection = try StoreFixture.connect(database.url())
        let older = try storeError { try StoreSchema.checkWritable(connection) }
        #expect(older.kind == .schemaOlder)
        // Rights are granted in a store of version 1, too.
        #expect(try StoreSchema.initialise(connection) == .existing(version: 1))
        #expect(try StoreSchema.migrate(connection) == [2, 3])
        #expect(try dump(database) == dump(store.database))
        #expect(try database.sql("SELECT count(*) FROM aasa.ticket_keys") == "1")
        #expect(try database.sql("SELECT count(*) FROM aasa.acme_challenges") == "0")
        for statement in [
            "UPDATE aasa.current SET sha256 = '\\x02'", "UPDATE aasa.ticket_keys SET made_at = 'infinity'",
            "INSERT INTO aasa.acme_challenges VALUES ('a', 'http-01', '', '', 'infinity')",
            "INSERT INTO aasa.versions (domain, name, findings) VALUES ('a', 'b', '{\"warnings\":-1}')",
        ] {
            #expect(database.failure(of: statement)?.contains("violates check constraint") == true, "\(statement)")
        }
    }

    @Test("a migration that fails leaves the store as it was")
    func failedMigration() throws {
        let store = try StoreFixture()
        let migrations =
            StoreSchema.migrations + [
                StoreMigration(version: 4, readableFrom: 1, sql: "CREATE TABLE aasa.regions (name text); SELECT 1 / 0;")
            ]
        let connection = try store.connect(as: "postgres")
        let error = try storeError { _ = try StoreSchema.migrate(connection, migrations) }
        #expect(error.message.contains("division by zero"))
        #expect(try StoreSchema.versions(connection).schema == 3)
        #expect(try store.database.sql("SELECT to_regclass('aasa.regions') IS NULL") == "t")
    }

    @Test(
        "a newer store is not written to, and read as long as it allows that",
        arguments: [(4, 1, true), (7, 3, true), (4, 4, false)])
    func newer(schema: Int, readableFrom: Int, isReadable: Bool) throws {
        let store = try StoreFixture()
        try store.database.sql("UPDATE aasa.meta SET schema_version = \(schema), readable_from = \(readableFrom)")
        let connection = try store.connect()
        let error = try storeError { try StoreSchema.checkWritable(connection) }
        #expect(error.kind == .schemaNewer)
        #expect(error.rule?.code.rawValue == "store-schema-newer")
        var kind: StoreError.Kind?
        do throws(StoreError) { try StoreSchema.checkReadable(connection) } catch { kind = error.kind }
        #expect(kind == (isReadable ? nil : .schemaNewer))
        let owner = try store.connect(as: "postgres")
        let third = try storeError { _ = try StoreSchema.migrate(owner) }
        #expect(third.kind == .schemaNewer)
    }

    @Test("a store that is older, or missing, names the command")
    func older() throws {
        let store = try StoreFixture()
        try store.database.sql("UPDATE aasa.meta SET schema_version = 0, readable_from = 0")
        let connection = try store.connect()
        let error = try storeError { try StoreSchema.checkReadable(connection) }
        #expect(error.kind == .schemaOlder)
        #expect(error.help?.contains("aasa store migrate") == true)
        let empty = try StoreFixture.connect(PostgresCluster.shared().database().url())
        let third = try storeError { try StoreSchema.checkReadable(empty) }
        #expect(third.kind == .notInitialised)
        #expect(third.help?.contains("aasa store init") == true)
    }
}
