/// A handler and the activity that it has to do with.
@MainActor
final class Run {
    let id: Int
    let delivery: Delivery
    let place: RoutePlace
    /// The route, as it was written.
    let text: String
    /// The module, which keeps this, and may be gone before the handler has ended.
    private weak var module: Module?
    private var action: Route.Action?
    private var task: Task<Void, Never>?
    /// Whether something newer has come, so that nothing it says counts.
    private(set) var isSuperseded = false

    init(_ id: Int, _ delivery: Delivery, _ module: Module, _ route: Int, _ action: @escaping Route.Action) {
        self.id = id
        self.delivery = delivery
        self.module = module
        place = RoutePlace(module: module.id, route: route)
        text = module.table.routes[route].text
        self.action = action
    }

    var number: Int { delivery.received.number }
    var lane: Lane? { module?.lanes[place.route] }
    /// Whether its module still wants it.
    var isWanted: Bool { module?.isThere ?? false }

    /// Begins as soon as the main actor has time, if it still may, and tells when it has ended: with nil if it never began.
    func begin(
        if mayBegin: @escaping @MainActor (Run) -> Bool,
        _ ended: @escaping @MainActor (Run, Result<Handling, any Error>?) -> Void
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
