// Of a closure without `return` the compiler would take both kinds of handlers; that one is an optional makes it take the
// other. Of all ways to say so this is the only one with which each closure means what it says (RouteSyntaxTests).
extension Route {
    /// A route for links whose handler gets the match; without a handler the next route is asked.
    public init(
        _ pattern: String, policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: (@MainActor (RouteMatch) async throws -> Handling)?
    ) {
        self.init(pattern, Self.pattern(pattern), policy, Parameters(), fileID, line) { match in
            { try await perform?(match) ?? .notHandled }
        }
    }

    /// A route for links whose handler gets the match, and handles it unless it throws.
    public init(
        _ pattern: String, policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: @escaping @MainActor (RouteMatch) async throws -> Void
    ) {
        self.init(pattern, policy: policy, fileID: fileID, line: line) { match -> Handling in
            try await perform(match)
            return .handled
        }
    }

    /// A route for activities of a type other than links, such as those of Handoff; without a
    /// handler the next route is asked.
    public init(
        activityType: String, policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: (@MainActor (RouteMatch) async throws -> Handling)?
    ) {
        self.init(activityType, .activityType, policy, Parameters(), fileID, line) { match in
            { try await perform?(match) ?? .notHandled }
        }
    }

    /// A route for activities of a type other than links, such as those of Handoff, whose handler handles them unless it
    /// throws.
    public init(
        activityType: String, policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: @escaping @MainActor (RouteMatch) async throws -> Void
    ) {
        self.init(activityType: activityType, policy: policy, fileID: fileID, line: line) { match -> Handling in
            try await perform(match)
            return .handled
        }
    }
}
