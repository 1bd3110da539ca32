import Glibc

/// The CPU time that this process has used.
package enum ProcessTime {
    package static var nanoseconds: Int { used(CLOCK_PROCESS_CPUTIME_ID) }

    fileprivate static func used(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// The CPU time that this thread has used: for limits on work that other threads must not add to.
package enum ThreadTime {
    package static var nanoseconds: Int { ProcessTime.used(CLOCK_THREAD_CPUTIME_ID) }

    /// The nanoseconds that work takes: once, or the least of three times if it takes more than a limit. A machine that is busy
    /// with other work makes a run longer, but hardly three.
    package static func least(limit: Int, of work: () -> Void) -> Int {
        var least = Int.max
        for _ in 0..<3 where least > limit {
            let start = nanoseconds
            work()
            least = min(least, nanoseconds - start)
        }
        return least
    }
}
