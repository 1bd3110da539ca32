internal import EventLoops
internal import SystemSupport

/// Counts open connections, overall and for each address, over all loops.
///
/// The lock is taken when a connection begins and ends, never for a request.
final class ConnectionLimits: Sendable {
    private struct Counts {
        var total = 0
        var perAddress: [PeerKey: Int] = [:]

        mutating func admit(_ peer: PeerKey, _ limit: Int) -> Bool {
            let open = perAddress[peer, default: 0]
            if limit > 0, open >= limit { return false }
            perAddress[peer] = open + 1
            return true
        }
    }

    private let counts = Locked(Counts())

    /// Counts a connection in, unless it would be one too many. Each one that was admitted is released once.
    ///
    /// The limits may be others than before: those that are open stay.
    ///
    /// - Parameters:
    ///   - peer: `nil` for one that does not count for an address, or not yet.
    ///   - connections: that may be open; 0 is no limit.
    ///   - perAddress: that may be open from one address; 0 is no limit.
    /// - Returns: why it was not admitted; `nil` if it was.
    func admit(_ peer: PeerKey?, connections: Int, perAddress: Int) -> ConnectionRefusal? {
        counts.withLock { counts in
            if connections > 0, counts.total >= connections { return .connections }
            if let peer, !counts.admit(peer, perAddress) { return .perAddress }
            counts.total += 1
            return nil
        }
    }

    /// Counts a connection for an address that was admitted without one.
    ///
    /// - Returns: whether it is not one too many.
    func assign(_ peer: PeerKey, perAddress: Int) -> Bool { counts.withLock { $0.admit(peer, perAddress) } }

    /// - Parameter peer: what the connection counts under; `nil` if it does not.
    func release(_ peer: PeerKey?) {
        counts.withLock { counts in
            counts.total -= 1
            guard let peer, let open = counts.perAddress[peer] else { return }
            counts.perAddress[peer] = open > 1 ? open - 1 : nil
        }
    }
}
