internal import EventLoops
internal import Locking

/// Counts open connections, overall and for each address, over all loops.
///
/// The lock is taken when a connection begins and ends, never for a request.
final class ConnectionLimits: Sendable {
    private struct Counts {
        var total = 0
        var perAddress: [PeerKey: Int] = [:]
    }

    /// 0 is no limit.
    private let connections: Int
    /// 0 is no limit, and then nothing is kept for an address.
    private let perAddress: Int
    private let counts = Locked(Counts())

    init(connections: Int, perAddress: Int) {
        self.connections = connections
        self.perAddress = perAddress
    }

    /// Counts a connection in, unless it would be one too many. Each one that was admitted is released once.
    func admit(_ peer: PeerKey) -> Bool {
        counts.withLock { counts in
            if connections > 0, counts.total >= connections { return false }
            if perAddress > 0 {
                let open = counts.perAddress[peer, default: 0]
                guard open < perAddress else { return false }
                counts.perAddress[peer] = open + 1
            }
            counts.total += 1
            return true
        }
    }

    func release(_ peer: PeerKey) {
        counts.withLock { counts in
            counts.total -= 1
            guard perAddress > 0, let open = counts.perAddress[peer] else { return }
            counts.perAddress[peer] = open > 1 ? open - 1 : nil
        }
    }
}
