internal import AppSiteAssociation

/// A route that was asked about an activity.
enum RouteAttempt {
    case taken(RouteMatch, Route.Action)
    case notForIt
    case parameter(RouteParameterError)

    var outcome: RouteTrial.Outcome {
        switch self {
        case .taken: .matches
        case .notForIt: .doesNotMatch
        case .parameter(let error): .parameter(error)
        }
    }
}

extension Route {
    func attempt(_ question: RouteQuestion) -> RouteAttempt {
        var captures: RouteCaptures?
        switch condition {
        case .activityType:
            guard question.received.activity.activityType == text else { return .notForIt }
        case .pattern(.failure): return .notForIt
        case .pattern(.success(let pattern)):
            captures = question.link.flatMap { pattern.captures(in: $0) }
            guard captures != nil else { return .notForIt }
        }
        let match = RouteMatch(received: question.received, route: text, captures: captures)
        do {
            return .taken(match, try bind(match))
        } catch {
            return .parameter(error)
        }
    }
}
