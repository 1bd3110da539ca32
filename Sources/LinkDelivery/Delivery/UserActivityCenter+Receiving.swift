#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension UserActivityCenter {
    /// Takes an activity from the system: to be called by whoever is told of it, such as the delegate of a scene.
    ///
    /// - Parameters:
    ///   - activity: What the system handed over.
    ///   - scene: The identifier of the scene for which it is; nil if it is for any.
    /// - Returns: Whether somebody will be asked, as far as is known: true if a route matches, or there are none yet. This is
    ///   what `application(_:continue:restorationHandler:)` returns.
    @discardableResult
    public func receive(_ activity: UserActivity, scene: String? = nil) -> Bool {
        let received = ReceivedActivity(number: newNumber(), activity: activity, scene: scene, time: timekeeper.now())
        let modules = modules.filter { $0.isThere && received.isFor($0.scene) }
        let question = RouteQuestion(received)
        let willAsk = modules.isEmpty || modules.contains { $0.table.takes(question) }
        arrivals.append(Delivery(received))
        tellOfArrivals()
        return willAsk
    }

    /// Takes the one of several activities that counts, which the system hands over together when it starts the app.
    ///
    /// If none is of a type that is wanted, one of another type is taken, so that a module can still ask for it that is not
    /// there yet.
    ///
    /// - Parameters:
    ///   - activities: The system's set, in any order.
    ///   - types: The types that are wanted, the most important first. Types that routes ask for come behind them.
    ///   - scene: The identifier of the scene for which they are; nil if they are for any.
    /// - Returns: Whether somebody will be asked, as far as is known; false if there is no activity.
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

    /// What would become of an activity at each route, up to the one that takes it.
    public func explain(_ activity: UserActivity, scene: String? = nil) -> [RouteTrial] {
        var trials: [RouteTrial] = []
        for module in modules where module.isThere && (scene == nil || module.scene == nil || module.scene == scene) {
            trials += module.table.explain(activity)
            if trials.last?.outcome == .matches { break }
        }
        return trials
    }

    /// Tells everybody of each activity before the next, also when somebody who is told hands over another.
    private func tellOfArrivals() {
        guard !isTelling else { return }
        isTelling = true
        while let arrival = arrivals.first {
            let received = arrival.received
            lastActivity = received
            activityBroadcast.send(received)
            for observer in observers where observer.isThere && received.isFor(observer.scene) {
                observer.isTold(received)
            }
            arrivals.removeFirst()
            advance(with: arrival)
        }
        isTelling = false
    }
}
