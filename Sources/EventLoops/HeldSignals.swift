internal import SystemSupport

/// Signals on their way to somebody who is not there yet.
package final class HeldSignals: Sendable {
    package typealias Signal = SignalSource.Signal

    private struct State {
        var isInterruptible = true
        var held: [Signal] = []
        var handler: (@Sendable (Signal) -> Void)?
    }

    private let state = Locked(State())
    private let whenInterrupted: @Sendable (Signal) -> Void

    /// - Parameter whenInterrupted: gets SIGTERM and SIGINT until `hold` is called.
    package init(whenInterrupted: @escaping @Sendable (Signal) -> Void) { self.whenInterrupted = whenInterrupted }

    /// Hands a signal on, or keeps it.
    package func receive(_ signal: Signal) {
        let handler = state.withLock { state -> (@Sendable (Signal) -> Void)? in
            if let handler = state.handler { return handler }
            let isEnd = signal == .terminate || signal == .interrupt
            if isEnd, state.isInterruptible { return whenInterrupted }
            // Of those that ask for something again, one is enough.
            if isEnd || !state.held.contains(signal) { state.held.append(signal) }
            return nil
        }
        handler?(signal)
    }

    /// From now on SIGTERM and SIGINT are kept, too.
    package func hold() { state.withLock { $0.isInterruptible = false } }

    /// Hands over what was kept, and from now on all that comes.
    package func deliver(to handler: @escaping @Sendable (Signal) -> Void) {
        let held = state.withLock { state in
            state.handler = handler
            defer { state.held = [] }
            return state.held
        }
        for signal in held { handler(signal) }
    }
}
