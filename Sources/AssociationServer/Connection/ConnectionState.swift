package import HTTP1
internal import OpenSSL
package import ProxySupport

/// Both machines of a connection, and what depends on the two: the one time that runs, and the end of the server.
package struct ConnectionState: BitwiseCopyable, Equatable {
    /// What to do when a time may be over.
    package enum Expiry: Equatable {
        /// It is not; ask again at this time.
        case wait(until: Int64)
        /// Answer with this status, and close.
        case refuse(Status)
        case close(CloseReason)
    }

    package var transport: TransportState
    package var http: HTTPConnection

    package init(_ kind: TransportState.Kind, expectsProxyHeader: Bool = false, acceptedAt now: Int64) {
        transport = TransportState(kind, expectsProxyHeader: expectsProxyHeader, acceptedAt: now)
        http = HTTPConnection(openedAt: now)
    }

    /// What was received so far has been read as a PROXY header; everything else is due from its end.
    ///
    /// - Parameter next: see `TransportState.proxyHeaderRead`.
    package mutating func proxyHeaderRead(
        _ reading: ProxyHeader.Reading, next: UInt8?, at now: Int64
    ) -> TransportState.Action {
        if case .header = reading { http = HTTPConnection(openedAt: now) }
        return transport.proxyHeaderRead(reading, next: next, at: now)
    }

    /// The handshake has got on; the first request is due from its end.
    package mutating func handshakeProgressed(_ progress: Transport.Progress, at now: Int64) -> TransportState.Action {
        if case .done = progress { http = HTTPConnection(openedAt: now) }
        return transport.handshakeProgressed(progress)
    }

    /// The handshake is done, and no request is read after it.
    package mutating func handshakeSufficed(at now: Int64) -> TransportState.Action {
        http = HTTPConnection(openedAt: now)
        http.inputEnded()
        return transport.handshakeSufficed()
    }

    /// The peer's stream has ended, without `close_notify` before it.
    package mutating func endOfStream() -> TransportState.Action {
        http.inputEnded()
        return transport.endOfStream()
    }

    /// The peer has sent `close_notify`.
    package mutating func peerClosed() -> TransportState.Action {
        http.inputEnded()
        return transport.peerClosed()
    }

    /// Whether it is open and nothing is due.
    package var isIdle: Bool { if transport.isOpen, case .idle = http.phase { true } else { false } }

    /// When the phase began that it is in.
    package var since: Int64 { transport.isOpen ? http.since : transport.since }

    /// When the phase is over.
    package func deadline(_ timeouts: ConnectionTimeouts) -> Int64 {
        switch transport.phase {
        case .proxyHeader: transport.since &+ timeouts.proxyHeader
        case .sniffing, .handshake: transport.since &+ timeouts.handshake
        case .open: http.deadline(timeouts)
        case .lingering: transport.since &+ TransportState.lingerMilliseconds
        case .closed: .max
        }
    }

    package func expiry(at now: Int64, _ timeouts: ConnectionTimeouts) -> Expiry {
        let deadline = deadline(timeouts)
        if now < deadline { return .wait(until: deadline) }
        switch transport.phase {
        case .proxyHeader: return .close(.proxyHeader)
        case .sniffing, .handshake: return .close(.timeout(.handshake))
        case .lingering, .closed: return .close(.timeout(nil))
        case .open: break
        }
        switch http.phase {
        // Where something is parked nothing can follow.
        case .head: return transport.isParked ? .close(.timeout(.header)) : .refuse(.requestTimeout)
        case .idle: return .close(.timeout(.idle))
        case .sending: return .close(.timeout(.write))
        }
    }

    /// Whether nothing is lost when the connection is closed because the server stops.
    ///
    /// A client that has only just connected, or completed its handshake, is about to ask; it gets a second to do so.
    package func mayCloseForDrain(at now: Int64, hasPartialHead: Bool) -> Bool {
        switch transport.phase {
        case .proxyHeader, .sniffing, .handshake: return now &- transport.since >= 1_000
        case .lingering, .closed: return false
        case .open: break
        }
        switch http.phase {
        case .idle: return !hasPartialHead
        case .head: return !hasPartialHead && now &- http.since >= 1_000
        case .sending: return false
        }
    }
}

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
