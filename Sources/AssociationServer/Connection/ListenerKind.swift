package import EventLoops

/// What the connections of a listener are.
package enum ListenerKind: Hashable, Sendable, BitwiseCopyable {
    /// TLS, in which HTTP/1.1 is spoken.
    /// - Parameter proxyProtocol: Whether each connection has to begin with a PROXY header.
    case https(proxyProtocol: Bool)
    /// HTTP/1.1 as it is, from a proxy that terminates TLS.
    /// - Parameters:
    ///   - proxyProtocol: Whether each connection has to begin with a PROXY header.
    ///   - health: Whether `/healthz` and `/readyz` are answered, for load balancers.
    case plain(proxyProtocol: Bool, health: Bool)

    package var expectsProxyHeader: Bool {
        switch self {
        case .https(let proxyProtocol), .plain(let proxyProtocol, _): proxyProtocol
        }
    }

    /// Whether `/healthz` and `/readyz` are answered.
    package var answersHealth: Bool {
        switch self {
        case .https: false
        case .plain(_, let health): health
        }
    }

    /// Whether HTTP is spoken without TLS.
    package var isPlain: Bool {
        switch self {
        case .https: false
        case .plain: true
        }
    }
}

/// A listening socket, and what its connections are.
package struct ServingListener: Sendable {
    package let listener: Listener
    package let kind: ListenerKind

    package init(_ listener: Listener, _ kind: ListenerKind) {
        self.listener = listener
        self.kind = kind
    }
}
