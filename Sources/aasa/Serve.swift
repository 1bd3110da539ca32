import ArgumentParser
import AssociationServer
import AutomaticCertificates
import CommandLineSupport
import Diagnostics
import EventLoops
import FindingCatalogue
import Glibc
import Logging
import PostgreSQLStore
import ServiceHealth

struct Serve: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve association files over HTTPS, or over plain HTTP behind a proxy.",
        discussion: manual.discussion(
            """
            Sites are read from SITES/<domain>/apple-app-site-association, certificates from CERTS/<any name>/fullchain.pem \
            and privkey.pem. An option overrides its key in server.json. Paths in options are relative to the working \
            directory, paths in server.json to its folder.

            ADDRESS is one of three forms: 'ADDR:PORT' serves HTTPS; 'http://ADDR:PORT' and 'unix:/absolute/path' serve plain \
            HTTP to a proxy that terminates TLS. Without a listener for HTTPS no certificates are needed.

            --demo, or a FOLDER, tries files out on this machine: without server.json, with a new development certificate, on \
            127.0.0.1:8443, and with the admin listener 127.0.0.1:9443. FOLDER has the files of one site, which is served as \
            localhost, or a folder for each domain; without one, a sample is served. The log says how to fetch the file.

            A file with errors is not published: the last good version stays, or, without one, the site answers 503. \
            SIGHUP reloads sites and certificates without interrupting connections; SIGUSR1 reopens the logs.

            SIGTERM or SIGINT stops the server after the requests in progress are answered. A second signal closes them.

            Supports systemd socket activation (sockets named 'https', 'http', 'https-proxy', 'http-proxy' and 'admin'), \
            readiness notification, the watchdog and priorities in the journal.

            --check exits with 1 if action is needed: a site cannot be fetched, its certificate is about to expire or \
            cannot be ordered, or anything is refused. For warnings it exits with 0, or with 1 if --strict is given. With \
            --format nagios it exits as monitoring plugins do: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN. 'aasa certificates' \
            judges certificates in the same way.

            --probe requests /readyz from the admin listener of a running server. It exits with 0 if the server is ready, \
            with 1 if it is not, and with 69 if nothing answers.
            """)
    )

    @Argument(
        help: ArgumentHelp(
            "Try the files in FOLDER on this machine only, with a development certificate.", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @Flag(help: "Try the files in FOLDER, or a sample, on this machine only, with a development certificate.")
    var demo = false

    @OptionGroup var paths: ServerPathOptions

    @Option(
        help: ArgumentHelp(
            "Listen on ADDRESS: 443, 127.0.0.1:8443, http://127.0.0.1:8080 or unix:/run/aasa/http.sock (repeatable; default: 443).",
            valueName: "address"))
    var listen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Listen on ADDRESS for health checks and metrics: a loopback address like 127.0.0.1:9443, a port of 127.0.0.1, unix:/run/aasa/admin.sock, or 'none' (default: none).",
            valueName: "address"))
    var admin: String?

    @OptionGroup(title: "Options for many machines") var store: StoreOptions

    @Option(help: ArgumentHelp("Run NUMBER event loops (default: the number of cores).", valueName: "number"))
    var threads: Int?

    @Flag(help: "Do not start if a site or a certificate is refused, or a site has no certificate.")
    var strictSites = false

    @Flag(help: "Read everything, print the problems, and exit.")
    var check = false

    @Flag(help: "Ask the admin listener of a running server whether it is ready, and exit.")
    var probe = false

    @Option(help: "Choose the output format of --check (default: text).")
    var format: HealthFormat?

    @Flag(help: "With --check, treat warnings as errors.")
    var strict = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let problem = flags.problem { throw ValidationError(problem) }
        if flags.isDemo, check || probe {
            throw ValidationError("'\(check ? "--check" : "--probe")' is for a server with server.json")
        }
        if check, probe { throw ValidationError("'--probe' and '--check' exclude each other") }
        if !check, strict || format != nil {
            throw ValidationError("'\(strict ? "--strict" : "--format")' is for '--check' only")
        }
    }

    var flags: ServeFlags {
        ServeFlags(
            config: paths.config, sites: paths.sites, certs: paths.certs, listen: listen, admin: admin,
            threads: threads, strictSites: strictSites, store: store.flags, isDemo: demo || folder != nil,
            demoFolder: folder)
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
        let level = Logger.Level(rawValue: log.level.rawValue) ?? .info
        StandardErrorLogHandler.configure(level: level, isJSON: log.messages == .json)
    }

    private static func serve(_ flags: ServeFlags, _ logger: Logger) throws(ServerError) {
        // First, while there is one thread.
        ProcessLimits.shareMemoryPools(flags.threads ?? ProcessLimits.cores)
        let (serviceManager, inherited) = try service(logger)
        ProcessLimits.prepareSignals()
        if flags.isDemo, !inherited.serving.isEmpty || inherited.admin != nil {
            throw ServerError(.usage, "a demo does not use the sockets of a service manager, which others may reach")
        }
        let demo = flags.isDemo ? try ServeDemo(flags.demoFolder) : nil
        defer { demo?.remove() }
        // Before anything that takes time: a signal must not end a server that is about to be one.
        let signals = DeferredSignals { signal in
            logger.info("\(signal.name): stopped before it was ready")
            demo?.remove()
            StandardErrorLogHandler.finish()
            // Not exit(3): the other thread is in the middle of something.
            _exit(ExitStatus.done.rawValue)
        }
        let source = SignalSource(SignalSource.Signal.allCases) { signals.receive($0) }
        serviceManager.notify(.working(status: "reading sites and certificates"))
        var tolerated: [LocatedDiagnostic] = []
        let flags = flags.pinned(inherited, demo?.configuration)
        let configuration = try flags.configuration { tolerated.append($0) }
        useLog(configuration.log)
        let node = try node(configuration, logger)
        let ports = try LinkServer.openPorts(configuration, inherited)
        let server: LinkServer
        do throws(ServerError) {
            server = try LinkServer(
                configuration, logger: logger, rules: AllRules.catalogue, version: AASA.version,
                serviceManager: serviceManager, useLogSettings: useLog)
        } catch {
            throw demo?.explained(error) ?? error
        }
        source.waitUntilWatched()
        // What comes from a store is logged when it comes.
        server.logFindings()
        if let node { try start(node, server) }
        if configuration.strictSites { try refuse(server, tolerated) }
        for finding in tolerated { logger.warning("\(finding.logLine)") }
        if ProcessLimits.isRoot {
            logger.warning(
                """
                running as root, which is not needed: let systemd open the socket, or use DynamicUser= with \
                AmbientCapabilities=CAP_NET_BIND_SERVICE
                """)
        }
        signals.deferTermination()
        if !inherited.serving.isEmpty {
            logger.info("using the service manager's sockets; 'listen' is ignored")
        }
        let addresses = try server.start(inherited, ports)
        if let admin = addresses.admin { logger.info("admin: \(admin.hasPrefix("unix:") ? "" : "http://")\(admin)") }
        logger.info("ready: \(server.summary) on \(addresses.all.joined(separator: ", "))")
        server.notifyReady()
        server.useConsoleFeatures(consoleFeatures(node?.address))
        var environment = IssuanceEnvironment.system(version: AASA.version)
        environment.cluster = node.map { StoreCluster($0, logger: logger) }
        let certificates = IssuanceDriver(server, logger: logger, environment: environment)
        certificates.start(isNeeded: configuration.acme.isOn)
        if let demo {
            StandardErrorLogHandler.finish()
            for line in demo.introduction(addresses) { StandardError.write(line) }
        }
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
                node?.stop()
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

    /// Refuses to start with what `strictSites` does not let pass.
    private static func refuse(_ server: LinkServer, _ tolerated: [LocatedDiagnostic]) throws(ServerError) {
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
        case .usage: .usage
        case .unreadable: .missingFile
        case .addressUnavailable: .unavailable
        case .nothingToServe, .refused: .failed
        case .setUp: .internalError
        }
    }
}
