internal import AssociationConsole
internal import AssociationFiles
internal import Dispatch
internal import EventLoops
internal import Synchronization
internal import SystemSupport

/// Answers requests to the console on threads of its own, so that nobody who asks for `/healthz` or `/metrics` waits for it.
///
/// Work is done one piece after the other. A check of a domain takes up to a minute, and has a thread of its own.
final class ConsoleWork: Sendable {
    /// A piece of work that nobody may want any more.
    final class Ticket: Sendable {
        private let isAbandonedFlag = Atomic(false)

        func abandon() { isAbandonedFlag.store(true, ordering: .relaxed) }

        fileprivate var isAbandoned: Bool { isAbandonedFlag.load(ordering: .relaxed) }
    }

    /// The most requests that wait for their turn.
    static let mostWaiting = 8
    private static let secondsUntilLess = 1

    private let source: any AdminSource
    private let responder: ConsoleResponder
    private let queue = DispatchQueue(label: "aasa.console")
    private let waiting = Locked(0)
    private let loops = Locked(LoopAnswers())
    private let doctorInUse = ExclusiveUse()

    init(_ source: any AdminSource) {
        self.source = source
        responder = ConsoleResponder(
            rules: source.rules, version: source.programVersion, unwrap: SignedAssociationFile.unwrap)
    }

    /// - Parameter finish: gets the answer, on another thread; it is not called for work that was abandoned before it had
    ///   begun.
    func submit(
        _ request: ConsoleRequest, _ ticket: Ticket, _ finish: @escaping @Sendable (ConsoleAnswer) -> Void
    ) {
        if case .api(.doctor)? = ConsoleRoute(path: request.path, isServer: true) {
            return DispatchQueue.global(qos: .utility).async { [self] in finish(answer(request)) }
        }
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < Self.mostWaiting else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else {
            return finish(
                .busy("\(Self.mostWaiting) requests are waiting; try again", retryAfter: Self.secondsUntilLess))
        }
        queue.async { [self] in
            waiting.withLock { $0 -= 1 }
            guard !ticket.isAbandoned else { return }
            finish(answer(request))
        }
    }

    private func answer(_ request: ConsoleRequest) -> ConsoleAnswer {
        let now = Clock.wallSeconds()
        let console = ServerConsole(source, doctorInUse: doctorInUse, now: now) { [self] in
            loops.withLock { $0.ask(source) { Clock.monotonicMilliseconds() } }
        }
        return responder.answer(request, .server(console), now: now)
    }
}

/// Something that one at a time can use.
final class ExclusiveUse: Sendable {
    private let isInUse = Locked(false)

    /// - Returns: whether it was free.
    func begin() -> Bool {
        isInUse.withLock { isInUse in
            defer { isInUse = true }
            return !isInUse
        }
    }

    func end() { isInUse.withLock { $0 = false } }
}
