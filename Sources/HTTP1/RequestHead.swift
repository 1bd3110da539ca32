/// The parts of a request line and its fields that a server needs (RFC 9112, sections 3 and 5).
///
/// It holds no text: a `Slice` points into the bytes that were parsed.
package struct RequestHead: Equatable, Sendable, BitwiseCopyable {
    package enum Method: UInt8, Sendable, BitwiseCopyable {
        case get, head
        /// Any other method token.
        case other
    }

    package enum Target: UInt8, Sendable, BitwiseCopyable {
        /// `/path?query`
        case origin
        /// `https://host/path?query`
        case absolute
        /// `http://host/path?query`
        case absoluteInClear
        /// `*`, `host:port`, another scheme, or an authority that is none.
        case unsupported
    }

    package enum Persistence: UInt8, Sendable, BitwiseCopyable {
        /// HTTP/1.1 without `Connection: close`.
        case byDefault
        /// HTTP/1.0 with `Connection: keep-alive`, which has to be confirmed.
        case asked
        /// `Connection: close`, or HTTP/1.0 without a word.
        case no
    }

    /// A run of bytes in the head.
    package struct Slice: Equatable, Sendable, BitwiseCopyable {
        package let start: UInt16
        package let count: UInt16

        package static let empty = Slice(start: 0, count: 0)

        package init(start: UInt16, count: UInt16) {
            self.start = start
            self.count = count
        }

        init(_ range: Range<Int>) {
            self.init(
                start: UInt16(truncatingIfNeeded: range.lowerBound), count: UInt16(truncatingIfNeeded: range.count))
        }

        @inlinable package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    package internal(set) var method = Method.other
    package internal(set) var target = Target.unsupported
    package internal(set) var persistence = Persistence.byDefault
    /// A `Content-Length` above 0, or a `Transfer-Encoding`: bytes follow that are not a request.
    package internal(set) var announcesBody = false
    /// An `Expect` other than `100-continue`.
    package internal(set) var hasUnknownExpectation = false
    /// One of `If-Match`, `If-None-Match`, `If-Modified-Since`, `If-Unmodified-Since` is there.
    package internal(set) var hasConditions = false
    /// The line is, byte by byte, a GET of `/.well-known/apple-app-site-association` in HTTP/1.1.
    package internal(set) var isExpectedLine = false
    /// HTTP/1.0, and not 1.1 or what counts as that.
    package internal(set) var isVersion10 = false
    /// An `Aasa-Doctor` field is there, with which `aasa doctor` marks its requests.
    package internal(set) var isFromDoctor = false
    /// The path of the target, without its query.
    package internal(set) var path = Slice.empty
    /// The host asked for, without port and without one trailing dot; empty only in HTTP/1.0 without `Host`.
    package internal(set) var host = Slice.empty
    /// The value of the last `User-Agent`.
    package internal(set) var userAgent = Slice.empty
    /// Where the first field line begins.
    package internal(set) var fields: UInt16 = 0
    /// The length of the head in bytes, the empty line included.
    package internal(set) var count: UInt16 = 0
}

extension RequestHead {
    /// The method and the target as they were sent, query included; for those who write them down.
    ///
    /// - Parameter bytes: those that the head was read from.
    package static func requestLine(in bytes: Span<UInt8>) -> (method: Slice, target: Slice) {
        var start = 0
        // One empty line may come before it.
        if bytes.count >= 2, bytes[0] == Characters.carriageReturn { start = 2 }
        let method = start..<word(in: bytes, from: start)
        let targetStart = min(method.upperBound + 1, bytes.count)
        return (Slice(method), Slice(targetStart..<word(in: bytes, from: targetStart)))
    }

    /// The query without its question mark; `nil` if there is none.
    package func query(in bytes: Span<UInt8>) -> Slice? {
        let end = path.range.upperBound
        guard path.count > 0, end < bytes.count, bytes[end] == UInt8(ascii: "?") else { return nil }
        return Slice(end + 1..<Self.word(in: bytes, from: end + 1))
    }

    /// The path and the query as they were sent, of a target that has them; the path is empty in `http://host?query`.
    ///
    /// - Parameter bytes: those that the head was read from.
    package func pathAndQuery(in bytes: Span<UInt8>) -> Slice {
        let start = path.range.lowerBound
        return Slice(start..<max(start, Self.word(in: bytes, from: start)))
    }

    /// Finds the values of all fields of a name, in their order; for those that few requests are asked for, which the
    /// parser does not look at.
    ///
    /// - Parameters:
    ///   - name: in lower case.
    ///   - bytes: those that the head was read from.
    ///   - output: has room for `RequestParser.maxFields` ranges.
    package func values(
        of name: StaticString, in bytes: Span<UInt8>, to output: UnsafeMutablePointer<Range<Int>>
    ) -> UnsafeBufferPointer<Range<Int>> {
        var found = 0
        var index = Int(fields)
        while found < RequestParser.maxFields, case .line(let line) = FieldLine.read(bytes, at: index) {
            if bytes.matches(name, in: line.name) {
                (output + found).initialize(to: line.value)
                found &+= 1
            }
            index = line.end
        }
        return UnsafeBufferPointer(start: output, count: found)
    }

    private static func word(in bytes: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != Characters.space, bytes[end] != Characters.carriageReturn { end &+= 1 }
        return end
    }
}

/// One `name: value` line (RFC 9112, section 5), as ranges of the bytes that it is in.
struct FieldLine {
    var name: Range<Int>
    /// The value, without the white space around it.
    var value: Range<Int>
    /// The index after the line's CRLF.
    var end: Int

    enum Reading {
        case line(FieldLine)
        /// The empty line that ends a head; the index after it.
        case endOfHead(Int)
        case incomplete
        /// Not a field line: a bare CR or LF, white space where none may be, a name that is not a token,
        /// a control character.
        case malformed
    }

    @inline(__always)
    static func read(_ bytes: Span<UInt8>, at start: Int) -> Reading {
        guard start < bytes.count else { return .incomplete }
        if bytes[start] == Characters.carriageReturn {
            guard start &+ 1 < bytes.count else { return .incomplete }
            return bytes[start &+ 1] == Characters.lineFeed ? .endOfHead(start &+ 2) : .malformed
        }
        var colon = start
        while colon < bytes.count, Characters.isToken(bytes[colon]) { colon &+= 1 }
        guard colon < bytes.count else { return .incomplete }
        guard bytes[colon] == Characters.colon, colon > start else { return .malformed }
        let end = Characters.endOfValue(in: bytes.bytes, from: colon &+ 1)
        guard end &+ 1 < bytes.count else {
            return end == bytes.count || bytes[end] == Characters.carriageReturn ? .incomplete : .malformed
        }
        guard bytes[end] == Characters.carriageReturn, bytes[end &+ 1] == Characters.lineFeed else { return .malformed }
        return .line(FieldLine(name: start..<colon, value: bytes.trimmed(colon &+ 1..<end), end: end &+ 2))
    }
}

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
