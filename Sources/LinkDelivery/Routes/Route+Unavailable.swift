// Without these the compiler has nothing to say about a type that is no parameter, but that it is at a loss.
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
