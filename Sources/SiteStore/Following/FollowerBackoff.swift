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
