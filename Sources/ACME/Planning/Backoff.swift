/// The pause after failures, longer the more there were.
package struct Backoff: Equatable, Sendable {
    /// Seconds after the first failure; twice as long after each further one.
    package let first: Int64
    package let longest: Int64
    /// Whether a random factor from 0.8 to 1.2 keeps many domains from coming back together.
    package let isSpread: Bool

    /// The back-off after a failed order of one domain.
    package static let order = Backoff(first: 60, longest: day, isSpread: true)
    /// The back-off of all domains after the directory, a nonce or the account could not be had.
    package static let authority = Backoff(first: 5, longest: 3_600, isSpread: false)
    /// The back-off before a certificate that could not be stored is written again.
    package static let storage = Backoff(first: 5, longest: 3_600, isSpread: false)

    package static let day: Int64 = 86_400

    /// Seconds until the next attempt.
    ///
    /// - Parameters:
    ///   - failures: in a row, at least one.
    ///   - error: the last failure; some are not worth an early attempt, and some come with a time of the CA's.
    package func delay(
        failures: Int, after error: IssuanceError?, random: inout some RandomNumberGenerator
    ) -> Int64 {
        // Beyond this many doublings any first delay is over the longest.
        let doublings = min(max(failures, 1) - 1, 32)
        var delay = min(first << Int64(doublings), longest)
        if let error, Self.isHopeless(error.type) { delay = Self.day }
        if isSpread { delay = Int64(Double(delay) * Double.random(in: 0.8...1.2, using: &random)) }
        return max(delay, min(error?.retryAfter ?? 0, RetryAfter.longest))
    }

    /// Whether only a change of settings helps.
    private static func isHopeless(_ type: IssuanceErrorType) -> Bool {
        switch type {
        case .rejectedIdentifier, .unsupportedIdentifier, .caa, .acmeWildcard, .acmeChallenges, .acmeAccount: true
        default: type.concernsAccount
        }
    }
}

/// A time before which nothing is done.
package struct Pause: Equatable, Sendable {
    /// Seconds since 1970.
    package let end: Int64
    /// Seconds from its beginning to its end.
    package let length: Int64

    package init(from now: Int64, seconds: Int64) {
        end = now + seconds
        length = seconds
    }

    init(end: Int64, length: Int64) {
        (self.end, self.length) = (end, length)
    }

    /// The same, but never further ahead than it was in the beginning: the clock may have been wrong then, or now.
    func cut(at now: Int64) -> Pause { Pause(end: min(end, now + length), length: length) }
}
