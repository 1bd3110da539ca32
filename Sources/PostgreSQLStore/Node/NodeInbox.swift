internal import Dispatch
internal import Glibc
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
    /// Readable when there is something new.
    let wakeUp: Int32
    private let signal: Int32

    init() throws(SystemError) {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { throw SystemError(call: "pipe") }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        (wakeUp, signal) = (descriptors[0], descriptors[1])
    }

    deinit {
        close(wakeUp)
        close(signal)
    }

    // MARK: From other threads

    /// - Parameter poll: in seconds; nil if it stays.
    func requestFullRead(poll: Double? = nil) {
        state.withLock { state in
            state.isFullReadDue = true
            if let poll { state.poll = Int64(poll * 1_000) }
        }
        wake()
    }

    func stop(milliseconds: Int) {
        state.withLock { $0.isStopping = true }
        wake()
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

    private func wake() {
        var byte: UInt8 = 1
        _ = write(signal, &byte, 1)
    }

    // MARK: From the thread of the node

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Whether everything is to be read again, which is asked for once.
    func takeFullRead() -> (isDue: Bool, poll: Int64?) {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeUp, &bytes, bytes.count) > 0 {}
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
