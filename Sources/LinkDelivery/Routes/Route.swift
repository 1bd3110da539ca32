public import AppSiteAssociation
internal import URLPatterns

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A pattern for links, or a type of activities, and what is to be done with them.
///
/// ```swift
/// Route("/buy/{product}", Int.self) { product in shop.show(product) }
/// Route("/search ?q={term}") { match in await shop.search(for: match["term"]) }
/// Route("/account/{section:*}") { match in account.isOpen ? .handled : .openInBrowser }
/// Route(activityType: "com.example.edit") { match in try editor.open(match.activity) }
/// ```
///
/// The language of the patterns is that of the association file, with captures (``RoutePattern``). A route with types takes
/// only links of which each capture is of its type; the captures are handed over in the order in which they are written.
/// Whether the pattern is valid is checked when a ``RouteTable`` is built. A handler that says nothing has handled the activity.
public struct Route: Sendable {
    /// A handler with its parameters filled in.
    typealias Action = @MainActor @Sendable () async throws -> Handling

    /// The pattern or the type, as it was written.
    public let text: String
    public let policy: ExecutionPolicy
    let condition: Condition
    let parameters: Parameters
    /// The action for a match; the error says which capture is not of its type.
    let bind: @Sendable (RouteMatch) throws(RouteParameterError) -> Action
    /// Where the route was written: `Links.swift:12`.
    let location: String

    /// A condition of a route on an activity.
    enum Condition: Sendable {
        case pattern(Result<RoutePattern, RoutePatternError>)
        case activityType
    }

    /// The conditions of a route on its captures.
    struct Parameters: Sendable {
        /// The number of values that there must be; nil if the handler looks for them itself.
        var count: Int?
        /// Whether links can fail because of their types.
        var areForAll = true
    }

    init(
        _ text: String, _ condition: Condition, _ policy: ExecutionPolicy, _ parameters: Parameters, _ file: String,
        _ line: Int, bind: @escaping @Sendable (RouteMatch) throws(RouteParameterError) -> Action
    ) {
        self.text = text
        self.condition = condition
        self.policy = policy
        self.parameters = parameters
        self.bind = bind
        location = "\(file.split(separator: "/").last ?? ""):\(line)"
    }

    static func pattern(_ text: String) -> Condition {
        .pattern(Result { () throws(RoutePatternError) in try RoutePattern(text) })
    }

    /// The pattern; nil if it is invalid, or the route asks for a type.
    var pattern: RoutePattern? {
        if case .pattern(.success(let pattern)) = condition { pattern } else { nil }
    }
}

/// The answer of a handler: whether it has handled an activity.
public enum Handling: Hashable, Sendable {
    /// It is handled: no other route is asked.
    case handled
    /// The next route that matches is asked; if there is none, the browser opens the link.
    case notHandled
    /// The browser opens the link: no other route is asked.
    case openInBrowser
}

/// The rule for an activity whose route is still handling an earlier one.
public enum ExecutionPolicy: Hashable, Sendable {
    /// The earlier one is cancelled, and its result is ignored.
    case newestWins
    /// It waits until the earlier ones are done, in the order in which they came.
    case oneAfterAnother
    /// Both run at the same time.
    case sideBySide
}

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

/// The result of trying a route on an activity.
public struct RouteEvaluation: Sendable, CustomStringConvertible {
    /// The outcome of the route.
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

/// An activity about which routes are asked, taken apart once for all of them.
struct RouteRequest {
    let received: ReceivedActivity
    /// Nil if it is not an activity of a web link.
    let link: WebURL?

    init(_ received: ReceivedActivity) {
        self.received = received
        let activity = received.activity
        let url = activity.activityType == UserActivity.browsingWeb ? activity.webpageURL : nil
        link = url.flatMap { WebURL($0.absoluteString.utf8) }
    }

    init(_ activity: UserActivity) {
        self.init(ReceivedActivity(number: 0, activity: activity, scene: nil, time: .zero))
    }
}

/// A route that was asked about an activity.
enum RouteAttempt {
    case taken(RouteMatch, Route.Action)
    case notForIt
    case parameter(RouteParameterError)

    var outcome: RouteEvaluation.Outcome {
        switch self {
        case .taken: .matches
        case .notForIt: .doesNotMatch
        case .parameter(let error): .parameter(error)
        }
    }
}

extension Route {
    /// The action of the handler for an activity; nil if the route does not take it.
    package func action(for activity: ReceivedActivity) -> (@MainActor () async throws -> Handling)? {
        if case .taken(_, let action) = attempt(RouteRequest(activity)) { action } else { nil }
    }

    func attempt(_ request: RouteRequest) -> RouteAttempt {
        var captures: RouteCaptures?
        switch condition {
        case .activityType:
            guard request.received.activity.activityType == text else { return .notForIt }
        case .pattern(.failure): return .notForIt
        case .pattern(.success(let pattern)):
            captures = request.link.flatMap { pattern.captures(in: $0) }
            guard captures != nil else { return .notForIt }
        }
        let match = RouteMatch(received: request.received, route: text, captures: captures)
        do {
            return .taken(match, try bind(match))
        } catch {
            return .parameter(error)
        }
    }
}
