internal import SystemSupport

/// A transport carries requests out: libcurl in the programs, and anything in tests.
///
/// It is a completion that is called, because that suits both a state machine on a queue of its own and, through the
/// asynchronous functions below, a task that waits.
package protocol HTTPTransport: Sendable {
    /// Sends a request, as soon as there is room for it.
    ///
    /// - Parameter completion: is called once, on a thread of the transport that carries all other requests, too.
    func start(
        _ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void
    ) -> Cancellation

    /// Shakes hands, and ends the connection.
    ///
    /// - Parameter completion: as above.
    func start(
        _ probe: ChainProbe, completion: @escaping @Sendable (Result<Chain, Failure>) -> Void
    ) -> Cancellation
}

extension HTTPTransport {
    /// Sends a request and waits for the answer. It is cancelled together with its task.
    package func response(to request: Request) async -> Result<Response, Failure> {
        await Cancellation.result { start(request, completion: $0) }
    }

    /// Shakes hands and waits for what the server presents. It is cancelled together with its task.
    package func chain(for probe: ChainProbe) async -> Result<Chain, Failure> {
        await Cancellation.result { start(probe, completion: $0) }
    }
}

/// The means to end something that is under way. Its completion is called all the same, and once.
package struct Cancellation: Sendable {
    private let body: @Sendable () -> Void

    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Does nothing if it has ended.
    package func cancel() { body() }

    /// Starts something and waits for its result; it is cancelled together with the task that waits.
    package static func result<Success: Sendable, Problem: Error>(
        of start: (@escaping @Sendable (Result<Success, Problem>) -> Void) -> Cancellation
    ) async -> Result<Success, Problem> {
        let pending = Pending()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                pending.begin(start { continuation.resume(returning: $0) })
            }
        } onCancel: {
            pending.cancel()
        }
    }

    /// The task may be cancelled before there is something to cancel.
    private final class Pending: Sendable {
        private enum State {
            case starting, cancelledEarly
            case running(Cancellation)
        }

        private let state = Locked(State.starting)

        func begin(_ cancellation: Cancellation) {
            let isCancelled = state.withLock { state in
                if case .cancelledEarly = state { return true }
                state = .running(cancellation)
                return false
            }
            if isCancelled { cancellation.cancel() }
        }

        func cancel() {
            let running = state.withLock { state -> Cancellation? in
                if case .running(let cancellation) = state { return cancellation }
                state = .cancelledEarly
                return nil
            }
            running?.cancel()
        }
    }
}
