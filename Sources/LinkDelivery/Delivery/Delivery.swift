/// An activity on its way.
@MainActor
final class Delivery {
    private(set) var received: ReceivedActivity
    /// The routes whose handlers did not want it.
    private var declined: Set<RoutePlace> = []

    init(_ received: ReceivedActivity) { self.received = received }

    func hasDeclined(_ place: RoutePlace) -> Bool { declined.contains(place) }
    func decline(_ place: RoutePlace) { declined.insert(place) }

    func forget(scene: String) {
        guard received.scene == scene else { return }
        received = ReceivedActivity(
            number: received.number, activity: received.activity, scene: nil, time: received.time)
    }
}

/// A route of a module.
struct RoutePlace: Hashable, Sendable {
    let module: Int
    let route: Int
}
