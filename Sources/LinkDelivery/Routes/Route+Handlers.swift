internal import AppSiteAssociation

extension Route {
    /// A route for links whose handler gets the captures, each as a value of its type; without a handler the
    /// next route is asked.
    public init<each Parameter: RouteParameter>(
        _ pattern: String, _ types: repeat (each Parameter).Type, policy: ExecutionPolicy = .newestWins,
        fileID: String = #fileID, line: Int = #line,
        perform: (@MainActor (repeat each Parameter) async throws -> Handling)?
    ) {
        let parameters = Self.parameters(repeat each types)
        self.init(pattern, Self.pattern(pattern), policy, parameters, fileID, line) {
            match throws(RouteParameterError) in
            let reader = ParameterReader(match)
            let values = (repeat try reader.next((each Parameter).self))
            return { try await perform?(repeat each values) ?? .notHandled }
        }
    }

    /// A route for links whose handler gets the captures, each as a value of its type, and handles the link unless it
    /// throws.
    public init<each Parameter: RouteParameter>(
        _ pattern: String, _ types: repeat (each Parameter).Type, policy: ExecutionPolicy = .newestWins,
        fileID: String = #fileID, line: Int = #line,
        perform: @escaping @MainActor (repeat each Parameter) async throws -> Void
    ) {
        let parameters = Self.parameters(repeat each types)
        self.init(pattern, Self.pattern(pattern), policy, parameters, fileID, line) {
            match throws(RouteParameterError) in
            let reader = ParameterReader(match)
            let values = (repeat try reader.next((each Parameter).self))
            return {
                try await perform(repeat each values)
                return .handled
            }
        }
    }

    /// A route of an owner, which it does not keep alive: when the owner is gone, the next route is asked.
    @MainActor
    public init<Owner: AnyObject, each Parameter: RouteParameter>(
        _ pattern: String, _ types: repeat (each Parameter).Type, owner: Owner,
        policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: (@MainActor (Owner, repeat each Parameter) async throws -> Handling)?
    ) {
        self.init(pattern, repeat each types, policy: policy, fileID: fileID, line: line) {
            [weak owner] (values: repeat each Parameter) -> Handling in
            guard let owner, let perform else { return .notHandled }
            return try await perform(owner, repeat each values)
        }
    }

    /// A route of an owner, which it does not keep alive: when the owner is gone, the next route is asked. Its handler
    /// handles the link unless it throws.
    @MainActor
    public init<Owner: AnyObject, each Parameter: RouteParameter>(
        _ pattern: String, _ types: repeat (each Parameter).Type, owner: Owner,
        policy: ExecutionPolicy = .newestWins, fileID: String = #fileID, line: Int = #line,
        perform: @escaping @MainActor (Owner, repeat each Parameter) async throws -> Void
    ) {
        self.init(pattern, repeat each types, policy: policy, fileID: fileID, line: line) {
            [weak owner] (values: repeat each Parameter) -> Handling in
            guard let owner else { return .notHandled }
            try await perform(owner, repeat each values)
            return .handled
        }
    }

    private static func parameters<each Parameter: RouteParameter>(
        _ types: repeat (each Parameter).Type
    ) -> Parameters {
        // Who asks for nothing leaves the captures alone.
        var parameters = Parameters()
        for type in repeat each types {
            parameters.count = (parameters.count ?? 0) + 1
            parameters.areForAll = parameters.areForAll && type.takesEveryRouteParameter
        }
        return parameters
    }
}

/// Hands out the captures of a match, one after another.
private final class ParameterReader {
    private let match: RouteMatch
    private var names: ArraySlice<String>

    init(_ match: RouteMatch) {
        self.match = match
        names = match.captures?.names[...] ?? []
    }

    func next<Value: RouteParameter>(_ type: Value.Type) throws(RouteParameterError) -> Value {
        // A table is only built if there are as many captures as types.
        try match.value(names.popFirst() ?? "")
    }
}

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

// Without these the compiler has nothing to say about a type that is not a parameter, but that it is at a loss.
extension Route {
    @available(*, unavailable, message: "each type has to be a RouteParameter: 'enum Size: String, RouteParameter'")
    @_disfavoredOverload
    public init<each Value>(
        _ pattern: String, _ types: repeat (each Value).Type, policy: ExecutionPolicy = .newestWins,
        perform: (@MainActor (repeat each Value) async throws -> Handling)?
    ) {
        self.init(pattern, policy: policy, perform: nil)
    }

    @available(*, unavailable, message: "each type has to be a RouteParameter: 'enum Size: String, RouteParameter'")
    @_disfavoredOverload
    public init<each Value>(
        _ pattern: String, _ types: repeat (each Value).Type, policy: ExecutionPolicy = .newestWins,
        perform: @escaping @MainActor (repeat each Value) async throws -> Void
    ) {
        self.init(pattern, policy: policy, perform: nil)
    }

    @available(*, unavailable, message: "each type has to be a RouteParameter: 'enum Size: String, RouteParameter'")
    @_disfavoredOverload
    @MainActor
    public init<Owner: AnyObject, each Value>(
        _ pattern: String, _ types: repeat (each Value).Type, owner: Owner, policy: ExecutionPolicy = .newestWins,
        perform: (@MainActor (Owner, repeat each Value) async throws -> Handling)?
    ) {
        self.init(pattern, policy: policy, perform: nil)
    }

    @available(*, unavailable, message: "each type has to be a RouteParameter: 'enum Size: String, RouteParameter'")
    @_disfavoredOverload
    @MainActor
    public init<Owner: AnyObject, each Value>(
        _ pattern: String, _ types: repeat (each Value).Type, owner: Owner, policy: ExecutionPolicy = .newestWins,
        perform: @escaping @MainActor (Owner, repeat each Value) async throws -> Void
    ) {
        self.init(pattern, policy: policy, perform: nil)
    }
}
