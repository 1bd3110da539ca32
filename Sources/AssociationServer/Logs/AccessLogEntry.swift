package import HTTP1
package import ProxySupport

/// What the access log records about one request.
///
/// It points into memory of others, which has to stay until `AccessLogBuffer.append` has returned.
package struct AccessLogEntry: BitwiseCopyable {
    package enum TLS: UInt8, Sendable, BitwiseCopyable {
        /// A request without TLS.
        case none
        case version12, version13
    }

    /// Bytes that somebody sent, in whatever encoding.
    package struct Text: BitwiseCopyable {
        let start: UnsafePointer<UInt8>?
        let count: Int

        /// Nothing was sent, or it could not be read.
        package static var absent: Text { Text(start: nil, count: 0) }

        package init(_ bytes: UnsafeBufferPointer<UInt8>) {
            self.init(start: bytes.baseAddress, count: bytes.count)
        }

        /// A slice of the bytes of a request; `Slice.empty` if there is none.
        @inline(__always)
        package init(_ slice: RequestHead.Slice, in bytes: UnsafeBufferPointer<UInt8>) {
            guard slice.start > 0 || slice.count > 0, let start = bytes.baseAddress,
                Int(slice.start) &+ Int(slice.count) <= bytes.count
            else {
                self = .absent
                return
            }
            self.init(start: start + Int(slice.start), count: Int(slice.count))
        }

        private init(start: UnsafePointer<UInt8>?, count: Int) {
            self.start = start
            self.count = count
        }
    }

    /// Milliseconds since 1970, UTC.
    package var time: Int64
    /// The client's, as far as it is known; `nil` if all that is known is a Unix socket.
    package var address: IPAddress?
    /// The socket's peer; `nil` on a Unix socket.
    package var peer: IPAddress?
    /// The domain as the site is called, so `*.example.com` for a wildcard.
    package var site = Text.absent
    /// The host asked for, which explains a 421 or a 404.
    package var host = Text.absent
    package var method = Text.absent
    /// With its query.
    package var target = Text.absent
    /// Of HTTP/1.
    package var minorVersion: UInt8 = 1
    package var status: UInt16
    /// Those of the body.
    package var bytes: Int
    /// From the request to its answer.
    package var microseconds: Int64
    package var tls: TLS
    package var isResumed: Bool
    package var userAgent = Text.absent

    package init(
        time: Int64, address: IPAddress?, peer: IPAddress?, status: UInt16, bytes: Int, microseconds: Int64, tls: TLS,
        isResumed: Bool
    ) {
        self.time = time
        self.address = address
        self.peer = peer
        self.status = status
        self.bytes = bytes
        self.microseconds = microseconds
        self.tls = tls
        self.isResumed = isResumed
    }
}
