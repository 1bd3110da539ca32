import Glibc

/// The CPU time of the calling thread: on a busy machine it is what it is on a quiet one.
public enum ThreadTime {
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The cost of work that stays on its thread.
    public static func measure(_ work: () throws -> Void) rethrows -> Duration {
        let start = now
        try work()
        return now - start
    }
}
