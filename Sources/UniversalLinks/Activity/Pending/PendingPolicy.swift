/// What becomes of activities that come before the app is ready for them.
public struct PendingPolicy: Hashable, Sendable {
    package enum Kept: Hashable, Sendable {
        case latest
        case all(upTo: Int)
    }

    package let kept: Kept
    /// How long an activity waits before it is given up; nil: as long as the app runs.
    public let lifetime: Duration?

    /// Only the latest of each scene waits.
    public static let latest = PendingPolicy(kept: .latest, lifetime: nil)

    /// Only the latest of each scene waits, and no longer than a time.
    public static func latest(for lifetime: Duration) -> PendingPolicy {
        PendingPolicy(kept: .latest, lifetime: lifetime)
    }

    /// All wait, up to a number of at least one, above which the oldest is given up.
    public static func all(upTo count: Int, for lifetime: Duration? = nil) -> PendingPolicy {
        PendingPolicy(kept: .all(upTo: max(1, count)), lifetime: lifetime)
    }
}
