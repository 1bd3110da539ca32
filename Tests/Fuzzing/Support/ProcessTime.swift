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
}
