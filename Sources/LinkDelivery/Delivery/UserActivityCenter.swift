#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
    /// The objects that the center holds, which are released when modules, handlers and sequences end.
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

extension UserActivityCenter {
    /// Takes an activity from the system. Call it where the system reports one, such as in the delegate of a scene.
    ///
    /// - Parameters:
    ///   - activity: What the system handed over.
    ///   - scene: The identifier of the scene for which it is; nil if it is for any.
    /// - Returns: Whether a handler will be asked, as far as is known: true if a route matches, or there are none yet. This is
    ///   what `application(_:continue:restorationHandler:)` returns.
    @discardableResult
    public func receive(_ activity: UserActivity, scene: String? = nil) -> Bool {
        let received = ReceivedActivity(number: newNumber(), activity: activity, scene: scene, time: deadlines.now())
        let modules = modules.filter { $0.isActive && received.isFor($0.scene) }
        let request = RouteRequest(received)
        let willAsk = modules.isEmpty || modules.contains { $0.table.takes(request) }
        arrivals.append(Delivery(received))
        announceArrivals()
        return willAsk
    }

    /// Takes the one of several activities that counts, which the system hands over together when it starts the app.
    ///
    /// If none is of a type that is wanted, one of another type is taken, so that a module can still ask for it that is not
    /// there yet.
    ///
    /// - Parameters:
    ///   - activities: The system's set, in any order.
    ///   - types: The types that are wanted, the most important first. Types that routes ask for come after them.
    ///   - scene: The identifier of the scene for which they are; nil if they are for any.
    /// - Returns: Whether a handler will be asked, as far as is known; false if there is no activity.
    @discardableResult
    public func receive(
        oneOf activities: some Sequence<UserActivity>, types: [String] = [UserActivity.browsingWeb],
        scene: String? = nil
    ) -> Bool {
        // The system's set has no order, so activities of one type are told apart by their links.
        let activities = activities.sorted { a, b in
            Self.sortKey(a).lexicographicallyPrecedes(Self.sortKey(b)) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        for type in types + modules.flatMap(\.table.activityTypes) {
            if let activity = activities.first(where: { $0.activityType == type }) {
                return receive(activity, scene: scene)
            }
        }
        return activities.first.map { receive($0, scene: scene) } ?? false
    }

    private static func sortKey(_ activity: UserActivity) -> [String] {
        [activity.activityType, activity.webpageURL?.absoluteString ?? ""]
    }

    /// The result that each route would have for an activity, up to the one that takes it.
    public func explain(_ activity: UserActivity, scene: String? = nil) -> [RouteEvaluation] {
        var evaluations: [RouteEvaluation] = []
        for module in modules where module.isActive && (scene == nil || module.scene == nil || module.scene == scene) {
            evaluations += module.table.explain(activity)
            if evaluations.last?.outcome == .matches { break }
        }
        return evaluations
    }

    /// Announces each activity to all observers before the next one, also when an observer hands in another.
    private func announceArrivals() {
        guard !isAnnouncing else { return }
        isAnnouncing = true
        while let arrival = arrivals.first {
            let received = arrival.received
            lastActivity = received
            activityBroadcast.send(received)
            for observer in observers where observer.isActive && received.isFor(observer.scene) {
                observer.onActivity(received)
            }
            arrivals.removeFirst()
            advance(with: arrival)
        }
        isAnnouncing = false
    }
}
