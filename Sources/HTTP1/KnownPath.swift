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
        end(of: known, in: bytes, path.range) == path.range.upperBound
    }

    /// Whether the path begins with `known`, byte by byte or after the same decoding.
    package static func begins(_ path: RequestHead.Slice, of bytes: Span<UInt8>, with known: StaticString) -> Bool {
        let known = UnsafeBufferPointer(start: known.utf8Start, count: known.utf8CodeUnitCount)
        return end(of: known, in: bytes, path.range) != nil
    }

    /// The index after `known` at the beginning of a range; `nil` if it is not there.
    @inline(__always)
    private static func end(
        of known: UnsafeBufferPointer<UInt8>, in bytes: Span<UInt8>, _ range: Range<Int>
    ) -> Int? {
        let count = known.count
        guard range.count >= count else { return nil }
        var index = range.lowerBound
        var offset = 0
        while offset < count {
            guard index < range.upperBound else { return nil }
            var byte = bytes[index]
            index &+= 1
            if byte == UInt8(ascii: "%") {
                guard index &+ 1 < range.upperBound, let high = Characters.hexValue(bytes[index]),
                    let low = Characters.hexValue(bytes[index &+ 1]), Characters.isUnreserved(high << 4 | low)
                else { return nil }
                byte = high << 4 | low
                index &+= 2
            }
            guard byte == known[offset] else { return nil }
            offset &+= 1
        }
        return index
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
