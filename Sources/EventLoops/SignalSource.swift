internal import Dispatch
internal import Glibc
internal import SystemSupport

/// Watches for signals of the operating system.
package final class SignalSource: @unchecked Sendable {
    package enum Signal: Int32, Sendable, CaseIterable {
        case hangup = 1
        case interrupt = 2
        /// SIGUSR1.
        case user1 = 10
        case terminate = 15
    }

    private let sources: [any DispatchSourceSignal]
    private let signals: [Signal]
    private let registration = DispatchGroup()

    /// Begins to watch the signals. One that comes before they are watched waits until then: none is lost, and none does
    /// what it does by default, provided that this is the only thread.
    ///
    /// - Parameter handler: is called on a queue of its own, one call at a time.
    package init(_ signals: [Signal], handler: @escaping @Sendable (Signal) -> Void) {
        self.signals = signals
        Self.change(SIG_BLOCK, signals)
        let queue = DispatchQueue(label: "signals")
        sources = signals.map { [registration] signal in
            let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue)
            registration.enter()
            source.setRegistrationHandler { registration.leave() }
            // Those that come at once are one: timeout(1), for one, sends two.
            source.setEventHandler { handler(signal) }
            source.activate()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// Returns when the signals are watched, and lets this thread have them again, even if the parent process had blocked
    /// them.
    package func waitUntilWatched() {
        registration.wait()
        Self.change(SIG_UNBLOCK, signals)
    }

    /// Changes the signals that this thread blocks.
    private static func change(_ how: Int32, _ signals: [Signal]) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal.rawValue) }
        pthread_sigmask(how, &set, nil)
    }
}

/// Signals that arrive before their handler is there.
package final class DeferredSignals: Sendable {
    package typealias Signal = SignalSource.Signal

    private struct State {
        var isInterruptible = true
        var deferred: [Signal] = []
        var handler: (@Sendable (Signal) -> Void)?
    }

    private let state = Locked(State())
    private let whenInterrupted: @Sendable (Signal) -> Void

    /// - Parameter whenInterrupted: gets SIGTERM and SIGINT until `deferTermination` is called.
    package init(whenInterrupted: @escaping @Sendable (Signal) -> Void) { self.whenInterrupted = whenInterrupted }

    /// Hands a signal on, or keeps it.
    package func receive(_ signal: Signal) {
        let handler = state.withLock { state -> (@Sendable (Signal) -> Void)? in
            if let handler = state.handler { return handler }
            let isEnd = signal == .terminate || signal == .interrupt
            if isEnd, state.isInterruptible { return whenInterrupted }
            // One of several equal requests is enough.
            if isEnd || !state.deferred.contains(signal) { state.deferred.append(signal) }
            return nil
        }
        handler?(signal)
    }

    /// Keeps SIGTERM and SIGINT, too, from now on.
    package func deferTermination() { state.withLock { $0.isInterruptible = false } }

    /// Hands over what was kept, and from now on all that comes.
    package func deliver(to handler: @escaping @Sendable (Signal) -> Void) {
        let deferred = state.withLock { state in
            state.handler = handler
            defer { state.deferred = [] }
            return state.deferred
        }
        for signal in deferred { handler(signal) }
    }
}
