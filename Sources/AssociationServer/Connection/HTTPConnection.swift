package import HTTP1

/// The protocol's side of a connection as a pure state machine: HTTP/1.1 (RFC 9112).
///
/// The second of the two seams of a connection. It knows neither socket nor TLS, and time comes in from outside
/// (milliseconds on a clock that never goes back).
package struct HTTPConnection: BitwiseCopyable, Equatable {
    package enum Phase: UInt8, BitwiseCopyable {
        /// A request is due or has begun.
        case head
        /// Nothing is due: between two requests.
        case idle
        /// An answer waits for the peer to take it.
        case sending
    }

    /// What to do with the bytes that were received.
    package enum Action {
        case respond(RequestHead)
        /// Answer with this status, and close.
        case refuse(Status)
        /// More bytes are needed.
        case read
    }

    package private(set) var phase = Phase.head
    /// When the phase began; for `sending`, when the peer last took something.
    package private(set) var since: Int64
    /// No answer will follow the one that is being sent.
    package private(set) var isLastAnswer = false
    package private(set) var requests = 0

    /// The first request is due from now on.
    package init(openedAt now: Int64) { since = now }

    /// Judges the bytes that were received and not yet answered.
    package func next(_ bytes: Span<UInt8>) -> Action {
        if bytes.isEmpty { return .read }
        switch RequestParser.parse(bytes) {
        case .request(let head): return .respond(head)
        case .refused(let status): return .refuse(status)
        case .incomplete: return .read
        }
    }

    /// Whether the next answer has to be the last one.
    ///
    /// - Parameter limit: on the requests of a connection; 0 is none.
    package func mustClose(limit: Int, isDraining: Bool) -> Bool {
        isDraining || limit > 0 && requests &+ 1 >= limit
    }

    /// An answer was written; `isLast` if it says that the connection closes.
    package mutating func answered(isLast: Bool) {
        requests &+= 1
        isLastAnswer = isLast
        phase = .sending
    }

    /// The peer asks nothing more.
    package mutating func inputEnded() { isLastAnswer = true }

    /// What could be read is read and answered, and everything is sent.
    ///
    /// - Parameter hasPartialHead: whether bytes of a request are left.
    package mutating func finishRead(hasPartialHead: Bool, at now: Int64) {
        switch phase {
        case .sending:
            phase = hasPartialHead ? .head : .idle
            since = now
        // Bytes that are not part of a request do not keep an idle connection open.
        case .idle where hasPartialHead:
            phase = .head
            since = now
        case .idle, .head: break
        }
    }

    /// The peer has to take an answer, or has taken a part of it. Output of the transport itself renews no time.
    package mutating func progressed(at now: Int64) {
        if case .sending = phase { since = now }
    }

    /// When the phase is over.
    package func deadline(_ timeouts: ConnectionTimeouts) -> Int64 {
        switch phase {
        case .head: since &+ timeouts.header
        case .idle: since &+ timeouts.idle
        case .sending: since &+ timeouts.write
        }
    }
}
