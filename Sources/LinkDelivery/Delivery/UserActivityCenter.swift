/// Delivers the activities of an app to its modules: to the first route that handles one, once, when the app is ready.
///
/// An app has one, which its delegates tell of the activities that the system hands them, and which its modules know. No
/// module has to own a delegate, and nothing is taken from the delegate that is there.
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
///   forgotten only when it has become of it what ``DeliveryResult`` says.
/// - Modules are asked in the order in which they were added, each for its routes in their order. The first handler that
///   does not answer ``Handling/notHandled`` has the last word.
/// - Handlers are called on the main actor, and are told to stop, as tasks are, when their subscription ends or, with
///   ``ExecutionPolicy/newestWins``, when something newer comes.
@MainActor
public final class UserActivityCenter {
    // Of the center itself; the extensions say what each is for.
    var pending: PendingActivities
    var gates: [Gate] = []
    var modules: [Module] = []
    var observers: [Observer] = []
    var runs: [Int: Run] = [:]
    /// Those of the runs, and of the links that are being opened in the browser.
    var tasks: [Int: Task<Void, Never>] = [:]
    /// Those of which not everybody has been told yet.
    var arrivals: [Delivery] = []
    var isTelling = false
    /// Whether modules were added in this turn, so that there may be more of them.
    var willAdvance = false
    /// Those that were on their way in that turn.
    var later: [Delivery] = []
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    let openInBrowser: (@MainActor (UserActivity) async -> Void)?
    let timekeeper: Timekeeper
    let activityBroadcast = Broadcast<ReceivedActivity>()
    let resultBroadcast = Broadcast<DeliveryResult>()
    let failureBroadcast = Broadcast<DeliveryFailure>()
    let runningBroadcast = Broadcast<Bool>()
    var expiry: (end: Duration, task: Task<Void, Never>)?
    private var lastNumber = 0
    private var lastID = 0

    /// The last activity that came, whatever has become of it.
    public internal(set) var lastActivity: ReceivedActivity?

    /// Whether a handler is at work, or a link is being opened in the browser.
    public internal(set) var isRunning = false

    /// - Parameters:
    ///   - pending: Which activities wait, and for how long.
    ///   - clock: Tells how long activities have waited; for tests one that is set by hand.
    ///   - openInBrowser: Opens the link of an activity that nobody wanted. Without it the activity's result is
    ///     ``DeliveryResult/Outcome/unhandled``.
    public init<C: Clock>(
        pending: PendingPolicy = .latest, clock: C = ContinuousClock(),
        openInBrowser: (@MainActor (UserActivity) async -> Void)? = nil
    ) where C.Duration == Duration {
        self.pending = PendingActivities(pending)
        self.openInBrowser = openInBrowser
        timekeeper = Timekeeper(clock)
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

/// A clock whose times are durations from a beginning on.
struct Timekeeper: Sendable {
    let now: @Sendable () -> Duration
    /// Sleeps until a time.
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
            modules: modules.count, observers: observers.count, tasks: max(runs.count, tasks.count),
            activitySequences: activityBroadcast.count, resultSequences: resultBroadcast.count)
    }
}
