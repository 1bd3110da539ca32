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
    package let serving: NodeServing

    package init(
        name: String, generation: Int64, state: State, seenAt: Int64, startedAt: Int64? = nil,
        programVersion: String? = nil, isListening: Bool = true, sites: Int = 0, stale: Int = 0, refused: Int = 0,
        serving: NodeServing = NodeServing()
    ) {
        (self.name, self.generation, self.state, self.seenAt) = (name, generation, state, seenAt)
        (self.startedAt, self.programVersion, self.isListening) = (startedAt, programVersion, isListening)
        (self.sites, self.stale, self.refused, self.serving) = (sites, stale, refused, serving)
    }
}

/// The part of a store that a node serves, as far as publishers have to know it.
package struct NodeServing: Equatable, Sendable {
    /// The names of the files that it serves; empty if it does not say, as programs before schema version 3.
    package var names: [String]
    /// Whether clients can fetch only those sites that a certificate of the store covers.
    package var needsStoreCertificates: Bool
    /// The files whose present versions it does not serve, each as `domain/name reason`.
    package private(set) var unserved: [String]

    /// The longest reason, in characters.
    private static let maxReason = 200

    package init(names: [String] = [], needsStoreCertificates: Bool = false, unserved: [String] = []) {
        self.names = names
        self.needsStoreCertificates = needsStoreCertificates
        self.unserved = unserved
    }

    /// Notes that the present version of a file is not served.
    package mutating func add(_ file: StoreFileKey, because reason: String) {
        unserved.append("\(file) \(reason.prefix(Self.maxReason))")
    }

    /// The first of these files that is not served, and why, like `example.com/a: refused`; nil if all are, or if nothing is
    /// known.
    package func problem(of files: [StoreFileKey]) -> String? {
        if !names.isEmpty, let file = files.first(where: { !names.contains($0.name) }) {
            return "\(file): its name is not in 'wellKnown'"
        }
        guard !unserved.isEmpty else { return nil }
        let wanted = Set(files.map(\.description))
        for entry in unserved {
            let parts = entry.split(separator: " ", maxSplits: 1).map { String($0) }
            if parts.count == 2, wanted.contains(parts[0]) { return "\(parts[0]): \(parts[1])" }
        }
        return nil
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
