internal import Diagnostics
internal import Dispatch
package import EventLoops
package import Logging
internal import SystemSupport

/// Tells the log which server names are refused, because no certificate covers them: each once a minute.
package final class RefusedNameLog: Sendable {
    /// No more names are remembered, nor told in a minute.
    package static let most = 64
    package static let milliseconds: Int64 = 60_000

    private struct State {
        /// When each name was told.
        var told: [String: Int64] = [:]
        var nextWord: Int64 = 0
    }

    private let logger: Logger
    /// Whoever refuses does not wait for the log.
    private let queue = DispatchQueue(label: "aasa.names")
    private let state = Locked(State())

    package init(logger: Logger) { self.logger = logger }

    /// - Parameters:
    ///   - name: as it was sent; empty if there was none.
    ///   - now: milliseconds on a clock that never goes back.
    func report(_ name: [UInt8], from address: PeerAddress, now: Int64) {
        queue.async { [self] in
            if let message = message(String(decoding: name, as: UTF8.self), address, now) { logger.info("\(message)") }
        }
    }

    package func message(_ name: String, _ address: PeerAddress, _ now: Int64) -> String? {
        state.withLock { state in
            state.told = state.told.filter { now - $0.value < Self.milliseconds }
            guard state.told[name] == nil else { return nil }
            guard state.told.count < Self.most else {
                guard now >= state.nextWord else { return nil }
                state.nextWord = now + Self.milliseconds
                return "more than \(Self.most) unknown server names were refused within a minute; others are not logged"
            }
            state.told[name] = now
            guard !name.isEmpty else {
                return
                    "refused a client without a server name (\(address)); 'defaultSite' gives such clients a certificate"
            }
            return "refused the unknown server name \(quoted(name, limit: 255)) (\(address)): no certificate covers it"
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
        let place = Int(truncatingIfNeeded: hash & UInt64(Self.count - 1))
        if slots[place].hash == hash, now - slots[place].at < RefusedNameLog.milliseconds { return false }
        if now - begin >= RefusedNameLog.milliseconds { (begin, passed) = (now, 0) }
        // One more than is told, so that it is told that there are more.
        guard passed <= RefusedNameLog.most else { return false }
        passed += 1
        slots[place] = (hash, now)
        return true
    }
}
