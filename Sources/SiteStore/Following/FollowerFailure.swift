package import Diagnostics

/// Why a step of following a store failed.
package struct FollowerFailure: Error, Equatable, Sendable {
    /// The kind of failure, as far as it makes a difference to what is done about it.
    package enum Kind: Sendable {
        /// The database cannot be reached, refuses the authentication, or does not answer in time.
        case unreachable
        case notInitialised, schemaNewer, schemaOlder, permissionDenied
        /// It is a replica, which takes no LISTEN and no heartbeat.
        case readOnly
        /// The database answers with another error, such as a lock that somebody holds.
        case other
    }

    package let kind: Kind
    /// One clause, without the address of the store.
    package let message: String
    package let help: String?
    /// Whether the connection cannot be used any more.
    package let isConnectionLost: Bool

    package init(_ kind: Kind, _ message: String, help: String? = nil, isConnectionLost: Bool = false) {
        self.kind = kind
        self.message = message
        self.help = help
        self.isConnectionLost = isConnectionLost
    }

    package var rule: RuleDescription {
        switch kind {
        case .unreachable, .readOnly, .other: .storeUnreachable
        case .notInitialised: .storeNotInitialised
        case .schemaNewer: .storeSchemaNewer
        case .schemaOlder: .storeSchemaOlder
        case .permissionDenied: .storePermissionDenied
        }
    }
}

/// The pause before the next attempt: 0.25 s, doubled up to 15 s, times a random factor of 0.5 to 1.0 that keeps nodes from
/// coming back together (store.md, section 2).
package enum FollowerBackoff {
    package static let first: Int64 = 250
    package static let longest: Int64 = 15_000

    /// Milliseconds until the next attempt.
    ///
    /// - Parameter failures: in a row, at least one.
    package static func delay(failures: Int, random: inout some RandomNumberGenerator) -> Int64 {
        // Beyond this many doublings any delay is over the longest.
        let doublings = min(max(failures, 1) - 1, 16)
        let delay = min(first << Int64(doublings), longest)
        return max(1, Int64(Double(delay) * Double.random(in: 0.5...1.0, using: &random)))
    }
}
