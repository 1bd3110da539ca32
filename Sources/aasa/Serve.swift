import ArgumentParser
import AssociationServer
import CommandLineSupport
import Diagnostics
import EventLoops
import Logging

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves association files over HTTPS, never with a redirect.",
        discussion: """
            Sites are read from SITES/<domain>/apple-app-site-association, certificates from CERTS/<any name>/fullchain.pem \
            and privkey.pem. A flag overrides the key of server.json; paths in flags are relative to the working \
            directory, paths in server.json to its folder.

            A file that the validator finds errors in is not published: its last good version stays, and without one its \
            site answers 503. SIGHUP reads sites and certificates again, without disturbing a connection.

            Stop it with SIGTERM or SIGINT: requests that have begun are answered. A second signal cuts them.
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

    @Option(help: ArgumentHelp("Event loops (default: the number of cores).", valueName: "number"))
    var threads: Int?

    @Flag(help: "Exit with 1 if a site or a certificate is refused at start.")
    var strictSites = false

    @Flag(help: "Read everything, report, and exit: 0 if all is well, 1 if a site or a certificate is refused.")
    var check = false

    func validate() throws {
        if let threads, !(1...1_024).contains(threads) {
            throw ValidationError("'--threads \(threads)' is out of range; expected 1 to 1024")
        }
        for address in listen where SocketAddress(address) == nil {
            let expected = "expected an IP address and a port, like 127.0.0.1:8443 or [::1]:8443"
            throw ValidationError("'--listen \(address)' is no address; \(expected)")
        }
    }

    func run() throws {
        let logger = Logger(label: "aasa") { _ in StandardErrorLogHandler() }
        do throws(ServerError) {
            try serve(logger)
        } catch {
            for message in error.messages { StandardError.write(message) }
            throw error.exitStatus.code
        }
    }

    private func serve(_ logger: Logger) throws(ServerError) {
        var tolerated: [Finding] = []
        let configuration = try settings { tolerated.append($0) }
        let server = try AssociationServer(configuration, logger: logger)
        let refused = server.refusedCount
        if check || configuration.strictSites && refused > 0 {
            return try report(tolerated + server.findings, server.summary, refused)
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
        Machine.prepareSignals()
        let signals = SignalSource([.terminate, .interrupt, .hangup]) { signal in
            switch signal {
            case .hangup: server.reload()
            case .terminate, .interrupt:
                server.stop()
                logger.info("\(signal == .terminate ? "SIGTERM" : "SIGINT"): stopping")
            }
        }
        let addresses = try server.start()
        logger.info("ready: \(server.summary) on \(addresses.map { "https://\($0)" }.joined(separator: ", "))")
        withExtendedLifetime(signals) { server.waitUntilStopped() }
        logger.info("stopped")
    }

    /// Says everything that was found, and whether all is well.
    private func report(_ findings: [Finding], _ summary: String, _ refused: Int) throws(ServerError) {
        for line in findings.flatMap(\.block) { StandardError.write(line) }
        let errors = findings.count { $0.severity == .error }
        guard errors == 0 else {
            let problem = refused > 0 ? "\(refused) refused" : "errors in '.aasa.json'"
            throw ServerError(.refused, ["\(summary): \(problem)"])
        }
        let warnings = findings.isEmpty ? "" : ", with \(findings.count) warning\(findings.count == 1 ? "" : "s")"
        StandardError.write("\(summary): all is well\(warnings)")
    }

    private func settings(_ report: (Finding) -> Void) throws(ServerError) -> ServerConfiguration {
        var configuration = try ServerConfiguration.load(path: config, report: report)
        if let sites { configuration.sites = sites }
        if let certs { configuration.certs = certs }
        if !listen.isEmpty { configuration.listen = listen }
        if let threads { configuration.threads = threads }
        if strictSites { configuration.strictSites = true }
        return configuration
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
