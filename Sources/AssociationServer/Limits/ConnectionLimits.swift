internal import EventLoops
internal import SystemSupport

/// Counts open connections, overall and for each address, over all loops.
///
/// The lock is taken when a connection begins and ends, never for a request.
final class ConnectionLimits: Sendable {
    private struct Counts {
        var total = 0
        var perAddress: [PeerKey: Int] = [:]
    }

    private let counts = Locked(Counts())

    /// Counts a connection in, unless it would be one too many. Each one that was admitted is released once.
    ///
    /// The limits may be others than before: those that are open stay.
    ///
    /// - Parameters:
    ///   - connections: that may be open; 0 is no limit.
    ///   - perAddress: that may be open from one address; 0 is no limit.
    /// - Returns: why it was not admitted; `nil` if it was.
    func admit(_ peer: PeerKey, connections: Int, perAddress: Int) -> ConnectionRefusal? {
        counts.withLock { counts in
            if connections > 0, counts.total >= connections { return .connections }
            let open = counts.perAddress[peer, default: 0]
            if perAddress > 0, open >= perAddress { return .perAddress }
            counts.perAddress[peer] = open + 1
            counts.total += 1
            return nil
        }
    }

    func release(_ peer: PeerKey) {
        counts.withLock { counts in
            counts.total -= 1
            guard let open = counts.perAddress[peer] else { return }
            counts.perAddress[peer] = open > 1 ? open - 1 : nil
        }
    }
}
