internal import AppSiteAssociation

/// The parts of a path pattern: scheme and host, the path, a query, a fragment.
struct PathParts {
    /// Scheme and host.
    let origin: Range<Int>?
    /// From the `?` to the end, or to a fragment.
    let query: Range<Int>?
    /// From the `#` to the end.
    let fragment: Range<Int>?
    /// The path itself; empty after a scheme and host, because then everything is wrong.
    let path: Range<Int>

    /// - Parameter present: The bytes that there are.
    init(_ bytes: [UInt8], _ pattern: Range<Int>, _ present: ByteSet, percentEncoded: Bool) {
        if let end = Self.originEnd(bytes, pattern) {
            origin = pattern.lowerBound..<end
            query = nil
            fragment = nil
            path = pattern.lowerBound..<pattern.lowerBound
            return
        }
        origin = nil
        // A decoded path may have a `#`, from `%23`.
        let hasHash = percentEncoded && present.contains(UInt8(ascii: "#"))
        let hash = hasHash ? bytes[pattern].firstIndex(of: UInt8(ascii: "#")) : nil
        fragment = hash.map { $0..<pattern.upperBound }
        let end = hash ?? pattern.upperBound
        let hasQuery = present.contains(UInt8(ascii: "?")) && present.contains(UInt8(ascii: "="))
        query = hasQuery ? Self.queryStart(bytes, pattern.lowerBound..<end).map { $0..<end } : nil
        path = pattern.lowerBound..<(query?.lowerBound ?? end)
    }

    /// Where the host of a URL ends; nil if this is not a URL.
    private static func originEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard let first = bytes[range].first, first.isLetter else { return nil }
        var host: Int?
        if bytes[range].prefix(4).lazy.map(\.lowercased).elementsEqual("www.".utf8) {
            host = range.lowerBound
        } else {
            // Also `http*`, `https?`, `http(s)`.
            var offset = range.lowerBound
            let limit = min(offset + 32, range.upperBound)
            while offset < limit, bytes[offset].isLetter || bytes[offset].isDigit || isInScheme(bytes[offset]) {
                offset += 1
            }
            if bytes[offset..<range.upperBound].starts(with: "://".utf8) { host = offset + 3 }
        }
        guard let host else { return nil }
        let end = bytes[host..<range.upperBound].firstIndex { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        return end ?? range.upperBound
    }

    private static func isInScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "*"),
            UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }

    /// The `?` of the first `?name=`.
    static func queryStart(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard var offset = bytes[range].firstIndex(of: UInt8(ascii: "?")) else { return nil }
        while offset < range.upperBound {
            guard bytes[offset] == UInt8(ascii: "?") else {
                offset += 1
                continue
            }
            var end = offset + 1
            while end < range.upperBound, bytes[end].isInItemName { end += 1 }
            if end > offset + 1, end < range.upperBound, bytes[end] == UInt8(ascii: "=") { return offset }
            offset = end
        }
        return nil
    }
}
