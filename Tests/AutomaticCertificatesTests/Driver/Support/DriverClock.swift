import Foundation
import SystemSupport
import TestSupport

/// The clock of a driver: that of this machine, until a test moves it.
final class DriverClock: Sendable {
    private struct State {
        var offset: Int64 = 0
        /// When the clock on the wall was stopped; nil while it goes.
        var stopped: Int64?
        var step: Duration = .milliseconds(460)
        var steps: Duration = .zero
    }

    private let state = Locked(State())

    /// Seconds since 1970.
    var wall: Int64 { state.withLock { ($0.stopped ?? Int64(time(nil))) + $0.offset } }

    /// Has the clock on the wall stand still, so that a pause of seconds lasts until a test moves the clock, however slow the
    /// machine is. What a CA issues meanwhile is not valid yet.
    func stop() { state.withLock { $0.stopped = $0.stopped ?? Int64(time(nil)) } }

    /// Has the clock on the wall go on, as late as it would be if it had never stopped.
    func go() { state.withLock { $0.stopped = nil } }

    /// Sets the clock on the wall.
    func move(by seconds: Int64) { state.withLock { $0.offset += seconds } }

    /// The clock that never goes back. Every time that it is read it is a little later, so that hardly anything is left of
    /// the half second before a CA is asked again.
    var uptime: Duration {
        state.withLock { state in
            state.steps += state.step
            return .seconds(Waiting.seconds) + state.steps
        }
    }

    /// Has each reading be so much later than the one before: shorter pauses take no time at all.
    func hurry(by step: Duration) { state.withLock { $0.step = step } }
}
