/// A route as it is written, cut into its parts.
struct RouteParts: Sendable {
    /// In its ASCII form and lower case.
    var host: String?
    var path: [RoutePiece] = []
    var query: [RouteItem] = []
    var fragment: [RoutePiece]?
    var caseSensitive = true
    var percentEncoded = true
    /// The columns, as ``RoutePattern/description`` has them.
    var columns: [String] = []

    var comparison: Comparison { Comparison(caseSensitive: caseSensitive, percentEncoded: percentEncoded) }

    /// All pieces, in the order in which captures are numbered.
    var pieces: [RoutePiece] { path + query.flatMap(\.value) + (fragment ?? []) }
}
