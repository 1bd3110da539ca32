import Foundation
import LinkDelivery
import Testing

/// The elements that a sequence has delivered so far.
@MainActor
final class Recorder<Element: Sendable> {
    private(set) var elements: [Element] = []
    private(set) var isAtEnd = false
    private var task: Task<Void, Never>?

    init(_ stream: AsyncStream<Element>) {
        task = Task { [weak self] in
            for await element in stream { self?.elements.append(element) }
            self?.isAtEnd = true
        }
    }

    deinit { task?.cancel() }
}

extension Recorder where Element == DeliveryResult {
    /// `1 handled(by: "/buy/*")`, and so on.
    var outcomes: [String] { elements.map { "\($0.received.number) \($0.outcome)" } }

    func waitFor(_ outcomes: [String], _ place: SourceLocation = #_sourceLocation) async {
        await wait(place) { self.outcomes.count >= outcomes.count }
        #expect(self.outcomes == outcomes, sourceLocation: place)
    }
}

/// A center, and the results that it has delivered so far.
@MainActor
func recorded(_ center: UserActivityCenter = UserActivityCenter()) -> (UserActivityCenter, Recorder<DeliveryResult>) {
    (center, Recorder(center.results()))
}

extension UserActivity {
    /// That of a link of `example.com`.
    static func link(_ rest: String) -> UserActivity {
        UserActivity(
            activityType: browsingWeb, webpageURL: URL(string: "https://example.com\(rest)"), referrerURL: nil)
    }
}
