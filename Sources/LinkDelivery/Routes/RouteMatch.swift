public import AppSiteAssociation

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An activity that a route takes, and what the route captured of its link.
public struct RouteMatch: Sendable {
    public let received: ReceivedActivity
    /// The route, as it was written: `/buy/{product}`, or a type of activities.
    public let route: String
    /// Nil if the route asks for a type only.
    public let captures: RouteCaptures?

    public var activity: UserActivity { received.activity }
    /// The link.
    public var url: URL? { received.activity.webpageURL }
    /// The identifier of the scene that the activity is for, if the system named one.
    public var scene: String? { received.scene }

    /// The percent-decoded text of a capture; nil if the route has none of the name.
    public subscript(name: String) -> String? { captures?[name] }

    /// The value of a capture.
    ///
    /// - Throws: If the route has no capture of the name, or its text is not of the type.
    public func value<Value: RouteParameter>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(RouteParameterError) -> Value {
        let text = self[name]
        guard let text, let value = Value(routeParameter: text) else {
            throw RouteParameterError(
                name: name, value: text, expected: Value.expectedRouteParameter, route: route)
        }
        return value
    }
}
