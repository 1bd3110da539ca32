/// A pair whose certificate or key is there without the other.
struct WaitingPair: Equatable, Sendable {
    let folder: String
    /// Seconds since 1970.
    let since: Int64

    /// When it is no longer tried, in seconds since 1970.
    var until: Int64 { since + PairRetries.seconds }
}
