/// A route of an app: a pattern for URLs in the language of the association file, with named captures.
///
/// See <doc:WritingRoutes>.
public struct RoutePattern: Hashable, Sendable, CustomStringConvertible {
    /// The route as one would write it: its columns with one space between them, flags last.
    public let description: String
    /// The host to which the route is bound, in its ASCII form and lower case; nil if it takes every host.
    public let host: String?
    /// The names of the captures: of the path, of the query, and of the fragment, each from left to right.
    public let captureNames: [String]
    package let path: [RoutePiece]
    package let query: [RouteItem]
    /// Nil if every fragment will do.
    package let fragment: [RoutePiece]?
    package let caseSensitive: Bool
    package let percentEncoded: Bool
    let matcher: RouteMatcher

    /// Reads a route, like `/search ?q={term}`.
    ///
    /// - Throws: ``RoutePatternError``, which says what is wrong, where, and what was expected.
    public init(_ text: String) throws(RoutePatternError) {
        let parts = try RouteReader.read(text)
        description = parts.columns.joined(separator: " ")
        host = parts.host
        captureNames = parts.pieces.compactMap(\.name)
        path = parts.path
        query = parts.query
        fragment = parts.fragment
        caseSensitive = parts.caseSensitive
        percentEncoded = parts.percentEncoded
        matcher = RouteMatcher(parts)
    }

    /// What the captures take from a URL; nil if the route does not match it, or if it is no web URL.
    public func captures(in url: String) -> RouteCaptures? { captures(in: url.utf8) }

    /// What the captures take from a URL that is at hand as bytes; nil if the route does not match it.
    public func captures(in url: some Collection<UInt8>) -> RouteCaptures? {
        WebURL(url).flatMap { matcher.captures(in: $0) }
    }

    package func captures(in url: WebURL) -> RouteCaptures? { matcher.captures(in: url) }

    /// Whether both are written alike, byte by byte.
    public static func == (a: RoutePattern, b: RoutePattern) -> Bool {
        a.description.utf8.elementsEqual(b.description.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(description.utf8))
    }
}
