/// Somebody who is told of activities, and takes none.
@MainActor
final class Observer {
    let id: Int
    let scene: String?
    let isTold: @MainActor (ReceivedActivity) -> Void
    private var isEnded = false
    private weak var subscription: Subscription?

    init(
        _ id: Int, _ subscription: Subscription, scene: String?,
        _ isTold: @escaping @MainActor (ReceivedActivity) -> Void
    ) {
        self.id = id
        self.subscription = subscription
        self.scene = scene
        self.isTold = isTold
    }

    var isThere: Bool { !isEnded && subscription != nil }

    func end() { isEnded = true }
}
