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
