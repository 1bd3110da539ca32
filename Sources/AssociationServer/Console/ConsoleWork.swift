internal import AssociationConsole
internal import AssociationFiles
internal import Diagnostics
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

    private static let secondsUntilLess = 1

    private let responder: ConsoleResponder
    private let isServer: Bool
    /// The subject at one moment, in seconds since 1970.
    private let content: @Sendable (Int64) -> ConsoleContent
    private let queue = DispatchQueue(label: "aasa.console")
    private let waiting = Locked(0)
    /// The most requests that wait for their turn.
    private let maxWaiting: Int

    /// - Parameter source: the server that is shown.
    convenience init(_ source: any AdminSource) {
        let loops = Locked(LoopAnswers())
        let doctor = DispatchSemaphore(value: 1)
        self.init(
            isServer: true, maxWaiting: 8, rules: source.rules, version: source.programVersion
        ) { now in
            .server(
                ServerConsole(source, doctor: doctor, now: now) {
                    loops.withLock { $0.ask(source) { Clock.monotonicMilliseconds() } }
                })
        }
    }

    /// - Parameter files: those that are shown.
    convenience init(_ files: any ConsoleFiles, maxWaiting: Int, rules: RuleCatalogue, version: String) {
        self.init(isServer: false, maxWaiting: maxWaiting, rules: rules, version: version) { _ in .files(files) }
    }

    private init(
        isServer: Bool, maxWaiting: Int, rules: RuleCatalogue, version: String,
        content: @escaping @Sendable (Int64) -> ConsoleContent
    ) {
        self.isServer = isServer
        self.maxWaiting = maxWaiting
        self.content = content
        responder = ConsoleResponder(rules: rules, version: version, unwrap: SignedAssociationFile.unwrap) {
            let file = SiteFile(kind: $1, name: $2)
            return FileChecker(rules: rules).linter.refusal(of: $0, as: file, path: $2)
        }
    }

    /// - Parameter finish: gets the answer, on another thread; it is not called for work that was abandoned before it had
    ///   begun.
    func submit(
        _ request: ConsoleRequest, _ ticket: Ticket, _ finish: @escaping @Sendable (ConsoleAnswer) -> Void
    ) {
        if case .api(.doctor)? = ConsoleRoute(path: request.path, isServer: isServer) {
            return DispatchQueue.global(qos: .utility).async { [self] in finish(answer(request)) }
        }
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < maxWaiting else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else {
            return finish(
                .busy("\(maxWaiting) requests are waiting; try again", retryAfter: Self.secondsUntilLess))
        }
        queue.async { [self] in
            waiting.withLock { $0 -= 1 }
            guard !ticket.isAbandoned else { return }
            finish(answer(request))
        }
    }

    private func answer(_ request: ConsoleRequest) -> ConsoleAnswer {
        let now = Clock.wallSeconds()
        return responder.answer(request, content(now), now: now)
    }
}
