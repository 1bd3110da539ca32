/// What a route is at work on.
@MainActor
final class Lane {
    private(set) var running: [Int: Run] = [:]
    /// Those for which it is the turn of others.
    private var waiting: [Run] = []
    private var firstWaiting = 0

    var isBusy: Bool { !running.isEmpty }

    /// The last that began, if it still counts.
    var newest: Run? { last.flatMap { $0.isSuperseded ? nil : $0 } }
    private var last: Run?

    func began(_ run: Run) {
        running[run.id] = run
        last = run
    }

    func ended(_ run: Run) {
        running[run.id] = nil
        if last === run { last = nil }
    }

    func wait(_ run: Run) { waiting.append(run) }

    func next() -> Run? {
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
