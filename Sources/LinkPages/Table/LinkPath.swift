/// The kinds of paths of a site, each of which is answered by another part.
package enum LinkPath: Equatable, Sendable {
    /// One of the two paths of the association file of Apple.
    case association
    /// Any other path at or below `/.well-known/`.
    case wellKnown
    /// At or below `/_links/`.
    case image
    /// A path with a segment `.` or `..`, also percent-encoded: it gets the 404 page.
    case dotSegment
    /// A path that links, pages and the fallback answer.
    case ordinary

    /// The kind of a path as it was sent.
    package static func kind(of path: UnsafeBufferPointer<UInt8>) -> LinkPath { .ordinary }
}
