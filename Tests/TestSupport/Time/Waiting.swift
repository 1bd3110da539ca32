import Glibc

/// Waiting in tests: no longer than needed.
public enum Waiting {
    /// On a clock that never goes back.
    public static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// Asks again and again until it is so, less and less often: asking may be work for a server, too. What takes long to ask
    /// is asked for less often still.
    ///
    /// - Parameter isOver: whether it cannot come any more, such as when the process that it is about has ended.
    /// - Returns: `false` if it never was within ``Patience/seconds``.
    public static func until(orUntil isOver: () -> Bool = { false }, _ isSo: () throws -> Bool) rethrows -> Bool {
        let end = Self.seconds + Double(Patience.seconds)
        var pause: UInt32 = 1_000
        while true {
            let isLast = isOver()
            let asked = Self.seconds
            if try isSo() { return true }
            if isLast { return false }
            if Self.seconds >= end {
                Patience.waitedInVain()
                return false
            }
            usleep(max(pause, UInt32(min(10 * (Self.seconds - asked), 0.25) * 1_000_000)))
            pause = min(pause + pause / 4, 50_000)
        }
    }

    /// The seconds that a body takes.
    public static func measure(_ body: () throws -> Void) rethrows -> Double {
        let start = seconds
        try body()
        return seconds - start
    }

    /// Does nothing for a while, as a slow client.
    public static func idle(milliseconds: Int) { usleep(UInt32(milliseconds) * 1_000) }
}
