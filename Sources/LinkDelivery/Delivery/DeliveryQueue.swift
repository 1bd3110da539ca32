/// The handlers of one route: those that run, and those that wait for their turn.
@MainActor
final class DeliveryQueue {
    private(set) var running: [Int: HandlerTask] = [:]
    private var waiting: ArraySlice<HandlerTask> = []

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
        // A slice keeps what was taken from it until it is moved.
        defer { if waiting.isEmpty { waiting = [] } }
        return waiting.popFirst()
    }

    var waitingDeliveries: [Delivery] { waiting.map(\.delivery) }

    func takeWaiting() -> [Delivery] {
        defer { waiting = [] }
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

/// A handler and the activity that it handles.
@MainActor
final class HandlerTask {
    let id: Int
    let delivery: Delivery
    let route: RouteID
    /// The route, as it was written.
    let text: String
    /// The module, which may be released before the handler ends.
    private weak var module: Module?
    private var action: Route.Action?
    private var task: Task<Void, Never>?
    /// Whether a newer activity has arrived, so that the result of this handler is ignored.
    private(set) var isSuperseded = false

    init(_ id: Int, _ delivery: Delivery, _ module: Module, _ route: Int, _ action: @escaping Route.Action) {
        self.id = id
        self.delivery = delivery
        self.module = module
        self.route = RouteID(module: module.id, route: route)
        text = module.table.routes[route].text
        self.action = action
    }

    var number: Int { delivery.received.number }
    var queue: DeliveryQueue? { module?.queues[route.route] }
    /// Whether its module is still subscribed.
    var isWanted: Bool { module?.isActive ?? false }

    /// Starts on the next turn of the main actor if it still may; `ended` gets nil if it never started.
    func begin(
        if mayBegin: @escaping @MainActor (HandlerTask) -> Bool,
        _ ended: @escaping @MainActor (HandlerTask, Result<Handling, any Error>?) -> Void
    ) -> Task<Void, Never> {
        let task = Task {
            let result = mayBegin(self) ? await result() : nil
            self.task = nil
            ended(self, result)
        }
        self.task = task
        return task
    }

    private func result() async -> Result<Handling, any Error>? {
        defer { action = nil }
        guard let action, !Task.isCancelled else { return nil }
        do {
            return .success(try await action())
        } catch {
            return .failure(error)
        }
    }

    func supersede() {
        isSuperseded = true
        cancel()
    }

    func cancel() { task?.cancel() }
}
