internal import Dispatch
internal import EventLoops
internal import Locking
public import Logging
internal import OpenSSL

/// An HTTPS server for association files.
///
/// ```swift
/// var configuration = ServerConfiguration()
/// configuration.listen = ["127.0.0.1:8443"]
/// let server = try AssociationServer(configuration, logger: Logger(label: "aasa"))
/// try server.start()
/// server.waitUntilStopped()
/// ```
public final class AssociationServer: Sendable {
    private struct State {
        var snapshot: ServerSnapshot
        /// Whether a reload was asked for that has not begun.
        var isReloadDue = false
        var workers: [Worker] = []
        /// Workers that have not ended yet.
        var running = 0
        var isDraining = false
        /// From the start on.
        var settings: WorkerSettings?
    }

    private let configuration: ServerConfiguration
    private let logger: Logger
    private let ticketKeys: TicketKeys
    private let state: Locked<State>
    /// One reload at a time.
    private let reloads = DispatchQueue(label: "aasa.reload")
    private let stopped = DispatchSemaphore(value: 0)
    private let exhaustion = RateLimit(milliseconds: 10_000)

    private var snapshot: ServerSnapshot { state.withLock { $0.snapshot } }

    /// What was found wrong with sites and certificates when they were last read.
    public var findings: [Finding] { snapshot.findings }

    /// How many sites and certificates are not used as they are now.
    public var refusedCount: Int { snapshot.refusedCount }

    /// For example `2 of 3 sites, 1 certificate`.
    public var summary: String { snapshot.summary }

    /// Reads sites and certificates.
    ///
    /// - Throws: `ServerError`: `unreadable` for a folder, or `nothingToServe`.
    public init(_ configuration: ServerConfiguration, logger: Logger) throws(ServerError) {
        self.configuration = configuration
        self.logger = logger
        do throws(OpenSSLError) {
            ticketKeys = try TicketKeys { Clock.monotonicMilliseconds() / 1_000 }
        } catch {
            throw ServerError(.setUp, error.description)
        }
        state = Locked(State(snapshot: try ServerSnapshot.load(configuration, ticketKeys: ticketKeys)))
    }

    /// Writes the findings to the log: so many of one file, and what becomes of the sites that are refused.
    public func logFindings() { snapshot.write(to: logger) }

    /// Binds all addresses and begins to serve.
    ///
    /// - Returns: the addresses that are served, with the ports that the system chose where 0 was asked for.
    /// - Throws: `ServerError`: `addressUnavailable`, `configuration` for an address that is none, or `setUp`. Nothing is
    ///   served then.
    @discardableResult
    public func start() throws(ServerError) -> [String] {
        let listeners = try Self.bind(configuration.listen)
        let settings = WorkerSettings(
            configuration, mostConnections: Self.mostConnections(configuration, logger))
        let shared = Worker.Shared(reportExhaustion: { [logger, exhaustion] error in
            if exhaustion.isDue() { logger.error("no new connections for a moment: \(error.reason)") }
        })
        let snapshot = snapshot
        var workers: [Worker] = []
        do throws(SystemError) {
            for number in 0..<(configuration.threads ?? Machine.cores) {
                let label = "aasa.loop.\(number)"
                workers.append(
                    try Worker(
                        label: label, snapshot: snapshot, settings: settings, shared: shared, listeners: listeners))
            }
        } catch {
            throw ServerError(.setUp, "an event loop cannot be made: \(error)")
        }
        let latest = state.withLock { [workers] state in
            state.workers = workers
            state.running = workers.count
            state.settings = settings
            return state.snapshot
        }
        for worker in workers {
            // A reload may have been quicker.
            worker.use(latest, settings)
            worker.start()
        }
        return listeners.map(\.address.description)
    }

    /// Reads sites and certificates again, and serves what is good of them; connections are not disturbed.
    ///
    /// What cannot be used is served on as it was; a site or a certificate whose folder is gone ends. Returns at once;
    /// findings and, in one line, what has changed go to the log.
    public func reload() {
        let isFirst = state.withLock { state in
            defer { state.isReloadDue = true }
            return !state.isReloadDue
        }
        if isFirst { reloads.async { [self] in readAgain() } }
    }

    /// Reloads, and returns when every loop serves what was read.
    package func reloadAndWait() { reloads.sync { readAgain() } }

    private func readAgain() {
        let (old, isDraining) = state.withLock { state in
            // From here on a change may come too late for this one.
            state.isReloadDue = false
            return (state.snapshot, state.isDraining)
        }
        if isDraining { return logger.info("not reloaded: the server is stopping") }
        let new = old.next(configuration, ticketKeys: ticketKeys)
        let (workers, settings) = state.withLock { state in
            state.snapshot = new
            return (state.workers, state.settings)
        }
        // The old snapshot is freed here, not on a loop.
        if let settings { withExtendedLifetime(old) { HandOver.give(new, settings, to: workers) } }
        new.write(to: logger)
        logger.info("\(ReloadSummary(from: old, to: new))")
    }

    /// Takes no more connections, answers what has begun, and stops. A second call cuts what still runs.
    public func stop() {
        let (workers, isSecond) = state.withLock { state in
            defer { state.isDraining = true }
            return (state.workers, state.isDraining)
        }
        if isSecond { return cut(workers) }
        if workers.isEmpty { stopped.signal() }
        for worker in workers {
            worker.loop.post { worker.drain { [self] in workerEnded() } }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + configuration.timeouts.drain) { [weak self] in
            guard let self else { return }
            cut(state.withLock { $0.workers })
        }
    }

    /// Returns when the server has stopped.
    public func waitUntilStopped() {
        stopped.wait()
        stopped.signal()
    }

    private func cut(_ workers: [Worker]) {
        for worker in workers { worker.loop.post { worker.cut() } }
    }

    private func workerEnded() {
        let isLast = state.withLock { state in
            state.running -= 1
            if state.running == 0 { state.workers = [] }
            return state.running == 0
        }
        if isLast { stopped.signal() }
    }

    // MARK: Setting up

    /// How many connections the process can hold.
    private static func mostConnections(_ configuration: ServerConfiguration, _ logger: Logger) -> Int {
        // Descriptors for files, logs and the loops themselves.
        let reserve = 64
        let most = max(1, Machine.raiseDescriptorLimit() - reserve)
        if configuration.limits.connections > most {
            logger.warning(
                "connections are limited to \(most): the process may open no more than \(most + reserve) files")
        }
        return most
    }
}
