internal import BoundedText
internal import CPostgreSQL

/// The limits of a conversation with a database, in seconds.
package struct StoreTimeouts: Sendable {
    /// The time that the server may work on a statement; nil for any time.
    package let statement: Double?
    /// The time for which nothing may come from the server while it is waited for; nil for any time.
    package let deadline: Double?
    /// The time that a statement waits for locks that others hold.
    package let lock: Double

    /// - Parameter lock: shorter only where a test asks for it.
    package init(statement: Double?, deadline: Double?, lock: Double = 5) {
        self.statement = statement
        self.deadline = deadline
        self.lock = lock
    }

    /// The server stops by itself before the deadline: a third of the time, and at most 10 s, are left for that.
    package init(deadline: Double) { self.init(statement: deadline - min(10, deadline / 3), deadline: deadline) }

    package static let node = StoreTimeouts(deadline: 15)
    package static let command = StoreTimeouts(deadline: 40)
    /// Migrations take as long as they take.
    static let none = StoreTimeouts(statement: nil, deadline: nil)
}

/// The purpose of a transaction.
package enum TransactionMode: Equatable, Sendable {
    /// Sees the store at one moment, and changes nothing.
    case reading
    /// Sees what others have committed before each statement.
    case writing
    /// As `writing`, with statements that may take longer by 2 ms for each file.
    case importing(files: Int)
    /// Changes the schema, without time limits but that for locks.
    case migrating

    func beginning(_ timeouts: StoreTimeouts) -> String {
        let isolation = self == .reading ? "REPEATABLE READ, READ ONLY" : "READ COMMITTED"
        let statement = timeouts.statement.map { Int(($0 * 1_000).rounded(.up)) } ?? 0
        return """
            BEGIN ISOLATION LEVEL \(isolation);
            SET LOCAL statement_timeout = \(statement);
            SET LOCAL lock_timeout = \(Int((timeouts.lock * 1_000).rounded(.up)));
            SET LOCAL search_path = '';
            """
    }
}

/// A notification that a session has sent on a channel that is listened to.
package struct StoreNotification: Equatable, Sendable {
    package let channel: String
    package let payload: String

    init(_ notification: PGnotify) {
        channel = notification.relname.map { String(cText: $0) } ?? ""
        payload = notification.extra.map { String(cText: $0) } ?? ""
    }
}
