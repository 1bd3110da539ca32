/// Asks the loops what they have counted.
///
/// After they have not answered in time, the next question has the same answer for a while: each one would wait as long
/// as the first.
struct LoopAnswers {
    static let milliseconds = 1_000

    /// On the clock of `now`.
    private var failedAt: Int64?

    /// - Parameter now: milliseconds on a clock that never goes back.
    /// - Returns: what all of them have counted; `nil` if one of them does not answer.
    mutating func ask(_ source: any AdminSource, now: () -> Int64) -> LoopReport? {
        if let failedAt, now() - failedAt < Int64(Self.milliseconds) { return nil }
        failedAt = nil
        guard let reports = source.ask(milliseconds: Self.milliseconds) else {
            failedAt = now()
            return nil
        }
        return reports.reduce(into: LoopReport()) { $0.add($1) }
    }
}
