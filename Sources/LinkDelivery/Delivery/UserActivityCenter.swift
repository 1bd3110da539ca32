/// Delivers the activities of an app to its modules: to the first route that handles one, once, when the app is ready.
///
/// An app has one. Its delegates pass it the activities that they receive, and its modules subscribe to it. No module has to
/// own a delegate, and the existing delegate keeps all its duties.
///
/// ```swift
/// let links = UserActivityCenter(pending: .latest(for: .seconds(600)))
/// let loggedIn = links.addGate("logged in")
///
/// // A module:
/// subscription = links.add(try RouteTable {
///     Route("/buy/{product}", Int.self, owner: self) { shop, product in shop.show(product) }
/// })
///
/// // A delegate:
/// links.receive(activity, scene: scene.session.persistentIdentifier)
///
/// loggedIn.isOpen = true
/// ```
///
/// - An activity waits while a gate is closed, and while there are no routes for its scene (``PendingPolicy``). It is
///   forgotten only when it has a ``DeliveryResult``.
/// - Modules are asked in the order in which they were added, each for its routes in their order. The first handler that
///   does not return ``Handling/notHandled`` decides.
/// - Handlers are called on the main actor, and are cancelled when their subscription ends or, with
///   ``ExecutionPolicy/newestWins``, when a newer activity arrives.
@MainActor
public final class UserActivityCenter {
    // State of the center, used by the extensions.
    var pending: PendingActivities
    var gates: [Gate] = []
    var modules: [Module] = []
    var observers: [Observer] = []
    var handlerTasks: [Int: HandlerTask] = [:]
    /// Running handlers, and links that are being opened in the browser.
    var tasks: [Int: Task<Void, Never>] = [:]
    /// Activities that have not been announced to all observers yet.
    var arrivals: [Delivery] = []
    var isAnnouncing = false
    /// Whether modules were added in this turn, so that more may follow.
    var willAdvance = false
    /// Activities that arrived in that turn.
    var deferred: [Delivery] = []
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    let openInBrowser: (@MainActor (UserActivity) async -> Void)?
    let deadlines: Deadlines
    let activityBroadcast = Broadcast<ReceivedActivity>()
    let resultBroadcast = Broadcast<DeliveryResult>()
    let failureBroadcast = Broadcast<DeliveryFailure>()
    let runningBroadcast = Broadcast<Bool>()
    var expiry: (end: Duration, task: Task<Void, Never>)?
    private var lastNumber = 0
    private var lastID = 0

    /// The last activity that arrived, whatever its result.
    public internal(set) var lastActivity: ReceivedActivity?

    /// Whether a handler is running, or a link is being opened in the browser.
    public internal(set) var isRunning = false

    /// - Parameters:
    ///   - pending: Which activities wait, and for how long.
    ///   - clock: Tells how long activities have waited; for tests one that is set by hand.
    ///   - openInBrowser: Opens the link of an activity that no route handled. Without it the activity's result is
    ///     ``DeliveryResult/Outcome/unhandled``.
    public init<C: Clock>(
        pending: PendingPolicy = .latest, clock: C = ContinuousClock(),
        openInBrowser: (@MainActor (UserActivity) async -> Void)? = nil
    ) where C.Duration == Duration {
        self.pending = PendingActivities(pending)
        self.openInBrowser = openInBrowser
        deadlines = Deadlines(clock)
    }

    deinit {
        expiry?.task.cancel()
        for task in tasks.values { task.cancel() }
    }

    /// A number that nothing else of the center has.
    func newID() -> Int {
        lastID += 1
        return lastID
    }

    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// A clock whose times are durations since it was made.
struct Deadlines: Sendable {
    let now: @Sendable () -> Duration
    /// Sleeps until a time of this clock.
    let sleep: @Sendable (Duration) async throws -> Void

    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}

extension UserActivityCenter {
    /// How much the center holds, which goes back when modules, handlers and sequences end.
    package struct Usage: Equatable {
        package let modules: Int
        package let observers: Int
        /// Handlers that run, and links that are being opened in the browser.
        package let tasks: Int
        package let activitySequences: Int
        package let resultSequences: Int
    }

    package var usage: Usage {
        Usage(
            modules: modules.count, observers: observers.count, tasks: max(handlerTasks.count, tasks.count),
            activitySequences: activityBroadcast.count, resultSequences: resultBroadcast.count)
    }
}
