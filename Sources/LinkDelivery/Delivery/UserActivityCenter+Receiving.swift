#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

    /// What each route would do with an activity, up to the one that takes it.
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
