/// What a server needs to know of a request line and its fields (RFC 9112, sections 3 and 5).
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
    /// The path of the target, without its query.
    package internal(set) var path = Slice.empty
    /// The host asked for, without port and without one trailing dot; empty only in HTTP/1.0 without `Host`.
    package internal(set) var host = Slice.empty
    /// Where the first field line begins.
    package internal(set) var fields: UInt16 = 0
    /// The length of the head in bytes, the empty line included.
    package internal(set) var count: UInt16 = 0
}
