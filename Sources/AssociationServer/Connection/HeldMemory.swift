internal import EventLoops
internal import HTTP2
internal import OpenSSL
internal import Synchronization

/// The memory that the connections of all loops hold beyond what an idle one needs, in bytes.
///
/// It changes when what a connection holds changes, and that is not so for a request that is answered at once.
final class HeldMemory: Sendable {
    private let bytes = Atomic<Int>(0)

    var total: Int { bytes.load(ordering: .relaxed) }

    func add(_ change: Int) { bytes.wrappingAdd(change, ordering: .relaxed) }
}

/// Connections in the order in which they were added.
struct HoldingList: BitwiseCopyable {
    typealias Pointer = UnsafeMutablePointer<Connection>

    private(set) var oldest: Pointer?
    private var youngest: Pointer?

    mutating func append(_ connection: Pointer) {
        connection.pointee.older = youngest
        connection.pointee.younger = nil
        if let youngest { youngest.pointee.younger = connection } else { oldest = connection }
        youngest = connection
    }

    mutating func remove(_ connection: Pointer) {
        let (older, younger) = (connection.pointee.older, connection.pointee.younger)
        if let older { older.pointee.younger = younger } else { oldest = younger }
        if let younger { younger.pointee.older = older } else { youngest = older }
        (connection.pointee.older, connection.pointee.younger) = (nil, nil)
    }
}

/// The connections of a loop that hold memory.
struct HoldingConnections {
    /// Those that wait for their clients, the longest first. Progress does not make one younger: a byte a second would do.
    private var waiting = HoldingList()
    /// Those without an open request, by when the last one was answered.
    private var resting = HoldingList()
    private(set) var bytes = 0

    /// The connection to be ended first.
    var first: HoldingList.Pointer? { waiting.oldest ?? resting.oldest }

    /// - Returns: by how much the bytes have changed.
    mutating func note(_ held: Int, rests: Bool, of connection: HoldingList.Pointer) -> Int {
        let before = connection.pointee.held
        if before > 0, held == 0 || connection.pointee.restsHolding != rests {
            if connection.pointee.restsHolding { resting.remove(connection) } else { waiting.remove(connection) }
            connection.pointee.held = 0
        }
        if held > 0, connection.pointee.held == 0 {
            if rests { resting.append(connection) } else { waiting.append(connection) }
            connection.pointee.restsHolding = rests
        }
        connection.pointee.held = held
        bytes &+= held &- before
        return held &- before
    }
}

// What all connections hold together is bounded (`limits.bufferedBytes`).
extension Worker {
    /// The bytes that are not counted: a part of the tables that every client of HTTP/2 fills.
    private static let leastHeld = 4_096
    /// The bytes that libssl needs for a hello that is not whole. It allocates the length that the first bytes announce, and takes
    /// up to 131,396; 104 bytes of a client were measured to hold 150,000 of ours.
    private static let partialHello = 150_000
    /// The buffer for a record that is not whole.
    private static let partialRecord = 17_408

    /// The bytes that a connection holds beyond what an idle one needs.
    @inline(__always)
    private func currentlyHeld(by connection: Pointer) -> Int {
        var bytes = connection.pointee.unread.allocated &+ connection.pointee.unprocessed.allocated
        bytes &+= connection.pointee.unsent.allocated &+ connection.pointee.unwrittenBytes
        if connection.pointee.streams != nil { bytes &+= connection.pointee.streams?.heldBytes ?? 0 }
        if case .handshake = connection.pointee.state.phase, connection.pointee.identity == nil,
            !connection.pointee.isChallenge
        {
            bytes &+= Self.partialHello
        } else if connection.pointee.transport.hasPending {
            bytes &+= Self.partialRecord
        }
        return bytes < Self.leastHeld ? 0 : bytes
    }

    /// Counts what a connection holds, now that it waits.
    @inline(__always)
    func account(_ connection: Pointer) {
        let held = currentlyHeld(by: connection)
        guard held | connection.pointee.held != 0 else { return }
        note(held, of: connection)
    }

    /// Counts what a connection holds.
    @inline(never)
    func note(_ held: Int, of connection: Pointer) {
        let change = holding.note(held, rests: connection.pointee.state.isIdle, of: connection)
        guard change != 0 else { return }
        freed.note(bytes: holding.bytes)
        shared.held.add(change)
    }

    /// Ends the connections that have waited longest while all connections together hold too much.
    ///
    /// A loop ends its own, as long as they hold more than its share; the loop that holds most has more than that. It is
    /// done between events, in which connections must not vanish.
    func endLongestWaiting() {
        while shared.held.total > settings.bufferedBytes, holding.bytes > settings.bufferedBytes / settings.loops,
            let connection = holding.first
        {
            close(connection, .refused(.bufferedBytes))
        }
    }
}
