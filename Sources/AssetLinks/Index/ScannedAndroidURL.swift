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
    ///   - path: Memory for as many units as the path has bytes, and `reserve` more.
    ///   - rest: The same for the query or the fragment, whichever is longer.
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
            UnsafeMutableRawPointer(path + count).storeBytes(of: 0, as: UInt64.self)
        }
        self.path = UnsafeBufferPointer(start: path, count: count)
    }

    /// Room for the slash of an empty path, and for what is written behind a text: texts are written and read by words.
    static let reserve = 1 + 8

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
        guard let base = url.baseAddress else { return 0 }
        let start = base + part.lowerBound
        let length = part.count
        var count = 0
        while count &+ 8 <= length {
            let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: count, as: UInt64.self))
            guard isPlain(word) else { return decodeEscapes(url, part, into: text) }
            store(word, at: text + count)
            count &+= 8
        }
        // Before a part there are more than eight bytes of the URL, so that the last ones can be read with those before.
        // What is written as a word is read as one without delay.
        let left = length &- count
        let last = UInt64(littleEndian: (start + length - 8).loadUnaligned(as: UInt64.self))
        let word = left == 0 ? 0 : last &>> UInt64(8 &* (8 &- left))
        guard isPlain(word) else { return decodeEscapes(url, part, into: text) }
        store(word, at: text + count)
        return length
    }

    /// Whether no byte is beyond ASCII or a `%`; a byte behind a `%` may be taken for one, too.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let percents = word ^ 0x2525_2525_2525_2525
        return (word | (percents &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0
    }

    /// Writes eight bytes as units.
    @inline(__always)
    private static func store(_ word: UInt64, at text: UnsafeMutablePointer<UInt16>) {
        let target = UnsafeMutableRawPointer(text)
        target.storeBytes(of: widened(word).littleEndian, as: UInt64.self)
        target.storeBytes(of: widened(word &>> 32).littleEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// The lower four bytes as four units.
    @inline(__always)
    private static func widened(_ word: UInt64) -> UInt64 {
        let pairs = (word & 0xFFFF | (word &<< 16) & 0xFFFF_0000_0000) & 0x0000_FFFF_0000_FFFF
        return (pairs | pairs &<< 8) & 0x00FF_00FF_00FF_00FF
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
        UnsafeMutableRawPointer(text + count).storeBytes(of: 0, as: UInt64.self)
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
