/// Now, on both clocks: the one on the wall says what is valid, and the other one how long to wait.
package struct Moment: Equatable, Sendable {
    /// Seconds since 1970.
    package var wall: Int64
    /// On a clock that never goes back, from any start.
    package var uptime: Duration

    package init(wall: Int64, uptime: Duration) {
        (self.wall, self.uptime) = (wall, uptime)
    }
}
