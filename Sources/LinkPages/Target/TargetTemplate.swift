package import AppSiteAssociation

/// A URL in which captures are inserted after the host, such that they can never end the part that they are in.
package struct TargetTemplate: Sendable {
    enum Piece: Equatable, Sendable {
        /// Bytes that a URL has as they are.
        case text([UInt8])
        /// A capture of the route, by its number.
        case capture(Int, CapturePlace)
    }

    /// The rules by which a capture is inserted.
    enum CapturePlace: Equatable, Sendable {
        /// In a path, from a path that was compared with its escapes: what was a slash is one.
        case path
        /// In a path, from elsewhere.
        case segment
        /// In a query or a fragment.
        case query
    }

    let pieces: [Piece]
    /// The scheme, the host and the port, as every URL begins.
    let origin: [UInt8]
    /// In ASCII and lower case; empty in a URL of the app's scheme.
    package let host: [UInt8]
    /// Nil for that of the scheme.
    package let port: Int?

    /// The URL, if nothing is inserted.
    package var constant: [UInt8]? {
        var result = origin
        for piece in pieces {
            guard case .text(let text) = piece else { return nil }
            result += text
        }
        return result
    }

    /// Appends the URL with the captures of a request.
    ///
    /// - Returns: Whether there is one: not where a capture has a dot segment, or makes one, and goes into a path.
    package func write(_ captures: RouteCaptures, to output: inout [UInt8]) -> Bool {
        let start = output.count + origin.count
        output += origin
        var isInPath = false
        for piece in pieces {
            switch piece {
            case .text(let text): output += text
            case .capture(let number, let place):
                let isDotted = captures.bytes(number).withUnsafeBufferPointer { text in
                    Self.insert(text, place, to: &output)
                    return place != .query && DotSegments.areIn(text)
                }
                if isDotted { return false }
                if place != .query { isInPath = true }
            }
        }
        return !isInPath || !Self.hasDotSegment(output[start...])
    }

    private static func insert(_ text: UnsafeBufferPointer<UInt8>, _ place: CapturePlace, to output: inout [UInt8]) {
        switch place {
        case .path: URLBytes.writePath(text, to: &output)
        case .segment: URLBytes.write(text, to: &output, allowing: URLBytes.isSegmentCharacter)
        case .query:
            URLBytes.write(text, to: &output) { byte in
                switch byte {
                case UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: ";"): false
                case UInt8(ascii: "/"), UInt8(ascii: "?"): true
                default: URLBytes.isSegmentCharacter(byte)
                }
            }
        }
    }

    private static func hasDotSegment(_ url: ArraySlice<UInt8>) -> Bool {
        let path = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return path.withUnsafeBufferPointer(DotSegments.areIn)
    }

    /// Appends the query of a request to the URL at the end of a buffer, before its fragment.
    ///
    /// - Parameter start: Where the URL begins.
    static func append(
        query: UnsafeBufferPointer<UInt8>, toURLAt start: Int, of output: inout [UInt8]
    ) {
        guard !query.isEmpty else { return }
        let hash = output[start...].firstIndex(of: UInt8(ascii: "#")) ?? output.endIndex
        let fragment = Array(output[hash...])
        output.removeSubrange(hash...)
        let hasQuery = output[start...].contains(UInt8(ascii: "?"))
        output.append(hasQuery ? UInt8(ascii: "&") : UInt8(ascii: "?"))
        URLBytes.writeQuery(query, to: &output)
        output += fragment
    }
}
