import ArgumentParser
import AssociationServer
import CommandLineSupport
import Diagnostics
import EventLoops
import Glibc
import Logging

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves association files over HTTPS, never with a redirect.",
        discussion: """
            Sites are read from SITES/<domain>/apple-app-site-association, certificates from CERTS/<any name>/fullchain.pem \
            and privkey.pem. A flag overrides the key of server.json; paths in flags are relative to the working \
            directory, paths in server.json to its folder.

            A file that the validator finds errors in is not published: its last good version stays, and without one its \
            site answers 503. SIGHUP reads sites and certificates again, without disturbing a connection; SIGUSR1 opens the \
            logs again.

            Stop it with SIGTERM or SIGINT: requests that have begun are answered. A second signal cuts them.

            Under systemd it takes its sockets ('https' and 'admin' of LISTEN_FDNAMES), and tells when it is ready, reloads \
            and stops, and that it is alive.
            """
    )

    @Option(help: ArgumentHelp("The configuration (default: Config/server.json where it exists).", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The folder with a folder for each domain.", valueName: "folder"))
    var sites: String?

    @Option(help: ArgumentHelp("The folder with a folder for each certificate.", valueName: "folder"))
    var certs: String?

    @Option(help: ArgumentHelp("Where to listen, like 127.0.0.1:8443; may be repeated.", valueName: "address"))
    var listen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where to tell how it does, an address of this machine only, like 127.0.0.1:9443, or none.",
            valueName: "address"))
    var admin: String?

    @Option(help: ArgumentHelp("Event loops (default: the number of cores).", valueName: "number"))
    var threads: Int?

    @Flag(help: "Exit with 1 if a site or a certificate is refused at start.")
    var strictSites = false

    @Flag(help: "Read everything, report, and exit: 0 if nothing is refused, 1 if a site or a certificate is refused.")
    var check = false

    func validate() throws {
        if let threads, !(1...1_024).contains(threads) {
            throw ValidationError("'--threads \(threads)' is out of range; expected 1 to 1024")
        }
        for address in listen where SocketAddress(address) == nil {
            let expected = "expected an IP address and a port, like 127.0.0.1:8443 or [::1]:8443"
            throw ValidationError("'--listen \(address)' is no address; \(expected)")
        }
        if let admin, let problem = AdminAddress.problem(admin) {
            throw ValidationError("'--admin \(admin)' cannot be used; \(problem)")
        }
    }

    private var flags: ServeFlags {
        ServeFlags(
            config: config, sites: sites, certs: certs, listen: listen, admin: admin, threads: threads,
            strictSites: strictSites)
    }

    func run() throws {
        let logger = Logger(label: "aasa") { _ in StandardErrorLogHandler() }
        defer { StandardErrorLogHandler.finish() }
        do throws(ServerError) {
            if check { try report() } else { try serve(logger) }
        } catch {
            StandardErrorLogHandler.finish()
            for message in error.messages { StandardError.write(message) }
            throw error.exitStatus.code
        }
    }

    private func serve(_ logger: Logger) throws(ServerError) {
        // First, while there is one thread.
        Machine.shareMemoryPools(threads ?? Machine.cores)
        let (serviceManager, inherited) = try Self.service(logger)
        Machine.prepareSignals()
        // Before anything that takes time: a signal must not end a server that is about to be one.
        let signals = HeldSignals { signal in
            logger.info("\(signal.name): stopped before it was ready")
            StandardErrorLogHandler.finish()
            // Not exit(3): the other thread is in the middle of something.
            _exit(ExitStatus.done.rawValue)
        }
        let source = SignalSource(SignalSource.Signal.allCases) { signals.receive($0) }
        serviceManager.notify(.working(status: "reading sites and certificates"))
        var tolerated: [Finding] = []
        let flags = flags.pinned
        let configuration = try flags.configuration { tolerated.append($0) }
        let server = try AssociationServer(
            configuration, logger: logger, version: AASA.version, serviceManager: serviceManager)
        if configuration.strictSites, server.refusedCount > 0 {
            return try report(tolerated + server.findings, server.summary, server.refusedCount)
        }
        for finding in tolerated { logger.warning("\(finding)") }
        server.logFindings()
        if Machine.isRoot {
            logger.warning(
                """
                running as root, which is not needed: let systemd open the socket, or use DynamicUser= with \
                AmbientCapabilities=CAP_NET_BIND_SERVICE
                """)
        }
        signals.hold()
        if !inherited.https.isEmpty {
            logger.info("the sockets are those of the service manager; 'listen' is not used")
        }
        let addresses = try server.start(inherited)
        if let admin = addresses.admin { logger.info("admin: http://\(admin)") }
        logger.info("ready: \(server.summary) on \(addresses.https.map { "https://\($0)" }.joined(separator: ", "))")
        server.tellReady()
        signals.deliver { signal in
            switch signal {
            case .hangup:
                server.reload { [flags] () throws(ServerError) in
                    try flags.configuration { logger.warning("\($0)") }
                }
            case .user1: server.reopenLogs()
            case .terminate, .interrupt:
                let isSecond = server.servingState == .draining
                // After a second one the process may end at once.
                if isSecond { logger.info("\(signal.name): stopping at once") }
                server.stop()
                if !isSecond { logger.info("\(signal.name): stopping") }
            }
        }
        withExtendedLifetime(source) { server.waitUntilStopped() }
        logger.info("stopped")
    }

    /// What a service manager has handed over.
    private static func service(_ logger: Logger) throws(ServerError) -> (ServiceManager, InheritedListeners) {
        do throws(ServiceManagerError) {
            let environment = try ServiceManagerEnvironment.take()
            let manager = ServiceManager(environment) { logger.warning("\($0)") }
            return (manager, try InheritedListeners(environment))
        } catch {
            throw ServerError(.addressUnavailable, [error.description])
        }
    }

    /// Reads everything and says what was found.
    private func report() throws(ServerError) {
        let logger = Logger(label: "aasa") { _ in SwiftLogNoOpLogHandler() }
        var tolerated: [Finding] = []
        let configuration: ServerConfiguration
        do throws(ServerError) {
            configuration = try flags.configuration { tolerated.append($0) }
        } catch {
            throw adding(to: error, logger)
        }
        let server = try AssociationServer(configuration, logger: logger)
        let log = AccessLog.problem(configuration.log)
        try report(
            tolerated + (log.map { [$0] } ?? []) + server.findings, server.summary, server.refusedCount,
            isLogUsable: log == nil)
    }

    /// What is wrong with server.json, and with sites and certificates, too, as far as it says where they are.
    private func adding(to error: ServerError, _ logger: Logger) -> ServerError {
        guard let usable = error.usableConfiguration else { return error }
        do throws(ServerError) {
            let server = try AssociationServer(flags.applied(to: usable), logger: logger)
            return ServerError(error.code, [], findings: error.findings + server.findings)
        } catch let other {
            let messages = other.messages.dropFirst(other.findings.reduce(0) { $0 + $1.block.count })
            return ServerError(error.code, Array(messages), findings: error.findings + other.findings)
        }
    }

    /// Says everything that was found, and whether all is well.
    private func report(
        _ findings: [Finding], _ summary: String, _ refused: Int, isLogUsable: Bool = true
    ) throws(ServerError) {
        for line in findings.flatMap(\.block) { StandardError.write(line) }
        let errors = findings.count { $0.severity == .error }
        guard errors == 0 else {
            var problems = refused > 0 ? ["\(refused) refused"] : []
            if !isLogUsable { problems.append("no access log") }
            if problems.isEmpty { problems = ["errors in '.aasa.json'"] }
            throw ServerError(.refused, ["\(summary): \(problems.joined(separator: ", "))"])
        }
        let warnings = "\(findings.count) warning\(findings.count == 1 ? "" : "s")"
        StandardError.write("\(summary): \(findings.isEmpty ? "all is well" : "nothing refused, \(warnings)")")
    }
}

extension SignalSource.Signal {
    fileprivate var name: String {
        switch self {
        case .hangup: "SIGHUP"
        case .interrupt: "SIGINT"
        case .user1: "SIGUSR1"
        case .terminate: "SIGTERM"
        }
    }
}

extension ServerError {
    var exitStatus: ExitStatus {
        switch code {
        case .configuration: .unusableData
        case .unreadable: .missingFile
        case .addressUnavailable: .unavailable
        case .nothingToServe, .refused: .failed
        default: .internalError
        }
    }
}
