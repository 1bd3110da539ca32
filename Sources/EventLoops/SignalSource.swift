internal import Dispatch
internal import Glibc

/// Watches for signals of the operating system.
package final class SignalSource: @unchecked Sendable {
    package enum Signal: Int32, Sendable, CaseIterable {
        case hangup = 1
        case interrupt = 2
        case terminate = 15
    }

    private let sources: [any DispatchSourceSignal]

    /// - Parameter handler: is called on a queue of its own, one call at a time.
    package init(_ signals: [Signal], handler: @escaping @Sendable (Signal) -> Void) {
        let queue = DispatchQueue(label: "signals")
        sources = signals.map { signal in
            Glibc.signal(signal.rawValue, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue)
            source.setEventHandler { handler(signal) }
            source.activate()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }
}
