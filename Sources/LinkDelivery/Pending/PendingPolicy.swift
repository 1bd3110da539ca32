/// What becomes of activities that come before the app is ready for them.
public struct PendingPolicy: Hashable, Sendable {
    package enum Kept: Hashable, Sendable {
        case latest
        case all(upTo: Int)
    }

    package let kept: Kept
    /// How long an activity waits before it is given up, at most a hundred years; nil: as long as the app runs.
    public let lifetime: Duration?

    private init(_ kept: Kept, _ lifetime: Duration?) {
        self.kept = kept
        // With more than that clocks go wrong.
        self.lifetime = lifetime.map { min($0, .seconds(100 * 365 * 86400)) }
    }

    /// Only the latest of each scene waits.
    public static let latest = PendingPolicy(.latest, nil)

    /// Only the latest of each scene waits, and no longer than a time.
    public static func latest(for lifetime: Duration) -> PendingPolicy {
        PendingPolicy(.latest, lifetime)
    }

    /// All wait, up to a number of at least one, above which the oldest is given up.
    public static func all(upTo count: Int, for lifetime: Duration? = nil) -> PendingPolicy {
        PendingPolicy(.all(upTo: max(1, count)), lifetime)
    }
}
