/// What has become of an activity.
public struct DeliveryResult: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// A handler has taken it: that of the route, as it was written.
        case handled(by: String)
        /// The handler of the route has failed (``DeliveryFailure``).
        case failed(at: String)
        /// Nobody wanted it, or a handler said so: its link was opened in the browser.
        case openedInBrowser
        /// Nobody wanted it, and it has no web link or the center has no browser.
        case unhandled
        /// A newer activity for the same route came: that with the number.
        case superseded(by: Int)
        /// It has waited for too long.
        case expired
        /// Too many activities waited.
        case dropped
    }

    public let received: ReceivedActivity
    public let outcome: Outcome
}
