/// The routes of a module, and what they are at work on.
@MainActor
final class Module {
    let id: Int
    let scene: String?
    let table: RouteTable
    private(set) var lanes: [Lane]
    private var isEnded = false
    private weak var subscription: Subscription?

    init(_ id: Int, _ subscription: Subscription, scene: String?, _ table: RouteTable) {
        self.id = id
        self.subscription = subscription
        self.scene = scene
        self.table = table
        lanes = table.routes.map { _ in Lane() }
    }

    var isThere: Bool { !isEnded && subscription != nil }

    /// From now on nobody is asked; what is at work is cancelled. Returns what has waited for it.
    func end() -> [Delivery] {
        isEnded = true
        var waiting: [Delivery] = []
        for lane in lanes {
            for run in lane.running.values { run.cancel() }
            waiting += lane.takeWaiting()
        }
        return waiting
    }
}
