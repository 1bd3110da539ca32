import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("What the store fills in by itself", .waiting, .needs(.postgres))
struct SchemaTriggersTests {
    @Test("two statements of plain SQL publish a file")
    func plainSQL() throws {
        let store = try StoreFixture()
        let database = store.database
        try database.sql(StoreFixture.publication("example.com", "[]"), user: store.publisher)
        try database.sql(StoreFixture.publication("example.com", "[1]"), user: store.publisher)
        try database.sql(
            "INSERT INTO aasa.versions (domain, name) VALUES ('example.com', 'assetlinks.json')", user: store.publisher)
        let versions = try database.sql(
            """
            SELECT version, encode(sha256, 'escape') = sha256(c.bytes)::text, c.bytes, v.published_by, generation,
                published_at BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp()
            FROM aasa.versions v LEFT JOIN aasa.content c USING (sha256) ORDER BY version
            """)
        #expect(
            versions.split(separator: "\n").map { $0.split(separator: "|", omittingEmptySubsequences: false)[2...] }
                == [
                    ["\\x5b5d", store.publisher[...], "1", "t"], ["\\x5b315d", store.publisher[...], "2", "t"],
                    ["", store.publisher[...], "3", "t"],
                ])
        #expect(
            try database.sql("SELECT domain, name, version, sha256 IS NULL, generation FROM aasa.current")
                == "example.com|assetlinks.json|3|t|3")
        #expect(
            try database.sql(
                """
                SELECT generation, by, action, domain, name, detail ->> 'version' FROM aasa.changes ORDER BY generation
                """) == """
                    0|postgres|init|||
                    1|\(store.publisher)|publish|example.com|assetlinks.json|1
                    2|\(store.publisher)|publish|example.com|assetlinks.json|2
                    3|\(store.publisher)|remove|example.com|assetlinks.json|3
                    """)
        #expect(
            try database.sql(
                "SELECT m.generation, c.token = m.token FROM aasa.meta m JOIN aasa.changes c USING (generation)")
                == "3|t")
        #expect(try database.sql("SELECT count(DISTINCT token) FROM aasa.changes") == "4")
    }

    @Test("values that a client gives for what the store fills in are ignored")
    func ignoredValues() throws {
        let store = try StoreFixture()
        let database = store.database
        try database.sql(
            """
            INSERT INTO aasa.versions (domain, name, version, published_at, published_by, generation)
            VALUES ('example.com', 'a', 99, '1999-01-01', 'nobody', 99), ('example.com', 'a', 99, '1999-01-01', 'nobody', 98);
            INSERT INTO aasa.certificates (name, chain, key_id, key_sealed, generation) VALUES ('c', '', 'k', '', 99);
            INSERT INTO aasa.nodes (node, seen_at) VALUES ('n', '1999-01-01');
            """)
        #expect(
            try database.sql(
                """
                SELECT version, published_at > '2020-01-01', published_by, generation FROM aasa.versions ORDER BY version
                """) == "1|t|postgres|1\n2|t|postgres|1")
        #expect(try database.sql("SELECT generation FROM aasa.certificates") == "2")
        #expect(try database.sql("SELECT seen_at > '2020-01-01' FROM aasa.nodes") == "t")
    }

    @Test(
        "history cannot be changed, not even by the owner",
        arguments: ["content", "versions", "changes"],
        [
            "UPDATE aasa.TABLE SET COLUMN = COLUMN", "DELETE FROM aasa.TABLE", "TRUNCATE aasa.TABLE CASCADE",
            "DELETE FROM aasa.TABLE WHERE false",
        ])
    func appendOnly(table: String, statement: String) throws {
        let store = try StoreFixture()
        try store.database.sql(StoreFixture.publication("example.com", "[]"))
        let column = table == "content" ? "bytes" : "generation"
        let sql = statement.replacing("TABLE", with: table).replacing("COLUMN", with: column)
        let failure = try #require(store.database.failure(of: sql))
        #expect(failure.contains("aasa.\(table) is append-only"))
        #expect(try store.database.sql("SELECT count(*) FROM aasa.versions") == "1")
    }

    @Test("a conflict cannot be used to change what is there")
    func upsert() throws {
        let store = try StoreFixture()
        try store.database.sql(StoreFixture.publication("example.com", "[]"))
        let failure = store.database.failure(
            of: """
                INSERT INTO aasa.content (sha256, bytes) VALUES (sha256('[]'), '[]')
                ON CONFLICT (sha256) DO UPDATE SET bytes = 'x'
                """)
        #expect(failure?.contains("aasa.content is append-only") == true)
    }

    @Test("a statement is one generation, however many files it has")
    func oneStatement() throws {
        let store = try StoreFixture()
        let database = store.database
        try database.sql("INSERT INTO aasa.content (sha256, bytes) VALUES (sha256('[]'), '[]')")
        try database.sql(
            """
            INSERT INTO aasa.versions (domain, name, sha256)
            SELECT 'd' || i || '.example.com', 'assetlinks.json', sha256('[]') FROM generate_series(1, 20000) AS i
            """, user: store.publisher)
        #expect(
            try database.sql(
                "SELECT generation, (SELECT count(*) FROM aasa.current WHERE generation = 1) FROM aasa.meta")
                == "1|20000")
        #expect(
            try database.sql(
                """
                SELECT domain, name, detail ->> 'files', jsonb_array_length(detail -> 'first') FROM aasa.changes
                WHERE generation = 1
                """) == "||20000|10")
        try database.sql("INSERT INTO aasa.versions (domain, name) SELECT domain, name FROM aasa.current WHERE false")
        #expect(
            try database.sql("SELECT detail ->> 'files' FROM aasa.changes JOIN aasa.meta USING (generation, token)")
                == "0")
    }

    @Test(
        "a domain is one that a site can have",
        arguments: [
            ("example.com", true), ("*.example.com", true), ("xn--bcher-kva.example", true), ("localhost", true),
            ("a-b.c1", true), (String(repeating: "a.", count: 126) + "b", true), ("Example.com", false), ("", false),
            ("example.com.", false), (".example.com", false), ("a..b", false), ("-a.com", false), ("a-.com", false),
            ("a_b.com", false), ("*.*.com", false), ("a.*.com", false), ("_wildcard.example.com", false),
            ("bücher.example", false), ("a b", false), ("a\n", false), ("../a", false), ("a/b", false),
            (String(repeating: "a", count: 64) + ".com", false), (String(repeating: "a.", count: 126) + "bc", false),
        ])
    func domains(domain: String, isGood: Bool) throws {
        try check("INSERT INTO aasa.versions (domain, name) VALUES ($1, 'assetlinks.json')", domain, isGood)
    }

    @Test(
        "a name is one that 'wellKnown' may have",
        arguments: [
            ("apple-app-site-association", true), ("links.json", true), ("a", true), ("~a", true), ("a.b~c", true),
            ("$&'()*+,;=:@!", true), (String(repeating: "a", count: 255), true), ("", false), (".a", false),
            ("..", false), ("a/b", false), ("a~", false), ("a.swp", false), ("a b", false), ("a%20", false),
            ("ä", false), ("a\n", false), ("a?", false), (String(repeating: "a", count: 256), false),
        ])
    func names(name: String, isGood: Bool) throws {
        try check("INSERT INTO aasa.versions (domain, name) VALUES ('example.com', $1)", name, isGood)
    }

    private func check(_ sql: String, _ value: String, _ isGood: Bool) throws {
        let connection = try Self.common.get().connect()
        var kind: StoreError.Kind?
        do throws(StoreError) { _ = try connection.query(sql, [.text(value)]) } catch {
            kind = error.kind
            #expect(error.message.hasPrefix("the store does not accept a value: it violates the check 'versions_"))
        }
        #expect(kind == (isGood ? nil : .other))
    }

    private static let common = Result { try StoreFixture() }

    @Test("contents have the SHA-256 that they say, and at most 1 MiB")
    func contents() throws {
        let database = try StoreFixture().database
        let tooLarge = "convert_to(repeat('a', 1048577), 'UTF8')"
        #expect(
            database.failure(of: "INSERT INTO aasa.content VALUES (sha256(\(tooLarge)), \(tooLarge))")?
                .contains("content_bytes_check") == true)
        #expect(
            database.failure(of: "INSERT INTO aasa.content VALUES (sha256('a'), 'b')")?
                .contains("content_sha256_check") == true)
        #expect(
            database.failure(of: "INSERT INTO aasa.versions (domain, name, sha256) VALUES ('a', 'b', sha256('a'))")?
                .contains("violates foreign key constraint") == true)
        let large = "convert_to(repeat('a', 1048576), 'UTF8')"
        try database.sql("INSERT INTO aasa.content VALUES (sha256(\(large)), \(large))")
        #expect(try database.sql("SELECT generation FROM aasa.meta") == "0")
    }

    @Test("certificates take a generation with each statement, and are not deleted")
    func certificates() throws {
        let store = try StoreFixture()
        let database = store.database
        let insertion = "INSERT INTO aasa.certificates (name, chain, key_id, key_sealed) VALUES"
        try database.sql("\(insertion) ('a', 'c', 'k', 's')", user: store.node)
        try database.sql(
            """
            \(insertion) ('a', 'd', 'k', 's'), ('b', 'd', 'k', 's')
            ON CONFLICT (name) DO UPDATE SET chain = excluded.chain
            """, user: store.node)
        #expect(try database.sql("SELECT name, generation FROM aasa.certificates ORDER BY name") == "a|2\nb|2")
        try database.sql("UPDATE aasa.certificates SET removed = true WHERE name = 'b'", user: store.node)
        #expect(try database.sql("SELECT name, generation FROM aasa.certificates ORDER BY name") == "a|2\nb|3")
        #expect(
            try database.sql(
                "SELECT generation, action, detail ->> 'certificates' FROM aasa.changes ORDER BY generation")
                == "0|init|\n1|certificate|1\n2|certificate|2\n3|certificate|1")
        #expect(database.failure(of: "DELETE FROM aasa.certificates")?.contains("are not deleted") == true)
        try database.sql(
            "INSERT INTO aasa.acme_challenges VALUES ('example.com', 'http-01', 't', 'k', now())", user: store.node)
        #expect(try database.sql("SELECT generation FROM aasa.acme_challenges") == "4")
        try database.sql("DELETE FROM aasa.acme_challenges", user: store.node)
        #expect(try database.sql("SELECT generation FROM aasa.meta") == "4")
    }

    @Test("each change is notified with its generation when it is committed")
    func notifications() throws {
        let store = try StoreFixture()
        let listener = try store.connect(as: store.node)
        _ = try listener.query("LISTEN aasa_generation")
        let publisher = try store.connect()
        try publisher.run("BEGIN; " + StoreFixture.publication("example.com", "[]"))
        let early = try listener.waitForNotification(milliseconds: 0)
        #expect(early == nil)
        try publisher.run("COMMIT")
        let notification = try listener.waitForNotification(milliseconds: Patience.seconds * 1_000)
        #expect(notification?.channel == "aasa_generation" && notification?.payload == "1")
        try publisher.run("BEGIN; " + StoreFixture.publication("example.com", "[1]") + "ROLLBACK")
        try store.database.sql("INSERT INTO aasa.nodes (node) VALUES ('n')", user: store.node)
        try publisher.run(StoreFixture.publication("example.com", "[2]"))
        let next = try listener.waitForNotification(milliseconds: Patience.seconds * 1_000)
        #expect(next?.payload == "2")
    }
}
