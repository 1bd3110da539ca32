/// What a route asks of the query items of a name.
package struct RouteItem: Equatable, Sendable {
    /// The name as it is written.
    package let name: String
    package let value: [RoutePiece]

    package init(name: String, value: [RoutePiece]) {
        self.name = name
        self.value = value
    }
}
