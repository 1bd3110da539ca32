internal import Dispatch
internal import SiteStore
internal import SystemSupport

/// The requests of other threads to the thread of a node, and the states that they wait for.
final class NodeInbox: Sendable {
    /// The end of a start.
    enum Start {
        case ready
        case failed(StoreError)
    }

    private struct State {
        var isStopping = false
        var isFullReadDue = false
        /// Milliseconds, if they have changed.
        var poll: Int64?
        var start: Start?
        var hasAppliedCache = false
        var isConnected = false
        var hasEnded = false
        /// The generation that is served.
        var generation: Int64 = -1
        var waiting: [(generation: Int64, body: @Sendable () -> Void)] = []
    }

    private let state = Locked(State())
    private let started = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// Signalled when there is something new.
    let wakeUp: WakeUp

    init() throws(SystemError) { wakeUp = try WakeUp() }

    // MARK: From other threads

    /// - Parameter poll: in seconds; nil if it stays.
    func requestFullRead(poll: Double? = nil) {
        state.withLock { state in
            state.isFullReadDue = true
            if let poll { state.poll = Int64(poll * 1_000) }
        }
        wakeUp.signal()
    }

    func stop(milliseconds: Int) {
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
        if state.withLock({ $0.hasEnded }) { return }
        _ = ended.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Waits until the thread says how the start has ended. If the store does not answer for so long, what the cache has is
    /// enough.
    func waitUntilStarted(milliseconds: Int64) -> Start {
        var timeout = DispatchTime.now() + .milliseconds(Int(milliseconds))
        while true {
            _ = started.wait(timeout: timeout)
            let (start, isEnough) = state.withLock { state in
                (state.start, state.hasAppliedCache && !state.isConnected)
            }
            if let start { return start }
            if isEnough, timeout < .now() { return .ready }
            if timeout < .now() { timeout = .now() + .milliseconds(100) }
        }
    }

    /// Has a body called once a generation is served: at once, or on the thread of the node, which it must not hold up.
    func whenServed(_ generation: Int64, _ body: @escaping @Sendable () -> Void) {
        let isServed = state.withLock { state in
            if state.generation < generation { state.waiting.append((generation, body)) }
            return state.generation >= generation
        }
        if isServed { body() }
    }

    // MARK: From the thread of the node

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Whether everything is to be read again, which is asked for once.
    func takeFullRead() -> (isDue: Bool, poll: Int64?) {
        wakeUp.take()
        return state.withLock { state in
            defer { state.isFullReadDue = false }
            return (state.isFullReadDue, state.poll)
        }
    }

    func show(hasAppliedCache: Bool, isConnected: Bool, generation: Int64?) {
        let served = state.withLock { state in
            state.hasAppliedCache = hasAppliedCache
            state.isConnected = isConnected
            state.generation = generation ?? -1
            guard !state.waiting.isEmpty else { return [] as [@Sendable () -> Void] }
            let (generation, waiting) = (state.generation, state.waiting)
            state.waiting = waiting.filter { $0.generation > generation }
            return waiting.filter { $0.generation <= generation }.map(\.body)
        }
        for body in served { body() }
    }

    func finishStart(_ start: Start) {
        let isFirst = state.withLock { state in
            defer { if state.start == nil { state.start = start } }
            return state.start == nil
        }
        if isFirst { started.signal() }
    }

    func finish() {
        state.withLock { $0.hasEnded = true }
        ended.signal()
    }
}
