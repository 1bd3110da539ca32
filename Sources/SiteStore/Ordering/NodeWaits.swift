/// The wait until all nodes answer a challenge, before the CA is notified (store.md, section 7).
///
/// A node says by its heartbeat how far it is; one that is silent, or that takes too long, is not waited for.
package struct NodeWaits<Waiter: Sendable>: Sendable {
    private struct Wait: Sendable {
        let waiter: Waiter
        let generation: Int64
        /// Milliseconds of the monotonic clock.
        let end: Int64
    }

    private var waits: [Wait] = []
    private let limit: Int64

    /// - Parameter limit: the longest wait, in milliseconds.
    package init(limit: Int64 = 10_000) { self.limit = limit }

    package var isEmpty: Bool { waits.isEmpty }

    /// Begins to wait until all nodes have a generation.
    ///
    /// - Parameter now: milliseconds of the monotonic clock, as the other times.
    package mutating func add(_ waiter: Waiter, generation: Int64, now: Int64) {
        waits.append(Wait(waiter: waiter, generation: generation, end: now + limit))
    }

    /// Ends the waits that are over.
    ///
    /// - Parameter lowest: the lowest generation of all nodes that are not silent; nil if there is none, or it is not known.
    /// - Parameter isKnown: whether the nodes could be asked.
    package mutating func takeEnded(lowest: Int64?, isKnown: Bool, now: Int64) -> [Waiter] {
        let count = waits.partition { wait in
            wait.end <= now || (isKnown && (lowest.map { $0 >= wait.generation } ?? true))
        }
        defer { waits.removeSubrange(count...) }
        return waits[count...].map(\.waiter)
    }

    /// Ends all.
    package mutating func takeAll() -> [Waiter] {
        defer { waits = [] }
        return waits.map(\.waiter)
    }
}
