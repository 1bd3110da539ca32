public import Diagnostics

/// The routes of a file, one a line.
public struct RouteList: Sendable {
    public let source: SourceText
    public let routes: [ListedRoute]
    /// What is wrong with the list. With an error in it, it cannot be used.
    public let diagnostics: [Diagnostic]

    /// Reads a list.
    public static func read(_ bytes: [UInt8], path: String) -> RouteList {
        RouteList(source: SourceText(bytes, path: path), routes: [], diagnostics: [])
    }
}

/// A route and where it stands.
public struct ListedRoute: Sendable {
    public let pattern: RoutePattern
    public let range: SourceRange
}
