import Foundation
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Connections to a store", .waiting, .needs(.postgres))
struct StoreConnectionTests {
    private func connect() throws -> StoreConnection {
        try StoreFixture.connect(PostgresCluster.shared().database().url())
    }

    @Test("values of all types come back as they were sent")
    func values() throws {
        let connection = try connect()
        let rows = try connection.query(
            """
            SELECT $1, $2, $3, $4, $5, $6, NULL::text, 1::int2, -2::int4, 'a'::name,
                '01234567-89ab-cdef-0123-456789abcdef'::uuid, '{"a": 1}'::jsonb, true, ''::bytea
            """,
            [
                .text("ü'\"\\"), .bytes([0, 255, 7]), .integer(.min), .textArray(["a", "", "{,}\""]),
                .time(1_700_000_000_123_456), .text(""),
            ])
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(try row.text(0) == "ü'\"\\")
        #expect(try row.bytes(1) == [0, 255, 7])
        #expect(try row.integer(2) == .min)
        #expect(try row.textArray(3) == ["a", "", "{,}\""])
        #expect(try row.time(4) == 1_700_000_000_123_456)
        #expect(try row.text(5) == "")
        #expect(try row.optionalText(6) == nil)
        #expect(try row.integer(7) == 1)
        #expect(try row.integer(8) == -2)
        #expect(try row.text(9) == "a")
        #expect(try row.text(10) == "01234567-89ab-cdef-0123-456789abcdef")
        #expect(try row.text(11) == #"{"a": 1}"#)
        #expect(try row.boolean(12))
        #expect(try row.bytes(13) == [])
        #expect(try storeError { _ = try row.text(6) }.kind == .damaged)
        #expect(try storeError { _ = try row.integer(0) }.kind == .damaged)
        #expect(try storeError { _ = try row.bytes(99) }.kind == .damaged)
    }

    @Test("a missing value is NULL, and arrays may have some")
    func missingValues() throws {
        let connection = try connect()
        let rows = try connection.query(
            "SELECT $1 IS NULL, $2 IS NULL, $3 IS NULL, $4 IS NULL, ($5)[2] IS NULL, cardinality($6), ($7)[2]",
            [
                .text(nil), .bytes(nil), .integer(nil), .time(nil), .bytesArray([[1], nil]), .textArray([]),
                .integerArray([1, -5]),
            ])
        let row = try #require(rows.first)
        for column in 0..<5 { #expect(try row.boolean(column)) }
        #expect(try row.integer(5) == 0)
        #expect(try row.integer(6) == -5)
    }

    @Test("rows are passed on one by one, and an error in between leaves the connection usable")
    func rows() throws {
        let connection = try connect()
        var sum: Int64 = 0
        try connection.forEachRow("SELECT i FROM generate_series(1, $1) AS i", [.integer(10_000)]) {
            (row: StoreRow) throws(StoreError) in sum += try row.integer(0)
        }
        #expect(sum == 50_005_000)
        sum = 0
        let error = try storeError {
            try connection.forEachRow("SELECT i FROM generate_series(1, 10000) AS i") {
                (row: StoreRow) throws(StoreError) in
                sum += 1
                if sum == 3 { throw StoreError(.other, "enough") }
            }
        }
        #expect(error.message == "enough")
        #expect(sum == 3)
        let second = try storeError {
            try connection.forEachRow("SELECT 1 / (3 - i) FROM generate_series(1, 5) AS i") { (_) throws(StoreError) in
            }
        }
        #expect(second.kind == .other)
        #expect(try connection.query("SELECT 1").count == 1)
    }

    @Test("a transaction that fails leaves nothing, and its settings end with it")
    func transactions() throws {
        let connection = try connect()
        try connection.run("CREATE TABLE public.t (i bigint); ALTER ROLE CURRENT_USER IN DATABASE postgres RESET ALL")
        let before = try connection.query("SHOW statement_timeout").first?.text(0)
        let error = try storeError {
            try connection.transaction(.writing) { () throws(StoreError) in
                _ = try connection.query("INSERT INTO public.t VALUES (1)")
                _ = try connection.query("SELECT no_such_column FROM public.t")
            }
        }
        #expect(error.kind == .schemaOlder)
        #expect(try connection.query("SELECT i FROM public.t").isEmpty)
        let settings = try connection.transaction(.reading) { () throws(StoreError) -> [String] in
            var settings: [String] = []
            for name in ["lock_timeout", "search_path", "transaction_isolation", "transaction_read_only"] {
                guard let row = try connection.query("SHOW \(name)").first else { continue }
                settings.append(try row.text(0))
            }
            return settings
        }
        #expect(settings == ["5s", "\"\"", "repeatable read", "on"])
        #expect(try connection.query("SHOW statement_timeout").first?.text(0) == before)
        let written = try connection.transaction(.writing) { () throws(StoreError) -> Int in
            try connection.query("INSERT INTO public.t SELECT generate_series(1, 3)").changed
        }
        #expect(written == 3)
        #expect(try connection.query("SELECT i FROM public.t").count == 3)
    }

    @Test(
        "errors of the server are told apart",
        arguments: [
            ("SELECT * FROM aasa.meta", StoreError.Kind.notInitialised), ("SELECT aasa.nothing()", .notInitialised),
            ("SELECT nothing()", .schemaOlder), ("SELECT pg_sleep(5)", .timeout), ("SELECT 1 / 0", .other),
            ("SELECT 'x'::bigint", .other), ("DO $$ BEGIN RAISE 'no' USING ERRCODE = '40001'; END $$", .conflict),
            ("DO $$ BEGIN RAISE 'no' USING ERRCODE = '25006'; END $$", .readOnly),
        ])
    func kinds(sql: String, kind: StoreError.Kind) throws {
        let url = try PostgresCluster.shared().database().url()
        let connection = try StoreConnection(
            StoreAddress(url, applicationName: "tests"),
            StoreTimeouts(statement: sql.contains("sleep") ? 0.1 : 60, deadline: Double(Patience.seconds)))
        let error = try storeError {
            try connection.transaction(.writing) { () throws(StoreError) in
                _ = try connection.query(sql)
            }
        }
        #expect(error.kind == kind)
        #expect(!error.isConnectionLost)
        #expect(try connection.query("SELECT 1").count == 1)
    }

    @Test("a notification is seen as soon as it comes, and the wait can be ended")
    func notifications() throws {
        let url = try PostgresCluster.shared().database().url()
        let listening = try StoreFixture.connect(url)
        let notifying = try StoreFixture.connect(url)
        _ = try listening.query("LISTEN news")
        #expect(try listening.waitForNotification(milliseconds: 0) == nil)
        _ = try notifying.query("SELECT pg_notify('news', 'a'), pg_notify('news', 'b')")
        let first = try listening.waitForNotification(milliseconds: Patience.seconds * 1_000)
        #expect(first?.channel == "news" && first?.payload == "a")
        #expect(try listening.waitForNotification(milliseconds: Patience.seconds * 1_000)?.payload == "b")
        let pipe = Pipe()
        pipe.fileHandleForWriting.writeAll(Data([1]))
        let wakeUp = pipe.fileHandleForReading.fileDescriptor
        let start = Waiting.seconds
        let third = try listening.waitForNotification(milliseconds: 600_000, wakeUp: wakeUp)
        #expect(third == nil && Waiting.seconds - start < 300)
    }

    @Test("a connection that the server ends is lost, with a sentence of its own", arguments: [false, true])
    func terminated(isWaiting: Bool) throws {
        let database = try PostgresCluster.shared().database()
        let connection = try StoreFixture.connect(database.url())
        try database.sql("SELECT pg_terminate_backend(\(connection.processID))")
        let isGone = try Waiting.until {
            try database.sql("SELECT count(*) FROM pg_stat_activity WHERE pid = \(connection.processID)") == "0"
        }
        #expect(isGone)
        let error = try storeError {
            if isWaiting {
                _ = try connection.waitForNotification(milliseconds: 600_000)
            } else {
                _ = try connection.query("SELECT 1")
            }
        }
        #expect(error.kind == .unreachable && error.isConnectionLost)
        #expect(error.message.hasPrefix("the connection to the store as user 'postgres' at socket '"))
        let isLost = connection.isLost
        #expect(isLost)
        let second = try storeError { _ = try connection.query("SELECT 1") }
        #expect(second.message == "the connection to the store is closed" && second.isConnectionLost)
    }
}
