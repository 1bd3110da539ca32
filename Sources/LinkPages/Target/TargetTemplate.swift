package import AppSiteAssociation

/// A URL in which captures are inserted after the host, such that they can never end the part that they are in.
package struct TargetTemplate: Sendable {
    /// The parts of a URL that captures can be in.
    enum Part: Sendable { case path, query, fragment }

    /// Writes the URL with the captures of a request.
    ///
    /// - Returns: Whether there is one: not where a capture has a dot segment and goes into a path.
    package func write(_ captures: RouteCaptures, to output: inout [UInt8]) -> Bool { false }
}
