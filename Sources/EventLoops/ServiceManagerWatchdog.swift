internal import Dispatch

/// Does something again and again, on a queue of its own.
final class ServiceManagerWatchdog: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameter beat: is called at once, and then each time the interval has passed.
    init(everyMilliseconds interval: Int, beat: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "aasa.watchdog"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(interval), leeway: .milliseconds(interval / 20))
        timer.setEventHandler(handler: beat)
        timer.activate()
    }

    deinit { timer.cancel() }
}
