internal import AssociationLint
public import Diagnostics
internal import Dispatch
package import EventLoops
internal import HTTP2
public import Logging
internal import ServiceHealth
internal import SystemSupport

/// A server for association files: over HTTPS, or over plain HTTP for a proxy that terminates TLS.
///
/// ```swift
/// var configuration = ServerConfiguration()
/// configuration.listen = ["127.0.0.1:8443"]
/// let server = try LinkServer(configuration, logger: Logger(label: "aasa"))
/// try server.start()
/// server.waitUntilStopped()
/// ```
public final class LinkServer: Sendable {
    struct State {
        /// The snapshot that was read last.
        var snapshot: ServerSnapshot
        /// The snapshot that the loops serve: the same, or an equal one.
        var served: ServerSnapshot
        var workers: [Worker] = []
        /// Workers that have not ended yet.
        var running = 0
        var isStarted = false
        var isDraining = false
        /// The number of connections that the process can hold; known from the start on.
        var mostConnections = 0
        var log: AccessLog?
        /// The log that a reload has opened, and the loops do not use yet.
        var nextLog: AccessLog??
        /// The dropped lines of logs that were closed.
        var droppedLogLines: UInt64 = 0
        var admin: AdminServer?
        /// The files of the Unix sockets that sites are served on.
        var socketFiles: [UnixSocketFile] = []
        /// The state of orders that was shown last.
        var issuance: ShownIssuanceReport?
        var whenIssuanceInputChanges: (@Sendable () -> Void)?
        var store = StoreDisplay()
        /// Why the configuration could not be used when it was read last; nil if it could.
        var refusedConfiguration: TimedFinding?
        /// When the last reload was taken up, in seconds since 1970; nil if there was none.
        var reloadedAt: Int64?
        var console = ConsoleFeatures()
        /// Whether the log has said that pages have no QR codes.
        var isQRLibraryMissing = false
        /// `nil` until HTTP/2 is to be spoken, and where it cannot be.
        var http2: HTTP2Library?
    }

    /// Where a server can be reached, with the ports that the system chose where 0 was asked for.
    public struct Addresses: Equatable, Sendable {
        /// The addresses of HTTPS, such as `127.0.0.1:8443`.
        public let https: [String]
        /// The addresses of plain HTTP, such as `127.0.0.1:8080`.
        public let http: [String]
        /// The paths of Unix sockets, which speak plain HTTP.
        public let unix: [String]
        /// All of these in the order of the configuration: `https://127.0.0.1:8443`, `http://127.0.0.1:8080`,
        /// `unix:/run/aasa/http.sock`.
        public let all: [String]
        /// `127.0.0.1:9443` or `unix:/run/aasa/admin.sock`; `nil` if there is no admin listener.
        public let admin: String?

        init(_ listeners: [ServingListener], admin: Listener?) {
            var (https, http, unix, all): ([String], [String], [String], [String]) = ([], [], [], [])
            for listener in listeners {
                let address = listener.listener.address
                switch (address, listener.kind) {
                case (.unix(let path), _):
                    unix.append(path.text)
                    all.append(path.description)
                case (.internet, .https):
                    https.append(address.description)
                    all.append("https://\(address)")
                case (.internet, .plain):
                    http.append(address.description)
                    all.append("http://\(address)")
                }
            }
            (self.https, self.http, self.unix, self.all) = (https, http, unix, all)
            self.admin = admin?.address.description
        }
    }

    let logger: Logger
    let state: Locked<State>
    let reloader: Reloader
    /// The last good files of sites on disk; nil if they are not kept.
    let memory: SiteMemory?
    let challengeStore: ChallengeStore
    /// The version of the program, for the metrics.
    package let programVersion: String
    /// The state that the loops share.
    let shared: Worker.Shared
    /// Is notified of the server's state.
    let serviceManager: ServiceManager?
    /// Is called when a reload has changed `log`: the logger is not ours to change.
    let useLogSettings: @Sendable (ServerConfiguration.Log) -> Void
    private let stopped = DispatchSemaphore(value: 0)

    /// The findings in sites and certificates when they were last read.
    public var findings: [LocatedDiagnostic] { snapshot.findings }

    /// The number of sites and certificates that are not used as they are now.
    public var refusedCount: Int { snapshot.refusedCount }

    /// The number of sites that nobody can fetch, because no certificate covers them.
    public var sitesWithoutCertificate: Int { snapshot.coverage.sitesWithoutCertificate }

    /// For example `2 of 3 sites, 1 certificate`.
    public var summary: String { snapshot.summary }

    /// Reads sites and certificates.
    ///
    /// - Throws: `ServerError`: `unreadable` for a folder, or `nothingToServe`.
    public convenience init(_ configuration: ServerConfiguration, logger: Logger) throws(ServerError) {
        try self.init(configuration, logger: logger, rules: RuleRegistry.catalogue)
    }

    /// - Parameters:
    ///   - rules: The rules whose codes an `.aasa.json` may name.
    ///   - version: of the program, for the metrics.
    ///   - serviceManager: is notified of the server's state.
    ///   - mostContexts: of TLS; so many are made before the unused ones are dropped.
    ///   - useLogSettings: is called when a reload has changed `log`.
    package init(
        _ configuration: ServerConfiguration, logger: Logger, rules: RuleCatalogue = RuleRegistry.catalogue,
        version: String = "",
        serviceManager: ServiceManager? = nil, timing: ReloadTiming = ReloadTiming(), mostContexts: Int = 1_024,
        useLogSettings: @escaping @Sendable (ServerConfiguration.Log) -> Void = { _ in }
    ) throws(ServerError) {
        self.logger = logger
        self.useLogSettings = useLogSettings
        programVersion = version
        self.serviceManager = serviceManager
        let tls = try ServerTLS(mostContexts: mostContexts)
        let memory =
            configuration.store.isOn ? nil : configuration.stateFolder.map { SiteMemory($0, logger) }
        self.memory = memory
        let (snapshot, sites, certificates) = try ServerSnapshot.load(configuration, tls, rules, memory)
        state = Locked(State(snapshot: snapshot, served: snapshot))
        reloader = Reloader(
            sites, certificates, configuration.store.isOn ? StoreRows() : nil, timing: timing, tls: tls, logger: logger)
        challengeStore = ChallengeStore()
        let exhaustion = RateLimit(milliseconds: 10_000)
        let refusals = RefusedConnectionLog(logger: logger)
        shared = Worker.Shared(
            reportExhaustion: { error in
                if exhaustion.isDue() { logger.error("no new connections for a moment: \(error.reason)") }
            },
            reportRefusal: { refusals.report($0, of: $1, limit: $2) },
            reportUnexpectedHeader: { refusals.reportUnexpectedHeader(from: $0) },
            refusedNames: RefusedNameLog(logger: logger))
        reloader.server = self
        shared.health.use { [weak self] milliseconds in
            guard let self else { return true }
            return LoopQuery.ping(state.withLock { $0.workers }, milliseconds: milliseconds)
        }
    }

    /// Writes the findings to the log: one line for each file of a site, and a few for each other path.
    public func logFindings() { FindingLog(logger: logger).write(snapshot) }

    /// Binds all addresses and begins to serve, and to notice changes on disk.
    ///
    /// - Throws: `ServerError`: `addressUnavailable`, `configuration` for an invalid address, `unreadable` for an access
    ///   log that cannot be written, or `setUp`. Nothing is served then.
    @discardableResult
    public func start() throws(ServerError) -> Addresses { try start(InheritedListeners()) }

    /// Begins to serve on sockets that a service manager has bound, or binds all addresses.
    ///
    /// - Parameter ports: of the same configuration, which are open already.
    package func start(
        _ inherited: InheritedListeners, _ ports: consuming OpenPorts = OpenPorts()
    ) throws(ServerError) -> Addresses {
        let configuration = snapshot.configuration
        let listeners = try Self.listeners(configuration, inherited, ports)
        let adminListener = try Self.adminListener(configuration.admin, inherited)
        for listener in listeners.map(\.listener) + [adminListener].compactMap({ $0 })
        where listener.replacesStaleSocket {
            logger.info("\(listener.address): replaced a stale socket, on which nothing listened")
        }
        return try start(listeners, adminListener)
    }

    /// Begins to serve on these sockets.
    package func start(
        _ listeners: [ServingListener], _ adminListener: Listener? = nil
    ) throws(ServerError) -> Addresses {
        let configuration = snapshot.configuration
        let mostConnections = Self.mostConnections(configuration, logger)
        let log = try makeLog(configuration.log)
        openHTTP2Library(configuration)
        openQRLibrary(for: snapshot)
        let workers = try makeWorkers(listeners, mostConnections: mostConnections, log)
        let admin = try makeAdmin(adminListener)
        let latest = state.withLock { [workers] state in
            state.admin = admin
            state.isStarted = true
            state.log = log
            state.workers = workers
            state.running = workers.count
            state.mostConnections = mostConnections
            state.served = state.snapshot
            state.socketFiles = listeners.compactMap(\.listener.file)
            return state.snapshot
        }
        let settings = workerSettings(latest.configuration, mostConnections: mostConnections)
        for worker in workers {
            // A reload may have been quicker.
            worker.use(latest, settings)
            worker.use(challengeStore.current)
            worker.start()
        }
        admin?.start()
        reloader.start()
        memory?.keep(latest.loadedSites)
        return Addresses(listeners, admin: adminListener)
    }

    /// Notifies the service manager that the server is ready, and from now on that it is alive: call it when all
    /// listeners are open.
    package func notifyReady() {
        guard let serviceManager else { return }
        serviceManager.notify(.ready(status: summary))
        serviceManager.watch { [weak self] milliseconds in
            guard let self else { return true }
            return LoopQuery.ping(state.withLock { $0.workers }, milliseconds: milliseconds)
        }
    }

    /// Takes no more connections, answers what has begun, and stops. A second call closes what still runs.
    public func stop() {
        let (workers, isSecond, timeouts, socketFiles) = state.withLock { state in
            defer { state.isDraining = true }
            return (state.workers, state.isDraining, state.snapshot.configuration.timeouts, state.socketFiles)
        }
        if isSecond { return forceClose(workers, "") }
        // Before the backlogs are accepted for the last time: nobody new comes after that.
        for file in socketFiles { file.remove() }
        serviceManager?.notify(.stopping(status: "finishing the requests in progress"))
        reloader.stop()
        if workers.isEmpty { stopped.signal() }
        for worker in workers {
            worker.loop.post { worker.drain { [self] in workerEnded() } }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeouts.drain) { [weak self] in
            guard let self else { return }
            forceClose(state.withLock { $0.workers }, " after \(Self.seconds(timeouts.drain))")
        }
    }

    /// Returns when the server has stopped.
    public func waitUntilStopped() {
        stopped.wait()
        stopped.signal()
        memory?.finish()
    }

    /// Closes what still runs, and logs how much that is.
    private func forceClose(_ workers: [Worker], _ time: String) {
        // Before that: with its last loop the server ends. A loop that does not answer must not hold up the others.
        let count = LoopQuery.ask(workers, milliseconds: 1_000)?.connections ?? 0
        if count > 0 { logger.warning("\(counted(count, "connection")) closed\(time)") }
        for worker in workers { worker.loop.post { worker.forceClose() } }
    }

    private static func seconds(_ seconds: Double) -> String {
        Int(exactly: seconds).map { "\($0) s" } ?? "\(seconds) s"
    }

    private func workerEnded() {
        let isLast = state.withLock { state in
            state.running -= 1
            if state.running == 0 { state.workers = [] }
            return state.running == 0
        }
        if isLast { end() }
    }

    /// The loops have ended; until now the admin listener could answer.
    private func end() {
        let (log, admin) = state.withLock { state in
            defer { state.admin = nil }
            return (state.log, state.admin)
        }
        log?.close()
        guard let admin else {
            stopped.signal()
            return
        }
        admin.stop { [stopped] in _ = stopped.signal() }
    }

    private func makeAdmin(_ listener: Listener?) throws(ServerError) -> AdminServer? {
        guard let listener else { return nil }
        do throws(SystemError) {
            return try AdminServer(listener: listener, source: self)
        } catch {
            throw ServerError(.setUp, "cannot create the admin listener: \(error)")
        }
    }

    private func makeWorkers(
        _ listeners: [ServingListener], mostConnections: Int, _ log: AccessLog?
    ) throws(ServerError) -> [Worker] {
        let snapshot = snapshot
        let settings = workerSettings(snapshot.configuration, mostConnections: mostConnections)
        var workers: [Worker] = []
        do throws(SystemError) {
            for number in 0..<(snapshot.configuration.threads ?? ProcessLimits.cores) {
                let label = "aasa.loop.\(number)"
                workers.append(
                    try Worker(
                        label: label, snapshot: snapshot, settings: settings, shared: shared, listeners: listeners,
                        log: log?.makeBuffer()))
            }
        } catch {
            throw ServerError(.setUp, "cannot create an event loop: \(error)")
        }
        return workers
    }

    /// The number of connections that the process can hold.
    private static func mostConnections(_ configuration: ServerConfiguration, _ logger: Logger) -> Int {
        // Descriptors for files, logs and the loops themselves.
        let reserve = 64
        let files = ProcessLimits.raiseDescriptorLimit()
        let most = max(1, files - reserve)
        let line = "connections are limited to \(most): the process may only open \(files) files"
        let wanted = configuration.limits.connections
        if wanted > most {
            logger.warning("\(line)")
        } else if wanted == 0, most < ServerConfiguration.Limits().connections {
            logger.info("\(line)")
        }
        return most
    }
}
