/// An error on the way of activities to their handlers.
public struct DeliveryFailure: Sendable {
    public enum Source: Hashable, Sendable {
        /// The handler of a route, as it was written.
        case route(String)
        /// The sequence that a gate follows.
        case gate(String)
    }

    public let source: Source
    /// The activity; nil if it is about none.
    public let received: ReceivedActivity?
    public let error: any Error
}
