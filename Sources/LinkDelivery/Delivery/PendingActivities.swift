/// The policy for activities that come before the app is ready for them.
public struct PendingPolicy: Hashable, Sendable {
    package enum Kept: Hashable, Sendable {
        case latest
        case all(upTo: Int)
    }

    package let kept: Kept
    /// The time that an activity waits before it is given up, at most a hundred years; nil: as long as the app runs.
    public let lifetime: Duration?

    private init(_ kept: Kept, _ lifetime: Duration?) {
        self.kept = kept
        // With more than that clocks go wrong.
        self.lifetime = lifetime.map { min($0, .seconds(100 * 365 * 86400)) }
    }

    /// Only the latest of each scene waits.
    public static let latest = PendingPolicy(.latest, nil)

    /// Only the latest of each scene waits, and no longer than a time.
    public static func latest(for lifetime: Duration) -> PendingPolicy {
        PendingPolicy(.latest, lifetime)
    }

    /// All wait, up to a number of at least one, above which the oldest is given up.
    public static func all(upTo count: Int, for lifetime: Duration? = nil) -> PendingPolicy {
        PendingPolicy(.all(upTo: max(1, count)), lifetime)
    }
}

/// The activities that wait, in the order in which they came.
struct PendingActivities {
    private(set) var deliveries: [Delivery] = []
    let policy: PendingPolicy

    init(_ policy: PendingPolicy) { self.policy = policy }

    /// When the first of them expires; nil if none does.
    @MainActor var firstEnd: Duration? {
        guard let lifetime = policy.lifetime else { return nil }
        return deliveries.first.map { $0.received.time + lifetime }
    }

    /// Adds one, in the order of arrival.
    @MainActor
    mutating func add(_ delivery: Delivery) {
        let previous = deliveries.lastIndex { $0.received.number < delivery.received.number }
        deliveries.insert(delivery, at: previous.map { $0 + 1 } ?? 0)
    }

    /// Takes out those that are too many.
    @MainActor
    mutating func trim() -> [Delivery] {
        let dropped: [Delivery]
        switch policy.kept {
        case .latest:
            guard deliveries.count > 1 else { return [] }
            var scenes: Set<String?> = []
            dropped = deliveries.reversed().filter { !scenes.insert($0.received.scene).inserted }.reversed()
        case .all(let count):
            guard deliveries.count > count else { return [] }
            dropped = Array(deliveries.prefix(deliveries.count - count))
        }
        let numbers = Set(dropped.map(\.received.number))
        deliveries.removeAll { numbers.contains($0.received.number) }
        return dropped
    }

    /// Takes out those that can go.
    @MainActor
    mutating func take(where isReady: @MainActor (Delivery) -> Bool) -> [Delivery] {
        let ready = deliveries.filter(isReady)
        guard !ready.isEmpty else { return [] }
        let numbers = Set(ready.map(\.received.number))
        deliveries.removeAll { numbers.contains($0.received.number) }
        return ready
    }

    /// Takes out those that have waited for too long.
    @MainActor
    mutating func expire(_ now: Duration) -> [Delivery] {
        guard let lifetime = policy.lifetime else { return [] }
        let count = deliveries.prefix { $0.received.time + lifetime <= now }.count
        defer { deliveries.removeFirst(count) }
        return Array(deliveries.prefix(count))
    }
}

/// Something an app has to be ready with before activities are delivered: that it is active, that its interface is there,
/// that a user is logged in.
///
/// Activities wait while a gate of their scene, or of the app, is closed (``UserActivityCenter/addGate(_:scene:isOpen:)``).
@MainActor
public final class Gate {
    /// For messages: `logged in`.
    public nonisolated let name: String
    /// The identifier of the scene for whose activities it counts; nil if it counts for all.
    public nonisolated let scene: String?
    private weak var center: UserActivityCenter?
    private var following: Task<Void, Never>?

    public var isOpen: Bool {
        didSet { if isOpen, !oldValue { center?.advance() } }
    }

    init(_ name: String, scene: String?, isOpen: Bool, center: UserActivityCenter) {
        self.name = name
        self.scene = scene
        self.isOpen = isOpen
        self.center = center
    }

    deinit { following?.cancel() }

    /// Opens and closes with the elements of a sequence, and stays as it is when that ends. When it fails the gate closes.
    func follow<States: AsyncSequence & Sendable>(_ states: States) where States.Element == Bool {
        following = Task { [weak self] in
            do {
                for try await isOpen in states {
                    guard let self, self.center != nil else { return }
                    self.isOpen = isOpen
                }
            } catch {
                guard let self, !Task.isCancelled else { return }
                self.isOpen = false
                self.center?.failed(at: self, error)
            }
        }
    }

    /// From now on it follows nothing.
    func end() { following?.cancel() }

    /// Removes it, so that nothing waits for it any more.
    public func remove() {
        end()
        center?.remove(self)
    }
}

extension UserActivityCenter {
    /// Adds something that has to be ready before activities are delivered, and that is opened and closed by hand.
    ///
    /// - Parameters:
    ///   - name: For messages: `logged in`.
    ///   - scene: The identifier of the scene for whose activities it counts; nil if it counts for all.
    @discardableResult
    public func addGate(_ name: String, scene: String? = nil, isOpen: Bool = false) -> Gate {
        let gate = Gate(name, scene: scene, isOpen: isOpen, center: self)
        gates.append(gate)
        return gate
    }

    /// Adds something that has to be ready before activities are delivered, of which a sequence tells whether it is.
    ///
    /// The gate is closed up to the first element. When the sequence ends it stays as it is, when it fails it closes.
    @discardableResult
    public func addGate<States: AsyncSequence & Sendable>(
        _ name: String, scene: String? = nil, following states: States
    ) -> Gate where States.Element == Bool {
        let gate = addGate(name, scene: scene)
        gate.follow(states)
        return gate
    }

    /// The names of the gates for which activities of a scene wait now.
    public func closedGates(scene: String? = nil) -> [String] {
        gates.filter { !$0.isOpen && ($0.scene == nil || $0.scene == scene) }.map(\.name)
    }

    /// The activities that no handler has taken yet, in the order in which they came.
    public var pendingActivities: [ReceivedActivity] {
        undecided.map(\.received).sorted { $0.number < $1.number }
    }

    /// Those of which nothing has become yet, in no order.
    var undecided: [Delivery] {
        let taken = handlerTasks.values.filter { !$0.isSuperseded }.map(\.delivery)
        let queued = modules.flatMap(\.queues).flatMap(\.waitingDeliveries)
        return arrivals + deferred + pending.deliveries + taken + queued
    }

    func remove(_ gate: Gate) {
        gates.removeAll { $0 === gate }
        advance()
    }

    func failed(at gate: Gate, _ error: any Error) {
        failureBroadcast.send(DeliveryFailure(source: .gate(gate.name), received: nil, error: error))
    }

    func isOpen(for scene: String?) -> Bool {
        !gates.contains { !$0.isOpen && ($0.scene == nil || $0.scene == scene) }
    }
}
