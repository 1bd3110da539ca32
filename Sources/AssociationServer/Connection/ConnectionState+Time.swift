internal import HTTP1

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
    /// When the phase is over.
    package func deadline(_ timeouts: ConnectionTimeouts) -> Int64 {
        switch phase {
        case .proxyHeader: since &+ timeouts.proxyHeader
        case .sniffing, .handshake: since &+ timeouts.handshake
        case .head: since &+ timeouts.header
        case .idle: since &+ timeouts.idle
        case .sending: since &+ timeouts.write
        case .lingering: since &+ Self.lingerMilliseconds
        case .closed: .max
        }
    }

    /// A time may be over.
    package func timerFired(at now: Int64, _ timeouts: ConnectionTimeouts) -> Action {
        if now < deadline(timeouts) { return .wait }
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
    package func drain(at now: Int64, hasPartialHead: Bool) -> Action {
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
