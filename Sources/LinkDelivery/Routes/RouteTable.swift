public import AppSiteAssociation
internal import Diagnostics

/// Routes in their order, of which the first that matches wins.
///
/// ```swift
/// let routes = try RouteTable {
///     Route("/buy/{product}", Int.self) { product in shop.show(product) }
///     Route("/buy/*") { _ in shop.showAll() }
/// }
/// ```
///
/// A table is built once and never changes. Mistakes are found when it is built: invalid patterns,
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

    /// The patterns, one per line, as `aasa test --routes` reads them.
    public var text: String { patterns.map { "\($0)\n" }.joined() }

    /// The match of the first route that takes the activity; nil if there is none.
    public func firstMatch(_ activity: UserActivity) -> RouteMatch? {
        let request = RouteRequest(activity)
        for route in routes {
            if case .taken(let match, _) = route.attempt(request) { return match }
        }
        return nil
    }

    /// The result of each route for an activity, up to the one that takes it.
    public func explain(_ activity: UserActivity) -> [RouteEvaluation] {
        let request = RouteRequest(activity)
        var evaluations: [RouteEvaluation] = []
        for route in routes {
            let attempt = route.attempt(request)
            evaluations.append(RouteEvaluation(route: route.text, outcome: attempt.outcome))
            if case .taken = attempt { break }
        }
        return evaluations
    }

    /// The types of activities other than links that routes ask for.
    var activityTypes: [String] {
        routes.compactMap { if case .activityType = $0.condition { $0.text } else { nil } }
    }

    func takes(_ request: RouteRequest) -> Bool {
        routes.contains { if case .taken = $0.attempt(request) { true } else { false } }
    }
}

/// Puts routes in their order (``RouteTable``).
@resultBuilder
public enum RoutesBuilder {
    public static func buildExpression(_ route: Route) -> [Route] { [route] }
    public static func buildExpression(_ routes: [Route]) -> [Route] { routes }
    public static func buildExpression(_ table: RouteTable) -> [Route] { table.routes }
    public static func buildBlock(_ routes: [Route]...) -> [Route] { routes.flatMap(\.self) }
    public static func buildOptional(_ routes: [Route]?) -> [Route] { routes ?? [] }
    public static func buildEither(first routes: [Route]) -> [Route] { routes }
    public static func buildEither(second routes: [Route]) -> [Route] { routes }
    public static func buildArray(_ routes: [[Route]]) -> [Route] { routes.flatMap(\.self) }
    public static func buildLimitedAvailability(_ routes: [Route]) -> [Route] { routes }
}

/// Why a table of routes cannot be built.
public struct RouteTableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Something that is wrong with a route.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        public enum Kind: Hashable, Sendable {
            /// The pattern is invalid.
            case pattern
            /// There are more or fewer types than captures.
            case parameters
            /// An earlier route is for the same links.
            case clash
            /// An earlier route takes all links of this one.
            case unreachable
        }

        public let kind: Kind
        /// The index of the route in the table.
        public let index: Int
        /// The route, as it was written.
        public let route: String
        /// The fault, its place and the remedy, in one sentence.
        public let description: String
    }

    /// In the order of the routes; never empty.
    public let problems: [Problem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Finds what is wrong with the routes of a table.
enum RouteTableProblems {
    static func problems(of routes: [Route]) -> [RouteTableError.Problem] {
        var problems: [RouteTableError.Problem] = []
        for (index, route) in routes.enumerated() {
            func report(_ kind: RouteTableError.Problem.Kind, _ message: String) {
                problems.append(
                    RouteTableError.Problem(
                        kind: kind, index: index, route: route.text, description: "\(route.location): \(message)"))
            }
            if case .pattern(.failure(let error)) = route.condition {
                report(.pattern, "\(quoted(route.text)), \(error)")
                continue
            }
            if let message = parameters(of: route) { report(.parameters, message) }
            // Of several routes that are in the way the first is enough.
            for earlier in routes[..<index] {
                guard let (kind, message) = obstacle(earlier, before: route) else { continue }
                report(kind, message)
                break
            }
        }
        return problems
    }

    private static func parameters(of route: Route) -> String? {
        guard let pattern = route.pattern, let count = route.parameters.count else { return nil }
        let names = pattern.captureNames
        guard names.count != count else { return nil }
        let captures = names.isEmpty ? "no captures" : names.map { "{\($0)}" }.joined(separator: ", ")
        return "\(quoted(route.text)) has \(captures), but its handler takes \(count) "
            + "\(count == 1 ? "value" : "values"); expected a type for each capture, in the same order"
    }

    /// The fault of a route that an earlier one causes.
    private static func obstacle(
        _ earlier: Route, before route: Route
    ) -> (RouteTableError.Problem.Kind, String)? {
        switch (earlier.condition, route.condition) {
        case (.activityType, .activityType) where earlier.text == route.text:
            return (.clash, "the route at \(earlier.location) is for activities of the type \(quoted(route.text)), too")
        case (.pattern(.success(let first)), .pattern(.success(let pattern))):
            // Links whose captures are not of its types go on to the next route.
            guard earlier.parameters.areForAll, first.covers(pattern) else { return nil }
            let other = "\(quoted(earlier.text)) at \(earlier.location)"
            if pattern.covers(first) {
                return (.clash, "\(quoted(route.text)) is for the same links as \(other); remove one of them")
            }
            return (
                .unreachable,
                "\(quoted(route.text)) is never reached: \(other) handles all its links; put it before that one"
            )
        default: return nil
        }
    }
}
