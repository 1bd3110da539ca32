/// What happens to activities that come before the app is ready for them.
public struct PendingPolicy: Hashable, Sendable {
    package enum Kept: Hashable, Sendable {
        case latest
        case all(upTo: Int)
    }

    package let kept: Kept
    /// How long an activity waits before it is given up, at most a hundred years; nil: as long as the app handlerTasks.
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
    mutating func add(_ delivery: Delivery) { deliveries.insert(delivery, at: index(of: delivery)) }

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

    /// Its index in the order of arrival.
    @MainActor
    private func index(of delivery: Delivery) -> Int {
        var low = 0
        var high = deliveries.count
        while low < high {
            let middle = (low + high) / 2
            if deliveries[middle].received.number < delivery.received.number { low = middle + 1 } else { high = middle }
        }
        return low
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
