/// Compares request paths with the paths that are served.
package enum KnownPath {
    /// Whether the path reads `known`, byte by byte or after percent-encoded unreserved characters are decoded once
    /// (RFC 3986, section 6.2.2.2).
    package static func matches(_ path: RequestHead.Slice, of bytes: Span<UInt8>, _ known: StaticString) -> Bool {
        matches(path, of: bytes, UnsafeBufferPointer(start: known.utf8Start, count: known.utf8CodeUnitCount))
    }

    /// The same for a path that is not known before the program runs.
    package static func matches(
        _ path: RequestHead.Slice, of bytes: Span<UInt8>, _ known: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let range = path.range
        let count = known.count
        guard range.count >= count else { return false }
        var index = range.lowerBound
        var offset = 0
        while index < range.upperBound {
            guard offset < count else { return false }
            var byte = bytes[index]
            index &+= 1
            if byte == UInt8(ascii: "%") {
                guard index &+ 1 < range.upperBound, let high = Characters.hexValue(bytes[index]),
                    let low = Characters.hexValue(bytes[index &+ 1]), Characters.isUnreserved(high << 4 | low)
                else { return false }
                byte = high << 4 | low
                index &+= 2
            }
            guard byte == known[offset] else { return false }
            offset &+= 1
        }
        return offset == count
    }
}

/// A part of a path between two slashes (RFC 3986, section 3.3).
package enum PathSegment {
    /// Whether the text can be in a path as it is, without a character that would have to be percent-encoded.
    package static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                Characters.isRegisteredName($0) || $0 == Characters.colon || $0 == UInt8(ascii: "@")
            }
    }
}
