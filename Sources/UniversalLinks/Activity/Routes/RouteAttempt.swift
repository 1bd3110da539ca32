internal import AppSiteAssociation

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
    func attempt(_ received: ReceivedActivity) -> RouteAttempt {
        let activity = received.activity
        var captures: RouteCaptures?
        switch condition {
        case .activityType:
            guard activity.activityType == text else { return .notForIt }
        case .pattern(.failure): return .notForIt
        case .pattern(.success(let pattern)):
            guard activity.activityType == UserActivity.browsingWeb, let url = activity.webpageURL else {
                return .notForIt
            }
            captures = pattern.captures(in: url.absoluteString)
            guard captures != nil else { return .notForIt }
        }
        let match = RouteMatch(received: received, route: text, captures: captures)
        do {
            return .taken(match, try bind(match))
        } catch {
            return .parameter(error)
        }
    }
}
