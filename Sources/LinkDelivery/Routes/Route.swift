internal import AppSiteAssociation

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
    /// What a handler is, once its parameters are there.
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

    /// What a route asks of an activity.
    enum Condition: Sendable {
        case pattern(Result<RoutePattern, RoutePatternError>)
        case activityType
    }

    /// What a route asks of the captures.
    struct Parameters: Sendable {
        /// How many there must be; nil if the handler looks for them itself.
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
        do {
            return .pattern(.success(try RoutePattern(text)))
        } catch {
            return .pattern(.failure(error))
        }
    }

    /// The pattern; nil if it is invalid, or the route asks for a type.
    var pattern: RoutePattern? {
        if case .pattern(.success(let pattern)) = condition { pattern } else { nil }
    }
}

/// What a handler says about an activity.
public enum Handling: Hashable, Sendable {
    /// It is handled: no other route is asked.
    case handled
    /// The next route that matches is asked; if there is none, the browser opens the link.
    case notHandled
    /// The browser opens the link: no other route is asked.
    case openInBrowser
}

/// What happens to an activity whose route is still handling an earlier one.
public enum ExecutionPolicy: Hashable, Sendable {
    /// The earlier one is cancelled, and its result is ignored.
    case newestWins
    /// It waits until the earlier ones are done, in the order in which they came.
    case oneAfterAnother
    /// Both run at the same time.
    case sideBySide
}
