internal import Dispatch
internal import EventLoops
internal import SystemSupport

/// The peak of what the connections of a loop have needed since memory was last given back to the system, which says when
/// enough of it is free for that (server.md, section 7).
package struct FreedMemory: Sendable {
    /// The number of simultaneous connections whose memory is worth giving back, once half are closed.
    private static let manyConnections = 64
    /// The same for bytes that they hold beyond what idle ones need.
    private static let manyBytes = 4_194_304

    private var connections = 0
    private var bytes = 0

    package init() {}

    /// Notes how many connections there are.
    @inline(__always)
    package mutating func note(connections count: Int) { connections = max(connections, count) }

    /// Notes what all connections hold.
    @inline(__always)
    package mutating func note(bytes count: Int) { bytes = max(bytes, count) }

    /// Whether half of what was in use at the peak is free.
    package func isMuch(connections count: Int, bytes held: Int) -> Bool {
        connections >= Self.manyConnections && count <= connections / 2
            || bytes >= Self.manyBytes && held <= bytes / 2
    }

    /// Begins anew with what is in use now.
    package mutating func giveBack(connections count: Int, bytes held: Int) { (connections, bytes) = (count, held) }
}

/// The returns of free memory to the system, by all loops together.
final class MemoryReturns: Sendable {
    private let rate = RateLimit(milliseconds: 1_000)
    private let ended = Locked(0)

    /// The number of those that have ended.
    var count: Int { ended.withLock { $0 } }

    /// Has free memory given back, on another thread.
    ///
    /// - Returns: whether it is not too early for that: loops wait for the memory that is looked through.
    func begin() -> Bool {
        guard rate.isDue() else { return false }
        DispatchQueue.global(qos: .utility).async { [self] in
            ProcessLimits.giveBackMemory()
            ended.withLock { $0 += 1 }
        }
        return true
    }
}
