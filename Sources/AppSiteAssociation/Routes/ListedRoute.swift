public import Diagnostics

/// A route of a file, and where it stands.
public struct ListedRoute: Sendable {
    public let pattern: RoutePattern
    /// Its line, without the white space around it.
    public let range: SourceRange
    /// What is wrong with it if a parameter is written as routers of other kinds do, `:id`.
    package let placeholder: Diagnostic?
}
