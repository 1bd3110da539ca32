public import Diagnostics

/// A route of a file, and where it stands.
public struct ListedRoute: Sendable {
    public let pattern: RoutePattern
    /// Its line, without the white space around it.
    public let range: SourceRange
}
