internal import HTTP1

/// Now, on both clocks: the one on the wall says what is valid, and the other one how long to wait.
package struct Moment: Equatable, Sendable {
    /// Seconds since 1970.
    package var wall: Int64
    /// The time of a clock that never goes back, from any start.
    package var uptime: Duration

    package init(wall: Int64, uptime: Duration) {
        (self.wall, self.uptime) = (wall, uptime)
    }
}

/// Notices that the clock of this machine and that of the CA are far apart, and says so once an hour.
package struct ClockCheck: Sendable {
    private static let tolerance: Int64 = 300
    private static let pause: Duration = .seconds(3_600)

    private var lastWarning: Duration?

    package init() {}

    /// - Returns: the seconds by which the CA's clock is ahead, if that is worth a warning now.
    package mutating func difference(_ response: ACMEResponse, at now: Moment) -> Int64? {
        guard let bytes = response.date.map({ Array($0.utf8.prefix(64)) }),
            let date = HTTPDate.parse(bytes.span, in: bytes.indices, now: now.wall)
        else { return nil }
        let difference = date - now.wall
        guard abs(difference) > Self.tolerance, lastWarning.map({ now.uptime - $0 >= Self.pause }) ?? true else {
            return nil
        }
        lastWarning = now.uptime
        return difference
    }
}
