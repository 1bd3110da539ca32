internal import Dispatch
internal import EventLoops
internal import Logging

/// Tells the log of connections that are refused: of each limit once in a while.
struct RefusalNotices: Sendable {
    private let logger: Logger
    /// Whoever refuses does not wait for the log.
    private let queue = DispatchQueue(label: "aasa.refusals")
    private let connections = RateLimit(milliseconds: 10_000)
    private let perAddress = RateLimit(milliseconds: 10_000)

    init(logger: Logger) { self.logger = logger }

    /// - Parameter limit: as many are open.
    func tell(_ refusal: ConnectionRefusal, of peer: PeerAddress, limit: Int) {
        switch refusal {
        case .connections where connections.isDue():
            tell(peer, "\(limit) are open ('limits.connections')")
        case .perAddress where perAddress.isDue():
            let place = peer.isIPv6 ? "its /64" : "there"
            tell(peer, "\(limit) are open from \(place) ('limits.perAddress')")
        // It is told of with its error.
        case .connections, .perAddress, .exhausted: return
        }
    }

    private func tell(_ peer: PeerAddress, _ reason: String) {
        queue.async { [logger] in
            logger.warning("connections are refused, such as one from \(peer): \(reason)")
        }
    }
}
