internal import Glibc

/// The system's clocks, as precise as their last tick (1 to 4 ms), which makes them cheap to read.
package enum Clock {
    /// On a clock that never goes back.
    package static func monotonicMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// As precise as the machine has it, on a clock that never goes back.
    package static func preciseNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Since 1970, UTC.
    package static func wallMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    }

    /// Since 1970, UTC.
    package static func wallSeconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }

    /// When the machine was started, in milliseconds since 1970, as its clock sees it now.
    package static func bootMilliseconds() -> Int64 {
        func milliseconds(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
        }
        return milliseconds(CLOCK_REALTIME) &- milliseconds(CLOCK_BOOTTIME)
    }
}
