/// A clock whose times are durations from a beginning on.
struct Timekeeper: Sendable {
    let now: @Sendable () -> Duration
    /// Sleeps until a time.
    let sleep: @Sendable (Duration) async throws -> Void

    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
