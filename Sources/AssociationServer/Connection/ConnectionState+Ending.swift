internal import HTTP1
package import OpenSSL

/// The lengths of the phases of a connection in milliseconds.
package struct ConnectionTimeouts: BitwiseCopyable, Sendable {
    package let proxyHeader: Int64
    package let handshake: Int64
    package let header: Int64
    package let idle: Int64
    package let write: Int64

    package init(_ timeouts: ServerConfiguration.Timeouts) {
        proxyHeader = Self.milliseconds(timeouts.proxyHeader)
        handshake = Self.milliseconds(timeouts.handshake)
        header = Self.milliseconds(timeouts.header)
        idle = Self.milliseconds(timeouts.idle)
        write = Self.milliseconds(timeouts.write)
    }

    /// One at least: a phase without any time would be over before it begins.
    private static func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000).rounded(.up)) }
}

// The one time of a connection that runs, and the end of the server.
extension ConnectionState {
    /// When the phase is over, or something else is due.
    package func deadline(_ timeouts: ConnectionTimeouts) -> Int64 {
        switch phase {
        case .proxyHeader: since &+ timeouts.proxyHeader
        case .sniffing, .handshake: since &+ timeouts.handshake
        case .head: min(since &+ timeouts.header, refusesStreamsAt)
        case .idle: min(since &+ timeouts.idle, refusesStreamsAt)
        case .sending: min(since &+ timeouts.write, refusesStreamsAt)
        case .lingering: since &+ Self.lingerMilliseconds
        case .closed: .max
        }
    }

    /// A time may be over.
    package mutating func timerFired(at now: Int64, _ timeouts: ConnectionTimeouts) -> Action {
        if now < deadline(timeouts) { return .wait }
        if hasStreams, isOpen, !isParked || now >= refusesStreamsAt { return streamsTimerFired(at: now) }
        return switch phase {
        case .proxyHeader: .close(.proxyHeader)
        case .sniffing, .handshake: .close(.timeout(.handshake))
        // Where something is parked nothing can follow.
        case .head: isParked ? .close(.timeout(.header)) : .refuse(.requestTimeout)
        case .idle: .close(.timeout(.idle))
        case .sending: .close(.timeout(.write))
        case .lingering, .closed: .close(.timeout(nil))
        }
    }

    /// The server stops: the connection is closed if nothing is lost with it.
    ///
    /// A client that has only just connected, or completed its handshake, is about to ask; it gets a second to do so.
    ///
    /// - Parameter hasPartialHead: whether bytes of a request have come.
    package mutating func drain(at now: Int64, hasPartialHead: Bool) -> Action {
        if hasStreams, isOpen { return announceEnd(at: now) ?? .ignore }
        let mayClose =
            switch phase {
            case .proxyHeader, .sniffing, .handshake: now &- since >= 1_000
            case .head: !hasPartialHead && now &- since >= 1_000
            case .idle: !hasPartialHead
            case .sending, .lingering, .closed: false
            }
        guard mayClose else { return .ignore }
        return isParked ? .close(.failed) : .send(closeNotify: true, then: .abort)
    }
}

/// Why a connection is closed.
package enum CloseReason: Equatable, BitwiseCopyable {
    /// Everything is sent, or the peer has left.
    case finished
    /// The socket, TLS or the handshake has failed, or the server stops.
    case failed
    /// `nil`: while lingering.
    case timeout(TimeoutPhase?)
    /// Its time to drain is over.
    case forced
    /// The first bytes are not a PROXY header, or its time is over.
    case proxyHeader
    /// A limit is reached.
    case refused(ConnectionRefusal)
    /// The first byte is neither of TLS nor of HTTP.
    case notTLS
}

extension ConnectionState {
    /// The consequences of closing a connection for its peer and for the metrics.
    package struct Closing: Equatable {
        /// Whether the peer gets a reset.
        package var resets = false
        /// Why its handshake has failed, if that had not ended.
        package var failure: HandshakeFailure?
        /// Why it was refused, if that is the reason.
        package var refusal: ConnectionRefusal?
    }

    package mutating func close(_ reason: CloseReason) -> Closing {
        defer { phase = .closed }
        let isHandshake: Bool
        switch phase {
        case .proxyHeader: return closeBeforeHeader(reason)
        case .sniffing, .handshake: isHandshake = true
        case .head, .idle, .sending, .lingering, .closed: isHandshake = false
        }
        switch reason {
        case .timeout: return Closing(resets: isParked, failure: isHandshake ? .timeout : nil)
        // What was sent to a peer that does not take it would stay in the system, and nobody would count it.
        case .forced: return Closing(resets: isParked, failure: isHandshake ? failure : nil)
        case .finished, .failed, .proxyHeader, .notTLS: return Closing(failure: isHandshake ? failure : nil)
        case .refused(let refusal): return Closing(resets: isParked, refusal: refusal)
        }
    }

    /// Whoever connects and leaves without a byte only wanted to know whether somebody listens.
    private func closeBeforeHeader(_ reason: CloseReason) -> Closing {
        switch reason {
        case .refused(let refusal): Closing(refusal: refusal)
        case .proxyHeader, .timeout: Closing(refusal: .proxyHeader)
        case .finished, .failed, .notTLS: Closing(refusal: hasBegun ? .proxyHeader : nil)
        case .forced: Closing()
        }
    }
}
