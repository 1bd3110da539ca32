extension UserActivityCenter {
    /// Adds the routes of a module after those that are there.
    ///
    /// - Parameters:
    ///   - table: The routes.
    ///   - scene: The identifier of the scene that the module belongs to; nil if it takes the activities of all.
    /// - Returns: What keeps them there; they are removed when it is released.
    public func add(_ table: RouteTable, scene: String? = nil) -> Subscription {
        let id = newID()
        let subscription = Subscription(id, self)
        modules.append(Module(id, subscription, scene: scene, table))
        advanceSoon()
        return subscription
    }

    /// Adds routes after those that are there.
    ///
    /// - Throws: What is wrong with the routes.
    public func add(
        scene: String? = nil, @RoutesBuilder _ routes: () -> [Route]
    ) throws(RouteTableError) -> Subscription {
        add(try RouteTable(routes()), scene: scene)
    }

    /// Adds routes as long as the task that waits here runs, such as that of a view.
    public func handle(_ table: RouteTable, scene: String? = nil) async {
        let subscription = add(table, scene: scene)
        defer { subscription.cancel() }
        await untilCancelled()
    }

    /// Calls a closure with each activity when it arrives, whatever its result.
    ///
    /// - Parameters:
    ///   - replayingLast: Whether it is first called with the last activity, if there was one.
    ///   - scene: The identifier of the scene whose activities it gets; nil for all.
    ///   - onActivity: Called on the main actor.
    /// - Returns: What keeps it going; it ends when that is released.
    public func observe(
        replayingLast: Bool = false, scene: String? = nil, _ onActivity: @escaping @MainActor (ReceivedActivity) -> Void
    ) -> Subscription {
        let id = newID()
        let subscription = Subscription(id, self)
        observers.append(Observer(id, subscription, scene: scene, onActivity))
        if replayingLast, let last = lastActivity, last.isFor(scene) { onActivity(last) }
        return subscription
    }

    /// The activities from now on, when they arrive, whatever their results.
    ///
    /// - Parameter replayingLast: Whether the last activity, if there was one, comes first.
    public func activities(replayingLast: Bool = false) -> AsyncStream<ReceivedActivity> {
        activityBroadcast.stream(replayingLast ? lastActivity.map { [$0] } ?? [] : [])
    }

    /// The results of activities from now on.
    public func results() -> AsyncStream<DeliveryResult> { resultBroadcast.stream() }

    /// The errors of handlers from now on, and those of the sequences that gates follow.
    ///
    /// What a cancelled handler throws is not among them.
    public func failures() -> AsyncStream<DeliveryFailure> { failureBroadcast.stream() }

    /// Whether a handler is running: now, and whenever that changes. A slow reader gets the last change only.
    public func runningStates() -> AsyncStream<Bool> {
        runningBroadcast.stream([isRunning], buffering: .bufferingNewest(1))
    }

    /// Removes everything that belongs to a scene: its gates and routes. Activities that wait for it go to any other.
    public func endScene(_ scene: String) {
        for delivery in undecided { delivery.forget(scene: scene) }
        let ended = gates.filter { $0.scene == scene }
        for gate in ended { gate.end() }
        // What is released here may call the center again, which is not to happen while the list is being changed.
        withExtendedLifetime(ended) { gates.removeAll { $0.scene == scene } }
        removeObservers { $0.scene == scene }
        for module in modules where module.scene == scene { remove(module) }
        advance()
    }

    func end(_ id: Int) {
        removeObservers { $0.id == id }
        guard let module = modules.first(where: { $0.id == id }) else { return }
        remove(module)
        advance()
    }

    private func removeObservers(where isMeant: (Observer) -> Bool) {
        let ended = observers.filter(isMeant)
        for observer in ended { observer.end() }
        withExtendedLifetime(ended) { observers.removeAll(where: isMeant) }
    }

    func remove(_ module: Module) {
        modules.removeAll { $0 === module }
        for delivery in module.end() { reroute(delivery) }
    }

    private func untilCancelled() async {
        let (never, source) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        withExtendedLifetime(source) {}
    }
}

/// A subscription to a ``UserActivityCenter``. It ends with ``cancel()`` or when it is released.
///
/// Keep it in the owner of the handlers. When it ends nothing more is delivered, and a running handler is cancelled; what it
/// has not handled goes to the other modules.
@MainActor
public final class Subscription {
    private let id: Int
    private weak var center: UserActivityCenter?

    init(_ id: Int, _ center: UserActivityCenter) {
        self.id = id
        self.center = center
    }

    deinit {
        // Nothing is delivered from now on, because the center sees that this is gone; this removes what is left.
        Task { @MainActor [weak center = self.center, id = self.id] in center?.end(id) }
    }

    public func cancel() {
        center?.end(id)
        center = nil
    }
}

/// A closure that gets every activity and handles none.
@MainActor
final class Observer {
    let id: Int
    let scene: String?
    let onActivity: @MainActor (ReceivedActivity) -> Void
    private var isEnded = false
    private weak var subscription: Subscription?

    init(
        _ id: Int, _ subscription: Subscription, scene: String?,
        _ onActivity: @escaping @MainActor (ReceivedActivity) -> Void
    ) {
        self.id = id
        self.subscription = subscription
        self.scene = scene
        self.onActivity = onActivity
    }

    var isActive: Bool { !isEnded && subscription != nil }

    func end() { isEnded = true }
}
