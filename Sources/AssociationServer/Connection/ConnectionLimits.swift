internal import BoundedText
internal import Diagnostics
internal import Dispatch
package import DomainNames
internal import EventLoops
package import Logging
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

/// Logs the server names that are refused because no certificate covers them: each once a minute.
package final class RefusedNameLog: Sendable {
    /// The most names that are remembered, and logged in a minute.
    package static let most = 64
    package static let milliseconds: Int64 = 60_000

    private struct State {
        /// When each name was logged.
        var logged: [String: Int64] = [:]
        var nextSummary: Int64 = 0
    }

    private let logger: Logger
    /// The loop does not wait for the log.
    private let queue = DispatchQueue(label: "aasa.names")
    private let state = Locked(State())

    package init(logger: Logger) { self.logger = logger }

    /// - Parameters:
    ///   - name: as it was sent; empty if there was none.
    ///   - now: milliseconds on a clock that never goes back.
    func report(_ name: [UInt8], from address: IPAddress?, now: Int64) {
        queue.async { [self] in
            if let message = message(String(text: name), address, now) { logger.info("\(message)") }
        }
    }

    package func message(_ name: String, _ address: IPAddress?, _ now: Int64) -> String? {
        state.withLock { state in
            state.logged = state.logged.filter { now - $0.value < Self.milliseconds }
            guard state.logged[name] == nil else { return nil }
            guard state.logged.count < Self.most else {
                guard now >= state.nextSummary else { return nil }
                state.nextSummary = now + Self.milliseconds
                return "more than \(Self.most) unknown server names were refused within a minute; others are not logged"
            }
            state.logged[name] = now
            let client = address.peerText
            guard !name.isEmpty else {
                return
                    "refused a client without a server name (\(client)); 'defaultSite' gives such clients a certificate"
            }
            return
                "refused the unknown server name \(quoted(name, limit: 255)) (\(client)): no certificate covers it"
        }
    }
}

/// Lets a name through once a minute, without a lock or an allocation: one loop's view of what it has refused.
package struct RefusedNameFilter {
    private static let count = 64

    /// The hash of a name and when it was let through, by a part of the hash.
    private var slots = [(hash: UInt64, at: Int64)](repeating: (0, .min / 2), count: RefusedNameFilter.count)
    private var begin = Int64.min / 2
    private var passed = 0

    package init() {}

    /// - Parameter now: milliseconds on a clock that never goes back.
    package mutating func passes(_ hash: UInt64, now: Int64) -> Bool {
        let slot = Int(truncatingIfNeeded: hash & UInt64(Self.count - 1))
        if slots[slot].hash == hash, now - slots[slot].at < RefusedNameLog.milliseconds { return false }
        if now - begin >= RefusedNameLog.milliseconds { (begin, passed) = (now, 0) }
        // One more than is logged, so that the log can say that there are more.
        guard passed <= RefusedNameLog.most else { return false }
        passed += 1
        slots[slot] = (hash, now)
        return true
    }
}

/// Logs that connections are refused, or begin with what nobody expects: for each reason once in a while.
struct RefusedConnectionLog: Sendable {
    private static let milliseconds: Int64 = 10_000

    private let logger: Logger
    /// The loop does not wait for the log.
    private let queue = DispatchQueue(label: "aasa.refusals")
    private let connections = RateLimit(milliseconds: milliseconds)
    private let perAddress = RateLimit(milliseconds: milliseconds)
    private let untrusted = RateLimit(milliseconds: milliseconds)
    private let buffered = RateLimit(milliseconds: milliseconds)
    private let headers = RateLimit(milliseconds: milliseconds)
    private let unexpected = RateLimit(milliseconds: milliseconds)

    init(logger: Logger) { self.logger = logger }

    /// - Parameters:
    ///   - client: whose connection it is; `nil` if all that is known is a Unix socket.
    ///   - limit: as many are open, or bytes may be held.
    func report(_ refusal: ConnectionRefusal, of client: IPAddress?, limit: Int) {
        switch refusal {
        case .connections where connections.isDue():
            log(client, "\(limit) are open ('limits.connections')")
        case .perAddress where perAddress.isDue():
            let origin = client?.isIPv6 == true ? "its /64" : "there"
            log(client, "\(limit) are open from \(origin) ('limits.perAddress')")
        case .bufferedBytes where buffered.isDue():
            let text = client.peerText
            queue.async { [logger] in
                logger.warning(
                    """
                    connections that wait are ended, such as one from \(text): all together hold more than \
                    \(limit) bytes ('limits.bufferedBytes')
                    """)
            }
        case .untrustedProxy where untrusted.isDue():
            log(
                client,
                "a listener with 'proxyProtocol' accepts connections only from 'trustedProxies', which do not include it"
            )
        case .proxyHeader where headers.isDue():
            log(client, "the PROXY header that 'proxyProtocol' requires was missing, malformed or late")
        // It is reported with its error.
        case .connections, .perAddress, .bufferedBytes, .untrustedProxy, .proxyHeader, .exhausted: return
        }
    }

    /// A PROXY header has come to a listener that expects none.
    func reportUnexpectedHeader(from peer: IPAddress?) {
        guard unexpected.isDue() else { return }
        let text = peer.peerText
        queue.async { [logger] in
            logger.warning(
                "a PROXY header from \(text) was refused: its listener expects none without 'proxyProtocol'")
        }
    }

    private func log(_ client: IPAddress?, _ reason: String) {
        let text = client.peerText
        queue.async { [logger] in
            logger.warning("connections are refused, such as one from \(text): \(reason)")
        }
    }
}

/// Lets a message through once in a while, over all loops.
final class RateLimit: Sendable {
    private let milliseconds: Int64
    private let next = Locked<Int64>(0)

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    func isDue() -> Bool {
        let now = Clock.monotonicMilliseconds()
        return next.withLock { next in
            guard now >= next else { return false }
            next = now + milliseconds
            return true
        }
    }
}
