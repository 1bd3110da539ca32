public import AppSiteAssociation

/// Routes in their order, of which the first that matches wins.
///
/// ```swift
/// let routes = try RouteTable {
///     Route("/buy/{product}", Int.self) { product in shop.show(product) }
///     Route("/buy/*") { _ in shop.showAll() }
/// }
/// ```
///
/// A table is built once and never changes. What cannot be meant is found when it is built: patterns that are not sound,
/// handlers that ask for more or fewer parameters than there are captures, and routes that are never reached because an
/// earlier one takes all their links. Whether the routes fit the association file of a site, `RouteCoverage` in
/// AssociationLint tells, and `aasa test --routes`.
public struct RouteTable: Sendable {
    public let routes: [Route]

    /// - Throws: All that is wrong with the routes, together.
    public init(_ routes: [Route]) throws(RouteTableError) {
        let problems = RouteTableProblems.problems(of: routes)
        guard problems.isEmpty else { throw RouteTableError(problems: problems) }
        self.routes = routes
    }

    /// - Throws: All that is wrong with the routes, together.
    public init(@RoutesBuilder _ routes: () -> [Route]) throws(RouteTableError) {
        try self.init(routes())
    }

    /// The routes of several modules, in the order in which they are asked.
    ///
    /// - Throws: If a module takes links that are another's, among all else that is wrong.
    public init(combining tables: [RouteTable]) throws(RouteTableError) {
        try self.init(tables.flatMap(\.routes))
    }

    /// The patterns of the routes for links, in their order, for a coverage check.
    public var patterns: [RoutePattern] { routes.compactMap(\.pattern) }

    /// The patterns, one a line, as `aasa test --routes` reads them.
    public var text: String { patterns.map { "\($0)\n" }.joined() }

    /// What the first route that takes the activity makes of it; nil if there is none.
    public func firstMatch(_ activity: UserActivity) -> RouteMatch? {
        let question = RouteQuestion(activity)
        for route in routes {
            if case .taken(let match, _) = route.attempt(question) { return match }
        }
        return nil
    }

    /// What becomes of an activity at each route, up to the one that takes it.
    public func explain(_ activity: UserActivity) -> [RouteTrial] {
        let question = RouteQuestion(activity)
        var trials: [RouteTrial] = []
        for route in routes {
            let attempt = route.attempt(question)
            trials.append(RouteTrial(route: route.text, outcome: attempt.outcome))
            if case .taken = attempt { break }
        }
        return trials
    }

    /// The types of activities other than links that routes ask for.
    var activityTypes: [String] {
        routes.compactMap { if case .activityType = $0.condition { $0.text } else { nil } }
    }

    func takes(_ question: RouteQuestion) -> Bool {
        routes.contains { if case .taken = $0.attempt(question) { true } else { false } }
    }
}
