import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Roles of a store", .waiting, .needs(.postgres))
struct RolesTests {
    /// Statements that each use one right, and who has it: `n` a node, `p` a publisher.
    private static let rights: [(statement: String, roles: String)] = [
        ("SELECT * FROM aasa.meta", "np"), ("SELECT * FROM aasa.content", "np"), ("SELECT * FROM aasa.versions", "np"),
        ("SELECT * FROM aasa.current", "np"), ("SELECT * FROM aasa.nodes", "np"), ("SELECT * FROM aasa.changes", "np"),
        ("SELECT * FROM aasa.certificates", "n"), ("SELECT names, removed FROM aasa.certificates", "np"),
        ("SELECT key_sealed FROM aasa.certificates", "n"),
        ("SELECT * FROM aasa.ticket_keys", "n"), ("SELECT * FROM aasa.acme_accounts", "n"),
        ("SELECT * FROM aasa.acme_challenges", "n"), ("SELECT aasa.lock_generation()", "np"),
        ("SELECT aasa.confirm_generation(0)", "p"),
        ("INSERT INTO aasa.content (sha256, bytes) VALUES (sha256('b'), 'b')", "p"),
        (
            "INSERT INTO aasa.versions (domain, name, sha256, message, lint, findings) VALUES ('a', 'b', null, '', '', '{}')",
            "p"
        ),
        ("INSERT INTO aasa.versions (domain, name, version) VALUES ('a', 'b', 1)", ""),
        ("INSERT INTO aasa.versions (domain, name, published_by) VALUES ('a', 'b', 'x')", ""),
        ("INSERT INTO aasa.versions (domain, name, published_at) VALUES ('a', 'b', now())", ""),
        ("INSERT INTO aasa.versions (domain, name, generation) VALUES ('a', 'b', 1)", ""),
        ("UPDATE aasa.versions SET message = ''", ""), ("DELETE FROM aasa.versions", ""),
        ("TRUNCATE aasa.versions", ""),
        ("UPDATE aasa.content SET bytes = ''", ""), ("DELETE FROM aasa.content", ""),
        ("UPDATE aasa.meta SET generation = 0", ""), ("DELETE FROM aasa.meta", ""),
        ("INSERT INTO aasa.current VALUES ('a', 'b', 1, null, 1)", ""), ("UPDATE aasa.current SET version = 1", ""),
        ("DELETE FROM aasa.current", ""),
        ("INSERT INTO aasa.changes VALUES (9, gen_random_uuid(), now(), 'x', 'y')", ""),
        ("DELETE FROM aasa.changes", ""),
        ("SELECT aasa.end_generation('a', 'b', 'c', null)", ""),
        ("INSERT INTO aasa.certificates (name, chain, key_id, key_sealed) VALUES ('a', '', '', '')", "n"),
        ("UPDATE aasa.certificates SET removed = true", "n"), ("DELETE FROM aasa.certificates", ""),
        ("INSERT INTO aasa.ticket_keys VALUES ('a', '', '', now())", "n"), ("DELETE FROM aasa.ticket_keys", "n"),
        ("UPDATE aasa.ticket_keys SET key_id = ''", "n"),
        ("INSERT INTO aasa.acme_accounts VALUES ('a', '', '', '', '')", "n"), ("DELETE FROM aasa.acme_accounts", "n"),
        ("INSERT INTO aasa.acme_challenges VALUES ('a', 'http-01', '', '', now())", "n"),
        ("DELETE FROM aasa.acme_challenges", "n"), ("SELECT * FROM aasa.acme_orders", "n"),
        ("INSERT INTO aasa.acme_orders VALUES ('a', '', '', '')", "n"), ("DELETE FROM aasa.acme_orders", "n"),
        ("SELECT * FROM aasa.acme_states", "n"), ("INSERT INTO aasa.acme_states VALUES ('a', '{}')", "n"),
        ("UPDATE aasa.acme_states SET state = ''", "n"), ("SELECT * FROM aasa.acme_requests", "n"),
        ("INSERT INTO aasa.acme_requests VALUES ('a')", "n"), ("DELETE FROM aasa.acme_requests", "n"),
        ("INSERT INTO aasa.nodes (node) VALUES ('a')", "n"),
        ("UPDATE aasa.nodes SET sites = 1", "n"), ("DELETE FROM aasa.nodes", "n"), ("CREATE TABLE aasa.mine ()", ""),
        ("ALTER TABLE aasa.versions DISABLE TRIGGER ALL", ""),
        ("CREATE OR REPLACE FUNCTION aasa.lock_generation() RETURNS bigint LANGUAGE sql AS 'SELECT 1'", ""),
    ]

    @Test("each role has the rights of the table and no others, and PUBLIC has none", arguments: ["n", "p", ""])
    func rights(role: String) throws {
        let store = try StoreFixture()
        try store.database.sql(StoreFixture.publication("example.com", "[]"))
        let user = role == "n" ? store.node : role == "p" ? store.publisher : try store.database.login("stranger")
        let connection = try store.connect(as: user)
        for (statement, roles) in Self.rights {
            var failure: StoreError?
            do throws(StoreError) {
                try connection.run("BEGIN; \(statement)")
            } catch {
                failure = error
            }
            try connection.run("ROLLBACK")
            let expected: StoreError.Kind? = !role.isEmpty && roles.contains(role) ? nil : .permissionDenied
            #expect(failure?.kind == expected, "\(statement): \(failure?.message ?? "done")")
        }
    }

    @Test(
        "a missing right is named with the role that has it",
        arguments: [
            (
                "stranger", "SELECT * FROM aasa.meta", "lacks the right USAGE on schema 'aasa'",
                "GRANT aasa_publisher TO USER, or GRANT aasa_node for a node"
            ),
            (
                "stranger", "DELETE FROM aasa.nodes", "lacks the right USAGE on schema 'aasa'",
                "GRANT aasa_publisher TO USER, or GRANT aasa_node for a node"
            ),
            (
                "node", "INSERT INTO aasa.versions (domain, name) VALUES ('a', 'b')",
                "lacks the right INSERT on 'aasa.versions'", "GRANT aasa_publisher TO USER"
            ),
            (
                "publisher", "SELECT * FROM aasa.certificates", "lacks the right SELECT on 'aasa.certificates'",
                "GRANT aasa_node TO USER"
            ),
            (
                "publisher", "INSERT INTO aasa.nodes (node) VALUES ('n')", "lacks the right INSERT on 'aasa.nodes'",
                "GRANT aasa_node TO USER"
            ),
            (
                "publisher", "UPDATE aasa.meta SET generation = 1", "lacks the right UPDATE on 'aasa.meta'",
                "only the owner of the store has this right"
            ),
        ])
    func denied(kind: String, sql: String, message: String, help: String) throws {
        let store = try StoreFixture()
        let user =
            switch kind {
            case "node": store.node
            case "publisher": store.publisher
            default: try store.database.login(kind)
            }
        let connection = try store.connect(as: user)
        let error = try storeError { _ = try connection.query(sql) }
        #expect(error.kind == .permissionDenied)
        #expect(error.message == "user '\(user)' \(message)")
        #expect(error.help?.hasSuffix(help.replacing("USER", with: user)) == true)
    }

    @Test("the user of a node is told the role of nodes, whatever it lacks first")
    func deniedNode() throws {
        let store = try StoreFixture()
        let (stranger, folder) = (try store.database.login("edge"), try TemporaryFolder())
        let url = store.database.url(user: stranger)
        let error = #expect(throws: StoreNode.StartError.self) { try RunningNode(url, cache: "\(folder.path)/c") }
        guard case .nothingToServe(let failure) = try #require(error) else { throw TestFailure("\(error as Any)") }
        #expect(failure.message.hasSuffix("lacks the right USAGE on schema 'aasa'"))
        #expect(failure.help == "run as an administrator: GRANT aasa_node TO \(stranger)")
        let once = try storeError {
            _ = try StoreNode.readOnce(
                StoreAddress(url, applicationName: "n"), keys: nil, into: FakeStoreHost())
        }
        #expect(once.help == failure.help)
    }

    @Test("who does not own the store is told who does, when it is to be migrated")
    func migrating() throws {
        let store = try StoreFixture()
        let next = StoreMigration(version: 9, readableFrom: 1, sql: "ALTER TABLE aasa.nodes ADD COLUMN x text;")
        let connection = try store.connect()
        #expect(try StoreSchema.migrate(connection) == [])
        let error = try storeError { _ = try StoreSchema.migrate(connection, StoreSchema.migrations + [next]) }
        #expect(error.kind == .permissionDenied)
        #expect(error.message == "user '\(store.publisher)' may not migrate the store, which 'postgres' owns")
        #expect(error.help == "run 'aasa store migrate' as 'postgres'")
        let other = try storeError { try connection.run("ALTER TABLE aasa.nodes ADD COLUMN x text") }
        #expect(other.message.contains("may not do this in the store") && other.help?.contains("owner") == true)
    }

    @Test("a role named otherwise is quoted in the statement that helps")
    func quotedRole() throws {
        let store = try StoreFixture()
        let user = "Ma\"x \(store.database.name)"
        try store.database.sql("CREATE ROLE \"Ma\"\"x \(store.database.name)\" LOGIN")
        let socket = store.database.cluster.socketFolder
        let connection = try StoreFixture.connect("host=\(socket) dbname=\(store.database.name) user='\(user)'")
        let error = try storeError { _ = try connection.query("SELECT * FROM aasa.meta") }
        #expect(error.help?.contains("TO \"Ma\"\"x \(store.database.name)\",") == true)
    }
}
