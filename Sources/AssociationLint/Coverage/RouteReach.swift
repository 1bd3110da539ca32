public import AppSiteAssociation

/// What an association file does with the URLs of a route that no earlier route takes.
public struct RouteReach: Sendable {
    /// What it does with them. Each witness is a shortest such URL.
    public enum State: Sendable {
        /// It sends some of them to the app, by this rule.
        case reached(witness: String, rule: Rule)
        /// It sends none of them to the app, and this rule excludes some of them.
        case excluded(witness: String, rule: Rule)
        /// No rule takes any of them.
        case neverSent(witness: String)
        /// There are none: earlier routes take all URLs of the route. The witness goes to the one with this index.
        case shadowed(witness: String, by: Int)
        /// There is no URL that the route matches.
        case matchesNothing
        /// The route is for another host than that of the file.
        case otherHost
        /// It was too much to find out.
        case undecided
    }

    public let route: RoutePattern
    public let state: State

    /// Whether some links of the file end at the route.
    public var isReached: Bool { if case .reached = state { true } else { false } }
    /// Whether the file says nothing about the route, because the route is for another host.
    public var isForOtherHost: Bool { if case .otherHost = state { true } else { false } }
}
