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

    /// Adds the newest; returns those that are given up for it.
    @MainActor
    mutating func add(_ delivery: Delivery) -> [Delivery] {
        var dropped: [Delivery] = []
        switch policy.kept {
        case .latest:
            dropped = deliveries.filter { $0.received.scene == delivery.received.scene }
            deliveries.removeAll { $0.received.scene == delivery.received.scene }
        case .all(let count):
            while deliveries.count >= count { dropped.append(deliveries.removeFirst()) }
        }
        deliveries.append(delivery)
        return dropped
    }

    /// Puts one back that nobody has taken: at its place, whatever else waits.
    @MainActor
    mutating func putBack(_ delivery: Delivery) {
        deliveries.insert(delivery, at: place(of: delivery))
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

    /// Lets those that wait for a scene go to any.
    @MainActor
    func forget(scene: String) {
        for delivery in deliveries { delivery.forget(scene: scene) }
    }
}
