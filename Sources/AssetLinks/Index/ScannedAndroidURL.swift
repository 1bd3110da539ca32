internal import URLPatterns

/// A URL whose parts are decoded into given memory, the path at once and others when they are asked for.
struct ScannedAndroidURL {
    /// The decoded path.
    let path: UnsafeBufferPointer<UInt16>
    private let url: UnsafeRawBufferPointer
    private let parts: URLParts
    private let rest: UnsafeMutablePointer<UInt16>
    /// Which part is decoded in `rest`.
    private var decoded = Part.none
    private var count = 0
    /// Between the items of the query.
    private var separator: UInt16 = 0

    private enum Part {
        case none, query, fragment
    }

    /// - Parameters:
    ///   - path: Memory for as many units as the path has bytes, and one more.
    ///   - rest: Memory for as many units as the query or the fragment has bytes.
    init(
        _ url: UnsafeRawBufferPointer, _ parts: URLParts, path: UnsafeMutablePointer<UInt16>,
        rest: UnsafeMutablePointer<UInt16>
    ) {
        self.url = url
        self.parts = parts
        self.rest = rest
        var count = Self.decode(url, parts.path, into: path)
        if parts.path.isEmpty {
            for unit in AndroidDecisions.emptyPath {
                path[count] = UInt16(unit)
                count += 1
            }
        }
        self.path = UnsafeBufferPointer(start: path, count: count)
    }

    /// The decoded fragment; nil if the URL has no `#`.
    var fragment: UnsafeBufferPointer<UInt16>? {
        mutating get {
            guard parts.query.upperBound < url.count else { return nil }
            if decoded != .fragment {
                count = Self.decode(url, parts.fragment, into: rest)
                decoded = .fragment
            }
            return UnsafeBufferPointer(start: rest, count: count)
        }
    }

    /// Calls a function with the items of the decoded query, until it returns false.
    mutating func forEachItem(_ body: (UnsafeBufferPointer<UInt16>) -> Bool) {
        guard parts.path.upperBound < parts.query.lowerBound else { return }
        if decoded != .query {
            count = Self.decode(url, parts.query, into: rest)
            decoded = .query
            let hasItems = UnsafeBufferPointer(start: rest, count: count).contains(UInt16(UInt8(ascii: "&")))
            separator = UInt16(hasItems ? UInt8(ascii: "&") : UInt8(ascii: ";"))
        }
        var start = 0
        while start <= count {
            var end = start
            while end < count, rest[end] != separator { end += 1 }
            guard body(UnsafeBufferPointer(start: rest + start, count: end - start)) else { return }
            start = end + 1
        }
    }

    /// Decodes a part of a URL; returns the number of units.
    private static func decode(
        _ url: UnsafeRawBufferPointer, _ part: Range<Int>, into text: UnsafeMutablePointer<UInt16>
    ) -> Int {
        var count = 0
        for offset in part {
            let byte = url[offset]
            if byte >= 0x80 || byte == UInt8(ascii: "%") { return decodeEscapes(url, part, into: text) }
            text[count] = UInt16(byte)
            count += 1
        }
        return count
    }

    private static func decodeEscapes(
        _ url: UnsafeRawBufferPointer, _ part: Range<Int>, into text: UnsafeMutablePointer<UInt16>
    ) -> Int {
        var count = 0
        let bytes = DecodedBytes(url: url, offset: part.lowerBound, end: part.upperBound)
        _ = transcode(bytes, from: UTF8.self, to: UTF16.self, stoppingOnError: false) { unit in
            text[count] = unit
            count += 1
        }
        return count
    }
}

/// The bytes of a part of a URL, its escapes decoded.
private struct DecodedBytes: IteratorProtocol {
    let url: UnsafeRawBufferPointer
    var offset: Int
    let end: Int

    mutating func next() -> UInt8? {
        guard offset < end else { return nil }
        let byte = url[offset]
        if byte == UInt8(ascii: "%"), offset + 2 < end,
            let decoded = OpenDecisions.decodedEscape(url[offset + 1], url[offset + 2])
        {
            offset += 3
            return decoded
        }
        offset += 1
        return byte
    }
}
