/// When an end comes close, in days; exactly so many days are inside.
public struct Thresholds: Sendable, Equatable {
    public let warning: Int
    public let critical: Int

    public init(warning: Int = 30, critical: Int = 14) {
        self.warning = warning
        self.critical = critical
    }
}
