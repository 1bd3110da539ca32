import Foundation
import PostgreSQLStore
import SiteStore
import SystemSupport
import TestSupport

/// A store in a database of its own, with roles that may log in.
struct StoreFixture: Sendable {
    let database: PostgresDatabase
    let publisher: String
    let node: String

    /// - Parameter cluster: nil for the one that tests share.
    init(_ cluster: PostgresCluster? = nil) throws {
        database = try (cluster ?? PostgresCluster.shared()).database(like: "store") { (database) in
            let connection = try Self.connect(database.url())
            guard case .created = try StoreSchema.initialise(connection) else {
                throw TestFailure("a store was there")
            }
        }
        let publisher = database.newLogin("publisher", roles: ["aasa_publisher"])
        let node = database.newLogin("node", roles: ["aasa_node"])
        // A store, and not the copy of one.
        try database.sql(
            "UPDATE aasa.meta SET store_id = DEFAULT, token = DEFAULT; " + publisher.statements + node.statements)
        (self.publisher, self.node) = (publisher.role, node.role)
    }

    static func connect(_ url: String, deadline: Double = Double(Patience.seconds)) throws -> StoreConnection {
        try StoreConnection(StoreAddress(url, applicationName: "tests"), deadline: deadline)
    }

    func connect(as user: String? = nil) throws -> StoreConnection {
        try Self.connect(database.url(user: user ?? publisher))
    }

    /// The statements of the contract for plain SQL.
    static func publication(_ domain: String, _ text: String, name: String = "assetlinks.json") -> String {
        """
        INSERT INTO aasa.content(sha256, bytes) VALUES (sha256('\(text)'), '\(text)') ON CONFLICT DO NOTHING;
        INSERT INTO aasa.versions(domain, name, sha256) VALUES ('\(domain)', '\(name)', sha256('\(text)'));
        """
    }

    /// The number of sessions of the database that wait for a lock.
    func waitForLock(of count: Int = 1) throws {
        let isWaiting = try Waiting.until {
            try database.sql(
                """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                """) == "\(count)"
        }
        guard isWaiting else { throw TestFailure("no session waits for a lock") }
    }
}

/// Work on threads of its own, all at once: databases are waited for with blocked threads.
enum AtOnce {
    private final class Results<Value: Sendable>: @unchecked Sendable {
        private let values = Locked<[Result<Value, any Error>]>([])
        private let left = DispatchSemaphore(value: 0)

        func add(_ value: Result<Value, any Error>) {
            values.withLock { $0.append(value) }
            left.signal()
        }

        func all(_ count: Int) throws -> [Value] {
            for _ in 0..<count { left.wait() }
            return try values.withLock { (values) in try values.map { try $0.get() } }
        }
    }

    /// - Returns: the results in the order in which they came.
    static func run<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Value) throws -> [Value]
    {
        try start(count, body).wait()
    }

    /// Begins, and returns at once.
    static func start<Value: Sendable>(
        _ count: Int = 1, _ body: @escaping @Sendable (Int) throws -> Value
    ) -> Running<Value> {
        let results = Results<Value>()
        for index in 0..<count { Thread { results.add(Result { try body(index) }) }.start() }
        return Running { try results.all(count) }
    }

    struct Running<Value: Sendable> {
        let wait: () throws -> [Value]
    }
}

/// The error of a body that has to fail with one.
func storeError(_ body: () throws -> Void) throws -> StoreError {
    do {
        try body()
    } catch let error as StoreError {
        return error
    }
    throw TestFailure("no error")
}
