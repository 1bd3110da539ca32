import EventLoops
import SystemSupport

/// Notes what the loop tells it.
final class RecordingClient: EventLoopClient, Sendable {
    enum Event: Sendable { case begin, work, end, tick }

    let events = Locked<[Event]>([])
    private let onTick: @Sendable () -> Void
    private let onEnd: @Sendable () -> Void

    init(onTick: @escaping @Sendable () -> Void = {}, onEnd: @escaping @Sendable () -> Void = {}) {
        self.onTick = onTick
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    func note(_ event: Event) { events.withLock { $0.append(event) } }

    func batchWillBegin() { note(.begin) }

    func batchDidEnd() { note(.end) }

    func tick() {
        note(.tick)
        onTick()
    }
}
