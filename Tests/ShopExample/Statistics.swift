import Foundation
import LinkDelivery

/// A module that only looks on.
@MainActor
public final class Statistics {
    public private(set) var links: [String] = []
    private var subscription: Subscription?

    public init(_ links: UserActivityCenter) {
        subscription = links.observe(replayingLast: true) { [weak self] received in
            self?.links.append(received.activity.webpageURL?.absoluteString ?? received.activity.activityType)
        }
    }

    /// Writes down what went wrong, as long as its task runs.
    public func watch(_ links: UserActivityCenter, log: (String) -> Void) async {
        for await failure in links.failures() {
            log("\(failure)")
        }
    }
}
