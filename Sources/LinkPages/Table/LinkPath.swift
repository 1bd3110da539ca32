/// The kinds of paths of a site, each of which is answered by another part.
package enum LinkPath: Equatable, Sendable {
    /// One of the two paths of the association file of Apple.
    case association
    /// Any other path at or below `/.well-known/`, or one that begins as the name of an association file does.
    case wellKnown
    /// At or below `/_links/`.
    case image
    /// A path with a segment `.` or `..`, also percent-encoded: it gets the 404 page.
    case dotSegment
    /// A path that links, pages and the fallback answer.
    case ordinary

    /// The kind of a path as it was sent.
    package static func kind(of path: UnsafeBufferPointer<UInt8>) -> LinkPath {
        var slashes = 0
        while slashes < path.count, path[slashes] == UInt8(ascii: "/") { slashes &+= 1 }
        if begins(path, slashes, with: ".well-known") {
            let isAssociation = slashes == 1 && isAll(path, slashes, ".well-known/apple-app-site-association")
            return isAssociation ? .association : .wellKnown
        }
        if let end = end(of: "apple-app-site-association", path, slashes) {
            return slashes == 1 && end == path.count ? .association : .wellKnown
        }
        if end(of: "assetlinks.json", path, slashes) != nil { return .wellKnown }
        if begins(path, slashes, with: "_links") { return .image }
        return DotSegments.areIn(path) ? .dotSegment : .ordinary
    }

    /// Whether the path from an index on is a first segment, or below it.
    private static func begins(_ path: UnsafeBufferPointer<UInt8>, _ start: Int, with known: StaticString) -> Bool {
        guard let end = end(of: known, path, start) else { return false }
        return end == path.count || path[end] == UInt8(ascii: "/")
    }

    private static func isAll(_ path: UnsafeBufferPointer<UInt8>, _ start: Int, _ known: StaticString) -> Bool {
        end(of: known, path, start) == path.count
    }

    /// The index after a text at an index, of which unreserved characters may be percent-encoded; nil if it is not there.
    private static func end(of known: StaticString, _ path: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var index = start
        for offset in 0..<known.utf8CodeUnitCount {
            guard index < path.count else { return nil }
            var byte = path[index]
            if let decoded = URLBytes.escape(path, at: index), URLBytes.isUnreserved(decoded) {
                byte = decoded
                index &+= 2
            }
            guard byte == known.utf8Start[offset] else { return nil }
            index &+= 1
        }
        return index
    }
}

/// The form of a path in which links are compared: without slashes at its ends, unreserved characters decoded.
enum ComparedPath {
    static func bytes(of path: [UInt8]) -> [UInt8] {
        path.withUnsafeBufferPointer { path in
            [UInt8](unsafeUninitializedCapacity: path.count) { $1 = write(path, to: $0) }
        }
    }

    /// Writes the form, and returns its length.
    ///
    /// - Parameter output: has room for as many bytes as the path has.
    static func write(_ path: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var (start, end) = (0, path.count)
        while start < end, path[start] == UInt8(ascii: "/") { start &+= 1 }
        while start < end, path[end &- 1] == UInt8(ascii: "/") { end &-= 1 }
        var count = 0
        var index = start
        while index < end {
            var byte = path[index]
            if let decoded = URLBytes.escape(path, at: index), URLBytes.isUnreserved(decoded) {
                byte = decoded
                index &+= 2
            }
            output[count] = byte
            count &+= 1
            index &+= 1
        }
        return count
    }
}
