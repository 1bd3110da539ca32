internal import Dispatch
internal import Glibc

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

    /// Returns when the signals are watched. One that comes meanwhile waits until then: none is lost, and none does what
    /// it does by default, provided that this is the only thread.
    ///
    /// - Parameter handler: is called on a queue of its own, one call at a time.
    package init(_ signals: [Signal], handler: @escaping @Sendable (Signal) -> Void) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal.rawValue) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let queue = DispatchQueue(label: "signals")
        let registration = DispatchGroup()
        sources = signals.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue)
            registration.enter()
            source.setRegistrationHandler { registration.leave() }
            // Those that come at once are one: timeout(1), for one, sends two.
            source.setEventHandler { handler(signal) }
            source.activate()
            return source
        }
        registration.wait()
        // Also those that whoever started the process had blocked.
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    deinit { for source in sources { source.cancel() } }
}
