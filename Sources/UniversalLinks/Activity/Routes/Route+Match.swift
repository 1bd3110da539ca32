extension Route {
    /// A route for links whose handler gets the match.
    public init(
        _ pattern: String, policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: @escaping @MainActor (RouteMatch) async throws -> Handling
    ) {
        self.init(pattern, Self.pattern(pattern), policy, Parameters(), fileID, line) { match in
            { try await perform(match) }
        }
    }

    /// A route for links whose handler gets the match, and handles it unless it throws.
    @_disfavoredOverload
    public init(
        _ pattern: String, policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: @escaping @MainActor (RouteMatch) async throws -> Void
    ) {
        self.init(pattern, policy: policy, fileID: fileID, line: line) { match in
            try await perform(match)
            return .handled
        }
    }

    /// A route for activities of a type other than links, such as those of Handoff.
    public init(
        activityType: String, policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: @escaping @MainActor (RouteMatch) async throws -> Handling
    ) {
        self.init(activityType, .activityType, policy, Parameters(), fileID, line) { match in
            { try await perform(match) }
        }
    }

    /// A route for activities of a type other than links, such as those of Handoff, whose handler handles them unless it
    /// throws.
    @_disfavoredOverload
    public init(
        activityType: String, policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: @escaping @MainActor (RouteMatch) async throws -> Void
    ) {
        self.init(activityType: activityType, policy: policy, fileID: fileID, line: line) { match in
            try await perform(match)
            return .handled
        }
    }
}
