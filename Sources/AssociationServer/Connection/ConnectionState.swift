package import HTTP1

/// Where a connection stands, as a pure state machine: it knows no socket and no TLS library, and time comes in from
/// outside (milliseconds on a clock that never goes back).
package struct ConnectionState: BitwiseCopyable, Equatable {
    package enum Phase: UInt8, BitwiseCopyable {
        /// From accept to the end of the TLS handshake.
        case handshake
        /// A request is due or has begun.
        case head
        /// Nothing is due: between two requests.
        case idle
        /// An answer waits for the peer to take it.
        case sending
        /// All is said; what the peer still sends is thrown away, so that no reset overtakes the last answer.
        case lingering
        case closed
    }

    /// What the first bytes of a connection look like.
    package enum Greeting {
        case tls
        /// HTTP in clear on the TLS port.
        case http
        case other
    }

    /// What to do with the bytes that were received.
    package enum Step {
        case answer(RequestHead)
        /// Answer with this status, and close.
        case refuse(Status)
        /// More bytes are needed.
        case wait
    }

    package enum Expiry: Equatable {
        /// Not yet; ask again at this time.
        case notBefore(Int64)
        /// Answer 408, and close.
        case requestTimeout
        case close
    }

    /// The lengths of the phases in milliseconds.
    package struct Timeouts: BitwiseCopyable {
        package let handshake: Int64
        package let header: Int64
        package let idle: Int64
        package let write: Int64

        package init(_ timeouts: ServerConfiguration.Timeouts) {
            handshake = Self.milliseconds(timeouts.handshake)
            header = Self.milliseconds(timeouts.header)
            idle = Self.milliseconds(timeouts.idle)
            write = Self.milliseconds(timeouts.write)
        }

        /// One at least: a phase without any time would be over before it begins.
        private static func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000).rounded(.up)) }
    }

    /// At most so much is thrown away after the last answer: bytes, milliseconds.
    package static let lingerBytes = 65_536
    package static let lingerMilliseconds: Int64 = 2_000

    package private(set) var phase = Phase.handshake
    /// When the phase began; for `sending`, when the peer last took something.
    package private(set) var since: Int64
    /// No answer will follow the one that is being sent.
    package private(set) var isLastAnswer = false
    private var discarded = 0
    package private(set) var requests = 0

    package init(acceptedAt now: Int64) { since = now }

    /// A TLS record of a handshake begins with 22; a method of HTTP with a letter.
    package static func greeting(_ firstByte: UInt8) -> Greeting {
        switch firstByte {
        case 22: .tls
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): .http
        default: .other
        }
    }

    /// The first request is due from now on.
    package mutating func handshakeEnded(at now: Int64) {
        phase = .head
        since = now
    }

    /// Judges the bytes that were received and not yet answered.
    package func next(_ bytes: Span<UInt8>) -> Step {
        if bytes.isEmpty { return .wait }
        switch RequestParser.parse(bytes) {
        case .request(let head): return .answer(head)
        case .refused(let status): return .refuse(status)
        case .incomplete: return .wait
        }
    }

    /// An answer was given; `isLast` if it says that the connection closes.
    package mutating func answered(isLast: Bool) {
        requests &+= 1
        isLastAnswer = isLast
        phase = .sending
    }

    /// The peer asks nothing more.
    package mutating func peerEnded() { isLastAnswer = true }

    /// All that can be done for now is done, and everything is sent.
    ///
    /// - Parameter hasPartialHead: whether bytes of a request are left.
    package mutating func settled(hasPartialHead: Bool, at now: Int64) {
        switch phase {
        case .sending:
            phase = hasPartialHead ? .head : .idle
            since = now
        // Bytes that are no part of a request do not keep an idle connection open.
        case .idle where hasPartialHead:
            phase = .head
            since = now
        case .idle, .head, .handshake, .lingering, .closed: break
        }
    }

    /// The peer does not take what is sent to it. Only for an answer a new time begins: what TLS itself has to say renews
    /// none.
    package mutating func parked(at now: Int64) {
        if phase == .sending { since = now }
    }

    /// The peer took something of what was parked.
    package mutating func progressed(at now: Int64) {
        if phase == .sending { since = now }
    }

    /// The last answer is sent.
    package mutating func linger(from now: Int64) {
        phase = .lingering
        since = now
    }

    /// Bytes came while lingering; `false` when it has been enough.
    package mutating func discard(_ count: Int) -> Bool {
        discarded += count
        return discarded <= Self.lingerBytes
    }

    package mutating func close() { phase = .closed }

    /// When the phase is over.
    package func deadline(_ timeouts: Timeouts) -> Int64 {
        switch phase {
        case .handshake: since &+ timeouts.handshake
        case .head: since &+ timeouts.header
        case .idle: since &+ timeouts.idle
        case .sending: since &+ timeouts.write
        case .lingering: since &+ Self.lingerMilliseconds
        case .closed: .max
        }
    }

    package func expiry(at now: Int64, _ timeouts: Timeouts) -> Expiry {
        let deadline = deadline(timeouts)
        if now < deadline { return .notBefore(deadline) }
        return phase == .head ? .requestTimeout : .close
    }

    /// Whether nothing is lost when the connection is closed because the server stops.
    ///
    /// A client that has only just come, or shaken hands, is about to ask; it gets a second to do so.
    package func mayCloseForDrain(at now: Int64, hasPartialHead: Bool) -> Bool {
        switch phase {
        case .idle: !hasPartialHead
        case .handshake: now &- since >= 1_000
        case .head: !hasPartialHead && now &- since >= 1_000
        case .sending, .lingering, .closed: false
        }
    }
}
