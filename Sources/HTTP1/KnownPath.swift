/// Compares request paths with the paths that are served.
package enum KnownPath {
    /// Whether the path reads `known`, byte by byte or after percent-encoded unreserved characters are decoded once
    /// (RFC 3986, section 6.2.2.2).
    package static func matches(_ path: RequestHead.Slice, of bytes: Span<UInt8>, _ known: StaticString) -> Bool {
        let range = path.range
        let count = known.utf8CodeUnitCount
        guard range.count >= count else { return false }
        let expected = known.utf8Start
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
            guard byte == expected[offset] else { return false }
            offset &+= 1
        }
        return offset == count
    }
}
