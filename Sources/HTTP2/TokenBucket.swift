/// A bound on how often something may happen: so many at once, and so many a second after that.
struct TokenBucket: BitwiseCopyable {
    private static let unit: Int64 = 1_000

    private let capacity: Int64
    private let perSecond: Int64
    /// In thousandths.
    private var level: Int64
    private var filledAt: Int64

    /// - Parameter now: in milliseconds.
    init(burst: Int64, perSecond: Int64, at now: Int64) {
        capacity = burst * Self.unit
        self.perSecond = perSecond
        level = capacity
        filledAt = now
    }

    /// - Returns: whether there was one.
    mutating func take(at now: Int64) -> Bool {
        if now > filledAt {
            level = min(capacity, level &+ min(now &- filledAt, capacity) &* perSecond)
            filledAt = now
        }
        guard level >= Self.unit else { return false }
        level &-= Self.unit
        return true
    }

    mutating func giveBack(_ count: Int64) { level = min(capacity, level &+ count &* Self.unit) }
}
