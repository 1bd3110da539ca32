/// The activities that wait, in the order in which they came.
struct PendingActivities {
    private(set) var deliveries: [Delivery] = []
    let policy: PendingPolicy

    init(_ policy: PendingPolicy) { self.policy = policy }

    /// When the first of them has waited for too long; nil if none ever has.
    @MainActor var firstEnd: Duration? {
        guard let lifetime = policy.lifetime else { return nil }
        return deliveries.first.map { $0.received.time + lifetime }
    }

    /// Adds one: at its place, whatever else waits.
    @MainActor
    mutating func add(_ delivery: Delivery) { deliveries.insert(delivery, at: place(of: delivery)) }

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

    /// Where it stands, or would.
    @MainActor
    private func place(of delivery: Delivery) -> Int {
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
