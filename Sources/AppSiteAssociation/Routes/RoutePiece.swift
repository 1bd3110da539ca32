/// A piece of a part of a route: text, or a capture.
package enum RoutePiece: Equatable, Sendable {
    /// A pattern in the association's language.
    case text(String)
    /// `{name}` or `{name:pattern}`. Without a pattern it takes one or more characters, in a path none of them `/`.
    case capture(name: String, pattern: String?)
}

/// What a route asks of the query items of a name.
package struct RouteItem: Equatable, Sendable {
    /// The name as it is written.
    package let name: String
    package let value: [RoutePiece]
}
