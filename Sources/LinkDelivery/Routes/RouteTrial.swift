/// What became of an activity at a route.
public struct RouteTrial: Sendable, CustomStringConvertible {
    /// What became of it.
    public enum Outcome: Hashable, Sendable {
        /// The route takes it.
        case matches
        /// It is not for the route.
        case doesNotMatch
        /// The pattern matches, but a capture is not of its type.
        case parameter(RouteParameterError)
    }

    /// The route, as it was written.
    public let route: String
    public let outcome: Outcome

    public var description: String {
        switch outcome {
        case .matches: "\(route): matches"
        case .doesNotMatch: "\(route): does not match"
        case .parameter(let error): "\(route): \(error)"
        }
    }
}
