internal import Dispatch
internal import EventLoops
public import Logging
internal import OpenSSL
internal import Synchronization

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
        var workers: [Worker] = []
        /// Workers that have not ended yet.
        var running = 0
        var isDraining = false
    }

    private let configuration: ServerConfiguration
    private let logger: Logger
    private let snapshot: ServerSnapshot
    private let state = Mutex(State())
    private let stopped = DispatchSemaphore(value: 0)
    private let exhaustion = RateLimit(milliseconds: 10_000)

    /// What was found wrong with sites and certificates.
    public var findings: [Finding] { snapshot.findings }

    /// For example `2 of 3 sites, 1 certificate`.
    public var summary: String {
        let certificates =
            snapshot.certificateCount == 1 ? "1 certificate" : "\(snapshot.certificateCount) certificates"
        let sites = snapshot.siteCount == 1 ? "1 site" : "\(snapshot.siteCount) sites"
        let published = snapshot.publishedCount == snapshot.siteCount ? "" : "\(snapshot.publishedCount) of "
        return "\(published)\(sites), \(certificates)"
    }

    /// Reads sites and certificates.
    ///
    /// - Throws: `ServerError`: `unreadable` for a folder, or `nothingToServe`.
    public init(_ configuration: ServerConfiguration, logger: Logger) throws(ServerError) {
        self.configuration = configuration
        self.logger = logger
        let keys: TicketKeys
        do throws(OpenSSLError) {
            keys = try TicketKeys { Clock.monotonicMilliseconds() / 1_000 }
        } catch {
            throw ServerError(.setUp, error.description)
        }
        snapshot = try ServerSnapshot.load(configuration, ticketKeys: keys)
    }

    /// Binds all addresses and begins to serve.
    ///
    /// - Returns: the addresses that are served, with the ports that the system chose where 0 was asked for.
    /// - Throws: `ServerError`: `addressUnavailable`, `configuration` for an address that is none, or `setUp`. Nothing is
    ///   served then.
    @discardableResult
    public func start() throws(ServerError) -> [String] {
        let listeners = try bindAll()
        let shared = makeShared()
        var workers: [Worker] = []
        do throws(SystemError) {
            for number in 0..<(configuration.threads ?? Machine.cores) {
                let label = "aasa.loop.\(number)"
                workers.append(try Worker(label: label, snapshot: snapshot, shared: shared, listeners: listeners))
            }
        } catch {
            throw ServerError(.setUp, "an event loop cannot be made: \(error)")
        }
        state.withLock { $0 = State(workers: workers, running: workers.count) }
        for worker in workers { worker.start() }
        return listeners.map(\.address.description)
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

    private func bindAll() throws(ServerError) -> [Listener] {
        var listeners: [Listener] = []
        for text in configuration.listen ?? ["0.0.0.0:443", "[::]:443"] {
            guard let address = SocketAddress(text) else {
                let expected = "expected an IP address and a port, like '0.0.0.0:443' or '[::1]:8443'"
                throw ServerError(.configuration, "cannot listen on '\(text)': \(expected)")
            }
            do throws(SystemError) {
                listeners.append(try Listener(address))
            } catch {
                // Without being asked for it, IPv6 is served where there is IPv6.
                if configuration.listen == nil, address.isIPv6, error.isAddressUnavailable { continue }
                throw ServerError(.addressUnavailable, Self.message(address, error))
            }
        }
        return listeners
    }

    private static func message(_ address: SocketAddress, _ error: SystemError) -> String {
        let problem = "cannot listen on \(address): \(error.reason)"
        if error.isAddressInUse {
            return "\(problem); another process has port \(address.port): stop it, or choose a port with --listen"
        }
        if error.isPermissionDenied, address.port < 1_024 {
            return """
                \(problem); ports below 1024 need a right: choose another with --listen, give the process \
                CAP_NET_BIND_SERVICE, or let systemd open the socket
                """
        }
        if error.isAddressUnavailable { return "\(problem); choose an address of this machine with --listen" }
        return problem
    }

    private func makeShared() -> Worker.Shared {
        // Descriptors for files, logs and the loops themselves.
        let reserve = 64
        let most = max(1, Machine.raiseDescriptorLimit() - reserve)
        var connections = configuration.limits.connections
        if connections == 0 || connections > most {
            if connections > 0 {
                logger.warning(
                    "connections are limited to \(most): the process may open no more than \(most + reserve) files")
            }
            connections = most
        }
        return Worker.Shared(
            limits: ConnectionLimits(connections: connections, perAddress: configuration.limits.perAddress),
            standard: StandardResponses(), timeouts: ConnectionState.Timeouts(configuration.timeouts),
            requestsPerConnection: configuration.limits.requestsPerConnection, defaultSite: configuration.defaultSite,
            reportExhaustion: { [logger, exhaustion] error in
                if exhaustion.isDue() { logger.error("no new connections for a moment: \(error.reason)") }
            })
    }
}
