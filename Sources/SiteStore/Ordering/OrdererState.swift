/// The way of a node to the right to order certificates for all nodes, as a state machine (store.md, section 7).
///
/// The right is a session-level advisory lock. It goes with its connection, and it is only asked for on a connection over
/// which notifications of other sessions arrive: a pooler that lends connections out would leave the lock on one that
/// belongs to everybody. One thread carries the actions out, one at a time; times are milliseconds of a clock that never
/// goes back.
package struct OrdererState: Sendable {
    /// Whether this node orders.
    package enum Right: Equatable, Sendable {
        /// It is not known yet.
        case sought
        case owned
        /// - Parameter node: the name of the node that has the lock; nil if it has not said so.
        case ownedByOther(node: String?)
        /// It cannot be had, with a clause that says why.
        case unavailable(String)
    }

    /// One thing to do. Each yields one event.
    package enum Action: Equatable, Sendable {
        /// `.connected`, `.failed`. There is no connection before it.
        case connect
        /// `.closed`.
        case close
        /// Have another session send a notification, and wait for it: `.tested`, `.failed`.
        case test
        /// Try to take the lock without waiting for it: `.lockTried`, `.failed`.
        case tryLock
        /// Ask the server anything: `.checked`, `.failed`.
        case check
        /// Wait for work, or this time: `.waited`, and `.failed` for a connection that is lost.
        case wait(until: Int64)
    }

    package enum Event: Equatable, Sendable {
        case connected, closed
        case tested(hasArrived: Bool)
        /// - Parameter owner: the name of the node that has the lock, if another one has it and has said so.
        case lockTried(isTaken: Bool, owner: String?)
        case checked, waited
        case failed(String, isConnectionLost: Bool)
    }

    /// The connection, and what it is good for. Only one that was tested can get the lock.
    private enum Connection: Equatable, Sendable {
        case none(retry: Int64)
        case untested(at: Int64)
        case tested(tryAt: Int64)
        case holding(checkAt: Int64)
        case lost
    }

    /// The pause between two attempts to take the lock.
    package static let lockPause: Int64 = 2_000
    /// The pause between two looks whether the server is there that keeps the lock.
    static let checkPause: Int64 = 10_000
    /// The pause after a test that has failed: the way to the database seldom changes.
    static let testPause: Int64 = 60_000
    /// A connection that is made again within so many attempts is not worth a message.
    private static let quietFailures = 3

    package private(set) var right = Right.sought
    private var connection: Connection
    private var failures = 0

    /// - Parameter now: the time of the start.
    package init(now: Int64) { connection = .none(retry: now) }

    /// Takes over the result of the last action.
    package mutating func handle(_ event: Event, now: Int64, random: inout some RandomNumberGenerator) {
        switch (event, connection) {
        case (.connected, .none): connection = .untested(at: now)
        case (.tested(true), .untested): connection = .tested(tryAt: now)
        case (.tested(false), .untested):
            connection = .untested(at: now + Self.testPause)
            right = .unavailable(
                "notifications do not arrive over this node's connection to the store, which a pooler may lend to others"
            )
        case (.lockTried(true, _), .tested):
            failures = 0
            connection = .holding(checkAt: now + Self.checkPause)
            right = .owned
        case (.lockTried(false, let owner), .tested):
            failures = 0
            connection = .tested(tryAt: now + Self.lockPause)
            right = .ownedByOther(node: owner)
        case (.checked, .holding): connection = .holding(checkAt: now + Self.checkPause)
        case (.failed(let reason, let isLost), _): fail(reason, isLost, now, &random)
        case (.closed, .lost):
            connection = .none(retry: now + FollowerBackoff.delay(failures: failures, random: &random))
        default: break
        }
    }

    private mutating func fail(
        _ reason: String, _ isLost: Bool, _ now: Int64, _ random: inout some RandomNumberGenerator
    ) {
        failures += 1
        if right == .owned { right = .sought }
        if failures >= Self.quietFailures || !isLost { right = .unavailable(reason) }
        switch connection {
        case .none: connection = .none(retry: now + FollowerBackoff.delay(failures: failures, random: &random))
        // Whether the lock is still there nobody knows.
        case .holding: connection = .lost
        case _ where isLost: connection = .lost
        case .untested: connection = .untested(at: now + Self.testPause)
        case .tested: connection = .tested(tryAt: now + Self.checkPause)
        case .lost: break
        }
    }

    /// The next thing to do.
    package func action(now: Int64) -> Action {
        switch connection {
        case .none(let retry): now >= retry ? .connect : .wait(until: retry)
        case .untested(let at): now >= at ? .test : .wait(until: at)
        case .tested(let at): now >= at ? .tryLock : .wait(until: at)
        case .holding(let at): now >= at ? .check : .wait(until: at)
        case .lost: .close
        }
    }
}
