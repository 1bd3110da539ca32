/// The handlers of one route: those that run, and those that wait for their turn.
@MainActor
final class DeliveryQueue {
    private(set) var running: [Int: HandlerTask] = [:]
    private var waiting: [HandlerTask] = []
    private var firstWaiting = 0

    var isBusy: Bool { !running.isEmpty }

    /// The last one that started, unless it has been superseded.
    var newest: HandlerTask? { last.flatMap { $0.isSuperseded ? nil : $0 } }
    private var last: HandlerTask?

    func began(_ handler: HandlerTask) {
        running[handler.id] = handler
        last = handler
    }

    func ended(_ handler: HandlerTask) {
        running[handler.id] = nil
        if last === handler { last = nil }
    }

    func wait(_ handler: HandlerTask) { waiting.append(handler) }

    func next() -> HandlerTask? {
        guard firstWaiting < waiting.count else { return nil }
        defer {
            firstWaiting += 1
            if firstWaiting == waiting.count || firstWaiting == 1024 {
                waiting.removeFirst(firstWaiting)
                firstWaiting = 0
            }
        }
        return waiting[firstWaiting]
    }

    var waitingDeliveries: [Delivery] { waiting[firstWaiting...].map(\.delivery) }

    func takeWaiting() -> [Delivery] {
        defer {
            waiting = []
            firstWaiting = 0
        }
        return waitingDeliveries
    }
}

/// The routes of a module, each with its queue.
@MainActor
final class Module {
    let id: Int
    let scene: String?
    let table: RouteTable
    private(set) var queues: [DeliveryQueue]
    private var isEnded = false
    private weak var subscription: Subscription?

    init(_ id: Int, _ subscription: Subscription, scene: String?, _ table: RouteTable) {
        self.id = id
        self.subscription = subscription
        self.scene = scene
        self.table = table
        queues = table.routes.map { _ in DeliveryQueue() }
    }

    var isActive: Bool { !isEnded && subscription != nil }

    /// Ends the module: its handlers are cancelled. Returns the deliveries that waited for a turn.
    func end() -> [Delivery] {
        isEnded = true
        var waiting: [Delivery] = []
        for queue in queues {
            for handler in queue.running.values { handler.cancel() }
            waiting += queue.takeWaiting()
        }
        return waiting
    }
}

/// An activity on its way to a handler.
@MainActor
final class Delivery {
    private(set) var received: ReceivedActivity
    /// The routes whose handlers declined it.
    private var declined: Set<RouteID> = []

    init(_ received: ReceivedActivity) { self.received = received }

    func hasDeclined(_ route: RouteID) -> Bool { declined.contains(route) }
    func decline(_ route: RouteID) { declined.insert(route) }

    func forget(scene: String) {
        guard received.scene == scene else { return }
        received = ReceivedActivity(
            number: received.number, activity: received.activity, scene: nil, time: received.time)
    }
}

/// A route, by its module and its index there.
struct RouteID: Hashable, Sendable {
    let module: Int
    let route: Int
}
