/// A node that follows a store, as it has reported itself: a row of `aasa.nodes`.
package struct StoredNode: Equatable, Sendable {
    /// The state of a node at a generation.
    package enum State: String, CaseIterable, Sendable {
        case current, behind
        /// No heartbeat for 30 s.
        case silent
    }

    package let name: String
    package let generation: Int64
    package var state: State
    /// Microseconds since 1970, by the clock of the database, as the next one.
    package let seenAt: Int64
    package let startedAt: Int64?
    package let programVersion: String?
    package let isListening: Bool
    package let sites: Int
    package let stale: Int
    package let refused: Int

    package init(
        name: String, generation: Int64, state: State, seenAt: Int64, startedAt: Int64? = nil,
        programVersion: String? = nil, isListening: Bool = true, sites: Int = 0, stale: Int = 0, refused: Int = 0
    ) {
        (self.name, self.generation, self.state, self.seenAt) = (name, generation, state, seenAt)
        (self.startedAt, self.programVersion, self.isListening) = (startedAt, programVersion, isListening)
        (self.sites, self.stale, self.refused) = (sites, stale, refused)
    }
}

/// The other nodes of a store, as one of them sees them.
///
/// Right after a publication every node but one is behind for a moment: only one that stays so is reported.
package struct NodeObservation: Sendable {
    /// The time that a node may be behind, in milliseconds.
    package static let patience: Int64 = 15_000

    /// Since when each node has been behind at a generation, on the monotonic clock.
    private var behind: [String: (generation: Int64, since: Int64)] = [:]

    package init() {}

    /// The nodes as they are reported.
    ///
    /// - Parameter now: milliseconds of the monotonic clock.
    package mutating func look(at nodes: [StoredNode], now: Int64) -> [StoredNode] {
        let before = behind
        behind = [:]
        return nodes.map { node in
            guard node.state == .behind else { return node }
            let earlier = before[node.name].flatMap { $0.generation == node.generation ? $0.since : nil }
            behind[node.name] = (node.generation, earlier ?? now)
            var node = node
            if now - (earlier ?? now) < Self.patience { node.state = .current }
            return node
        }
    }
}
