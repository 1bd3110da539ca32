/// A route of an app: a pattern for URLs in the association's language, with named captures.
public struct RoutePattern: Hashable, Sendable, CustomStringConvertible {
    /// The route as one would write it: its columns, with one space between them.
    public let description: String
    /// The host to which the route is bound, in its ASCII form and lower case; nil if it takes every host.
    public let host: String?
    /// The names of the captures: those of the path, of the query and of the fragment, each in the order in which it writes them.
    public let captureNames: [String]
    package let path: [RoutePiece]
    package let query: [RouteItem]
    /// Nil if every fragment will do.
    package let fragment: [RoutePiece]?
    package let caseSensitive: Bool
    package let percentEncoded: Bool

    /// Reads a route.
    public init(_ text: String) throws(RoutePatternError) {
        throw RoutePatternError(code: .empty, message: "routes cannot be read yet", offset: 0)
    }

    public static func == (a: RoutePattern, b: RoutePattern) -> Bool {
        a.description.utf8.elementsEqual(b.description.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }

    /// What the captures take from a URL; nil if the route does not match it.
    public func captures(in url: String) -> RouteCaptures? { captures(in: url.utf8) }

    /// What the captures take from a URL that is at hand as bytes; nil if the route does not match it.
    public func captures(in url: some Collection<UInt8>) -> RouteCaptures? {
        WebURL(url).flatMap { captures(in: $0) }
    }

    package func captures(in url: WebURL) -> RouteCaptures? { nil }

    /// Whether every URL of another route is one of this; false if that cannot be proved.
    public func covers(_ other: RoutePattern) -> Bool { false }
}
