internal import AppSiteAssociation
internal import Diagnostics

/// Finds what is wrong with the routes of a table.
enum RouteTableProblems {
    static func problems(of routes: [Route]) -> [RouteTableError.Problem] {
        var problems: [RouteTableError.Problem] = []
        for (index, route) in routes.enumerated() {
            func report(_ kind: RouteTableError.Problem.Kind, _ message: String) {
                problems.append(
                    RouteTableError.Problem(
                        kind: kind, index: index, route: route.text, description: "\(route.place): \(message)"))
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

    /// What is wrong because of an earlier route.
    private static func obstacle(
        _ earlier: Route, before route: Route
    ) -> (RouteTableError.Problem.Kind, String)? {
        switch (earlier.condition, route.condition) {
        case (.activityType, .activityType) where earlier.text == route.text:
            return (.clash, "the route at \(earlier.place) is for activities of the type \(quoted(route.text)), too")
        case (.pattern(.success(let first)), .pattern(.success(let pattern))):
            // Links whose captures are not of its types go on to the next route.
            guard earlier.parameters.areForAll, first.covers(pattern) else { return nil }
            let other = "\(quoted(earlier.text)) at \(earlier.place)"
            if pattern.covers(first) {
                return (.clash, "\(quoted(route.text)) is for the same links as \(other); remove one of them")
            }
            return (
                .unreachable, "\(quoted(route.text)) is never reached: \(other) takes all its links; put it before that"
            )
        default: return nil
        }
    }
}
