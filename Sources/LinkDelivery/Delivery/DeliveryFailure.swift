internal import Diagnostics

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An error on the way of activities to their handlers.
public struct DeliveryFailure: Sendable, CustomStringConvertible {
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

    public var description: String {
        switch source {
        case .gate(let name): return "the gate \(quoted(name)) is closed, because its sequence failed: \(error)"
        case .route(let route):
            let activity = received?.activity
            let link = activity.map { $0.webpageURL?.absoluteString ?? $0.activityType } ?? ""
            return "the handler of \(quoted(route)) failed for \(quoted(link)): \(error)"
        }
    }
}
