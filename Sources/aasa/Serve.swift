import ArgumentParser
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import EventLoops
import Glibc
import Logging

struct Serve: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve association files over HTTPS, or over plain HTTP behind a proxy.",
        discussion: manual.discussion(
            """
            Sites are read from SITES/<domain>/apple-app-site-association, certificates from CERTS/<any name>/fullchain.pem \
            and privkey.pem. A flag overrides the key of server.json; paths in flags are relative to the working \
            directory, paths in server.json to its folder.

            ADDRESS is one of three forms: 'ADDR:PORT' serves HTTPS; 'http://ADDR:PORT' and 'unix:/absolute/path' serve plain \
            HTTP to a proxy that terminates TLS. Without a listener for HTTPS no certificates are needed.

            A file that the validator finds errors in is not published: its last good version stays, and without one its \
            site answers 503. SIGHUP reads sites and certificates again, without disturbing a connection; SIGUSR1 opens the \
            logs again.

            Stop it with SIGTERM or SIGINT: requests that have begun are answered. A second signal closes them.

            Supports systemd socket activation (sockets named 'https', 'http', 'https-proxy', 'http-proxy' and 'admin'), \
            readiness notification, the watchdog and priorities in the journal.

            --check exits with 1 if a site cannot be fetched, its certificate has less than 7 days left, or anything is \
            refused; with less than 30 days, and for other warnings, it exits with 0, or with 1 if --strict is given. With \
            --format nagios it exits as monitoring plugins do: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.

            --probe asks the admin listener of a running server for /readyz, and exits with 0 if it is ready, with 1 if it is \
            not, and with 69 if nobody answers.
            """)
    )

    @Option(
        help: ArgumentHelp("Read FILE as server.json (default: Config/server.json where it exists).", valueName: "file")
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Read sites from FOLDER, one folder per domain (default: Config/sites).", valueName: "folder"))
    var sites: String?

    @Option(
        help: ArgumentHelp(
            "Read certificates from FOLDER, one folder per certificate (default: certs).", valueName: "folder"))
    var certs: String?

    @Option(
        help: ArgumentHelp(
            "Listen on ADDRESS: 443, 127.0.0.1:8443, http://127.0.0.1:8080 or unix:/run/aasa/http.sock (repeatable; default: 443).",
            valueName: "address"))
    var listen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Listen on ADDRESS for health checks and metrics: a loopback address like 127.0.0.1:9443, unix:/run/aasa/admin.sock, or 'none' (default: none).",
            valueName: "address"))
    var admin: String?

    @Option(help: ArgumentHelp("Run NUMBER event loops (default: the number of cores).", valueName: "number"))
    var threads: Int?

    @Flag(help: "Do not start if a site or a certificate is refused, or a site has no certificate.")
    var strictSites = false

    @Flag(help: "Read everything, print what is not right, and exit.")
    var check = false

    @Flag(help: "Ask the admin listener of a running server whether it is ready, and exit.")
    var probe = false

    @Option(help: "Choose the output format of --check (default: text).")
    var format: ServeHealthFormat?

    @Flag(help: "With --check, treat warnings as errors.")
    var strict = false

    func validate() throws {
        if let problem = flags.problem { throw ValidationError(problem) }
        if check, probe { throw ValidationError("'--probe' and '--check' exclude each other") }
        if !check, strict || format != nil {
            throw ValidationError("'\(strict ? "--strict" : "--format")' is for '--check' only")
        }
    }

    var flags: ServeFlags {
        ServeFlags(
            config: config, sites: sites, certs: certs, listen: listen, admin: admin, threads: threads,
            strictSites: strictSites)
    }

    func run() throws {
        defer { StandardErrorLogHandler.finish() }
        if check { return try printHealth() }
        if probe { return try printReadiness() }
        try Self.start(flags)
    }

    /// Serves until a signal ends it.
    static func start(_ flags: ServeFlags) throws {
        let logger = Logger(label: "aasa") { _ in StandardErrorLogHandler() }
        defer { StandardErrorLogHandler.finish() }
        do throws(ServerError) {
            try serve(flags, logger)
        } catch {
            // In the journal a failure to start has the priority of one.
            if StandardErrorLogHandler.isJournal {
                for line in error.logLines { logger.error("\(line)") }
            }
            StandardErrorLogHandler.finish()
            if !StandardErrorLogHandler.isJournal { for message in error.messages { StandardError.write(message) } }
            throw error.exitStatus.code
        }
    }

    private static func useLog(_ log: ServerConfiguration.Log) {
        let level: Logger.Level =
            switch log.level {
            case .error: .error
            case .warning: .warning
            case .info: .info
            }
        StandardErrorLogHandler.configure(level: level, isJSON: log.messages == .json)
    }

    private static func serve(_ flags: ServeFlags, _ logger: Logger) throws(ServerError) {
        // First, while there is one thread.
        ProcessLimits.shareMemoryPools(flags.threads ?? ProcessLimits.cores)
        let (serviceManager, inherited) = try service(logger)
        ProcessLimits.prepareSignals()
        // Before anything that takes time: a signal must not end a server that is about to be one.
        let signals = HeldSignals { signal in
            logger.info("\(signal.name): stopped before it was ready")
            StandardErrorLogHandler.finish()
            // Not exit(3): the other thread is in the middle of something.
            _exit(ExitStatus.done.rawValue)
        }
        let source = SignalSource(SignalSource.Signal.allCases) { signals.receive($0) }
        serviceManager.notify(.working(status: "reading sites and certificates"))
        var tolerated: [LocatedDiagnostic] = []
        let flags = flags.pinned(inherited)
        let configuration = try flags.configuration { tolerated.append($0) }
        useLog(configuration.log)
        let ports = try AssociationServer.openPorts(configuration, inherited)
        let server = try AssociationServer(
            configuration, logger: logger, version: AASA.version, serviceManager: serviceManager,
            useLogSettings: useLog)
        source.waitUntilWatched()
        if configuration.strictSites { try refuse(server, tolerated) }
        for finding in tolerated { logger.warning("\(finding.logLine)") }
        server.logFindings()
        if ProcessLimits.isRoot {
            logger.warning(
                """
                running as root, which is not needed: let systemd open the socket, or use DynamicUser= with \
                AmbientCapabilities=CAP_NET_BIND_SERVICE
                """)
        }
        signals.hold()
        if !inherited.serving.isEmpty {
            logger.info("the sockets are those of the service manager; 'listen' is not used")
        }
        let addresses = try server.start(inherited, ports)
        if let admin = addresses.admin { logger.info("admin: \(admin.hasPrefix("unix:") ? "" : "http://")\(admin)") }
        logger.info("ready: \(server.summary) on \(addresses.all.joined(separator: ", "))")
        server.notifyReady()
        let certificates = AutomaticCertificates(server, logger: logger, environment: .system(version: AASA.version))
        certificates.start(isNeeded: configuration.acme.isOn)
        signals.deliver { signal in
            switch signal {
            case .hangup:
                server.reload { [flags] () throws(ServerError) in
                    try flags.configuration { logger.warning("\($0.logLine)") }
                }
            case .user1: server.reopenLogs()
            case .terminate, .interrupt:
                let isSecond = server.servingState == .draining
                // After a second one the process may end at once.
                if isSecond { logger.info("\(signal.name): stopping at once") }
                // First: challenges that nobody answers any more would be failures.
                certificates.stop()
                server.stop()
                if !isSecond { logger.info("\(signal.name): stopping") }
            }
        }
        withExtendedLifetime(source) { server.waitUntilStopped() }
        certificates.waitUntilStopped()
        logger.info("stopped")
    }

    /// The service manager, and the sockets that it has opened.
    private static func service(_ logger: Logger) throws(ServerError) -> (ServiceManager, InheritedListeners) {
        do throws(ServiceManagerError) {
            let environment = try ServiceManagerEnvironment.take()
            let manager = ServiceManager(environment) { logger.warning("\($0)") }
            return (manager, try InheritedListeners(environment))
        } catch {
            throw ServerError(.addressUnavailable, error.description)
        }
    }

    /// What `strictSites` does not let pass.
    private static func refuse(_ server: AssociationServer, _ tolerated: [LocatedDiagnostic]) throws(ServerError) {
        var problems: [String] = []
        if server.refusedCount > 0 { problems.append("\(server.refusedCount) refused") }
        let uncovered = server.sitesWithoutCertificate
        if uncovered > 0 { problems.append("\(counted(uncovered, "site")) without a certificate") }
        guard !problems.isEmpty else { return }
        throw ServerError(
            .refused, [ServerError.cause("\(server.summary): \(problems.joined(separator: ", ")) (strictSites)")],
            findings: tolerated + server.findings)
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

/// The options of `aasa serve` that override keys of server.json.
struct ServeFlags: Sendable {
    /// The path of server.json; nil takes the default one, if it exists.
    var config: String?
    var sites: String?
    var certs: String?
    /// Empty leaves those of server.json.
    var listen: [String] = []
    /// An address or `none`.
    var admin: String?
    var threads: Int?
    var strictSites = false
    /// The sockets of a service manager, which take the place of all other listeners; nil if there are none.
    var sockets: [ListenerConfiguration]?

    /// What is wrong with their values, as a clause; nil if nothing is.
    var problem: String? {
        if let threads, !(1...1_024).contains(threads) {
            return "'--threads \(threads)' is out of range; expected 1 to 1024"
        }
        for address in listen {
            guard let problem = ListenerConfiguration(address).problem else { continue }
            return "'--listen \(address)' cannot be used; \(problem)"
        }
        if let admin, let problem = AdminAddress.problem(admin) {
            return "'--admin \(admin)' cannot be used; \(problem)"
        }
        return nil
    }

    /// The same for a running server: a configuration that it was started with has to be there from now on.
    func pinned(_ inherited: InheritedListeners) -> ServeFlags {
        var flags = self
        if !inherited.serving.isEmpty { flags.sockets = inherited.serving.map(ListenerConfiguration.init) }
        if config == nil, access(ServerConfiguration.defaultPath, F_OK) == 0 {
            flags.config = ServerConfiguration.defaultPath
        }
        return flags
    }

    /// server.json as it is now, and the options.
    ///
    /// - Parameter report: is called with each warning about server.json.
    func configuration(_ report: (LocatedDiagnostic) -> Void) throws(ServerError) -> ServerConfiguration {
        let configuration = applied(to: try ServerConfiguration.load(path: config, report: report))
        if let error = configuration.unreachableListenerError { throw error }
        return configuration
    }

    /// A configuration with the options in place of its values.
    func applied(to configuration: ServerConfiguration) -> ServerConfiguration {
        var configuration = configuration
        if let sites { configuration.sites = sites }
        if let certs { configuration.certs = certs }
        if !listen.isEmpty { configuration.listen = listen.map { ListenerConfiguration($0) } }
        if let sockets { configuration.listen = sockets }
        if let admin { configuration.admin = admin == AdminAddress.none ? nil : admin }
        if let threads { configuration.threads = threads }
        if strictSites { configuration.strictSites = true }
        return configuration
    }
}

extension ServeFlags {
    /// Reads the arguments of a usual start without the option parser, which takes a tenth of the time until the first
    /// answer; nil for all other arguments, and for values that cannot be used.
    init?(plain arguments: [String]) {
        guard arguments.first == "serve",
            let options = PlainOptions(
                arguments.dropFirst(), single: ["--config", "--sites", "--certs", "--admin", "--threads"],
                repeatable: ["--listen"], flags: ["--strict-sites"])
        else { return nil }
        self.init(
            config: options["--config"], sites: options["--sites"], certs: options["--certs"],
            listen: options.all("--listen"), admin: options["--admin"], strictSites: options.has("--strict-sites"))
        if let number = options["--threads"] {
            threads = Int(number)
            if threads == nil { return nil }
        }
        if problem != nil { return nil }
    }
}
