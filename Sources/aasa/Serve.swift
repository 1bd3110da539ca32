import ArgumentParser
import AssociationServer
import CommandLineSupport
import EventLoops
import Logging

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves association files over HTTPS, never with a redirect.",
        discussion: """
            Sites are read from SITES/<domain>/apple-app-site-association, certificates from CERTS/<any name>/fullchain.pem \
            and privkey.pem. A flag overrides the key of server.json; paths in flags are relative to the working \
            directory, paths in server.json to its folder.

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
        let configuration = try settings()
        let server = try AssociationServer(configuration, logger: logger)
        let refused = server.findings.filter { $0.severity == .error }
        if check || configuration.strictSites && !refused.isEmpty {
            for finding in server.findings { StandardError.write(finding.description) }
            let summary = "\(server.summary): \(refused.isEmpty ? "all is well" : "\(refused.count) refused")"
            guard refused.isEmpty else { throw ServerError(.refused, [summary]) }
            StandardError.write(summary)
            return
        }
        for finding in server.findings {
            logger.log(level: finding.severity == .error ? .error : .warning, "\(finding)")
        }
        if Machine.isRoot {
            logger.warning(
                """
                running as root, which is not needed: let systemd open the socket, or use DynamicUser= with \
                AmbientCapabilities=CAP_NET_BIND_SERVICE
                """)
        }
        Machine.prepareSignals()
        let signals = SignalSource([.terminate, .interrupt]) { signal in
            server.stop()
            logger.info("\(signal == .terminate ? "SIGTERM" : "SIGINT"): stopping")
        }
        let addresses = try server.start()
        logger.info("ready: \(server.summary) on \(addresses.map { "https://\($0)" }.joined(separator: ", "))")
        withExtendedLifetime(signals) { server.waitUntilStopped() }
        logger.info("stopped")
    }

    private func settings() throws(ServerError) -> ServerConfiguration {
        var configuration = try ServerConfiguration.load(path: config)
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
