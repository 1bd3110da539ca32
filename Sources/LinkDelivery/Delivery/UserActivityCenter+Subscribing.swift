extension UserActivityCenter {
    /// Adds the routes of a module behind those that are there.
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

    /// Adds routes behind those that are there.
    ///
    /// - Throws: What is wrong with the routes.
    public func add(
        scene: String? = nil, @RoutesBuilder _ routes: () -> [Route]
    ) throws(RouteTableError) -> Subscription {
        add(try RouteTable(routes()), scene: scene)
    }

    /// Adds routes as long as the task runs that waits here, such as that of a view.
    public func handle(_ table: RouteTable, scene: String? = nil) async {
        let subscription = add(table, scene: scene)
        defer { subscription.cancel() }
        await untilCancelled()
    }

    /// Tells somebody of each activity when it comes, whatever becomes of it.
    ///
    /// - Parameters:
    ///   - replayingLast: Whether it is first told of the last activity, if there was one.
    ///   - scene: The identifier of the scene of whose activities it is told; nil if of all.
    ///   - isTold: Who is told.
    /// - Returns: What keeps it going; it ends when that is released.
    public func observe(
        replayingLast: Bool = false, scene: String? = nil, _ isTold: @escaping @MainActor (ReceivedActivity) -> Void
    ) -> Subscription {
        let id = newID()
        let subscription = Subscription(id, self)
        observers.append(Observer(id, subscription, scene: scene, isTold))
        if replayingLast, let last = lastActivity, last.isFor(scene) { isTold(last) }
        return subscription
    }

    /// The activities from now on, when they come, whatever becomes of them.
    ///
    /// - Parameter replayingLast: Whether the last activity, if there was one, comes first.
    public func activities(replayingLast: Bool = false) -> AsyncStream<ReceivedActivity> {
        activityBroadcast.stream(replayingLast ? lastActivity.map { [$0] } ?? [] : [])
    }

    /// What becomes of activities from now on.
    public func results() -> AsyncStream<DeliveryResult> { resultBroadcast.stream() }

    /// The errors of handlers from now on, and those of the sequences that gates follow.
    ///
    /// What a handler throws that was told to stop is none of them.
    public func failures() -> AsyncStream<DeliveryFailure> { failureBroadcast.stream() }

    /// Whether a handler is at work: now, and whenever that changes. Who is slow gets the last change only.
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
        for delivery in module.end() { goOn(delivery) }
    }

    private func untilCancelled() async {
        let (never, source) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        withExtendedLifetime(source) {}
    }
}

/// What a module has asked of a ``UserActivityCenter``. It ends with ``cancel()`` or when it is released.
///
/// Keep it in what the handlers belong to. From then on nothing is delivered any more, and a handler at work is cancelled;
/// what it has not handled goes to the others.
@MainActor
public final class Subscription {
    private let id: Int
    private weak var center: UserActivityCenter?

    init(_ id: Int, _ center: UserActivityCenter) {
        self.id = id
        self.center = center
    }

    deinit {
        // Nothing is delivered from now on, because the center sees that this is gone; here it is told to tidy up.
        Task { @MainActor [weak center = self.center, id = self.id] in center?.end(id) }
    }

    public func cancel() {
        center?.end(id)
        center = nil
    }
}

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
