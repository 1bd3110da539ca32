/// A challenge of a CA that every node answers: a row of `aasa.acme_challenges` (store.md, section 7).
package struct StoredChallenge: Hashable, Sendable {
    /// The challenges that a server can answer.
    package enum Kind: String, Sendable {
        case http01 = "http-01"
        case tlsALPN01 = "tls-alpn-01"
    }

    /// The host that the CA asks.
    package let domain: String
    package let kind: Kind
    package let token: String
    /// The answer that the CA expects; nothing secret, as it is shown to everybody who asks.
    package let keyAuthorization: String

    package init(domain: String, kind: Kind, token: String, keyAuthorization: String) {
        self.domain = domain
        self.kind = kind
        self.token = token
        self.keyAuthorization = keyAuthorization
    }
}

/// The challenges that a node has read, each with the time at which it ends.
package struct StoredChallenges: Sendable {
    /// Milliseconds of the monotonic clock at which a challenge ends.
    private var ends: [StoredChallenge: Int64] = [:]

    package init() {}

    /// Takes over what the store has; of one name and kind of handshake the last one counts, as a server can answer one.
    ///
    /// - Parameters:
    ///   - rows: in the order in which they were written, with the milliseconds for which they are good by the clock of the
    ///     database.
    ///   - now: milliseconds of the monotonic clock.
    /// - Returns: whether others are to be answered than before.
    package mutating func replace(
        with rows: [(challenge: StoredChallenge, milliseconds: Int64)], now: Int64
    ) -> Bool {
        let before = Set(ends.keys)
        var handshakes: [String: StoredChallenge] = [:]
        ends = [:]
        for row in rows where row.milliseconds > 0 {
            if row.challenge.kind == .tlsALPN01,
                let earlier = handshakes.updateValue(row.challenge, forKey: row.challenge.domain)
            {
                ends[earlier] = nil
            }
            ends[row.challenge] = now + row.milliseconds
        }
        return Set(ends.keys) != before
    }

    /// Drops those that have ended.
    ///
    /// - Returns: whether there were any.
    package mutating func removeEnded(now: Int64) -> Bool {
        let count = ends.count
        ends = ends.filter { $0.value > now }
        return ends.count != count
    }

    /// All of them, in no particular order.
    package var all: [StoredChallenge] { Array(ends.keys) }
}
