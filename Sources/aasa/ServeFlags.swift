import ArgumentParser
import AssociationServer
import BoundedText
import CommandLineSupport
import Diagnostics
import EventLoops
import Glibc

/// Where server.json, sites and certificates are.
struct ServerPathOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read FILE as server.json (default: Config/server.json where it exists).", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Read sites from FOLDER, one folder per domain (default: Config/sites).", valueName: "folder"),
        completion: .directory)
    var sites: String?

    @Option(
        help: ArgumentHelp(
            "Read certificates from FOLDER, one folder per certificate (default: certs).", valueName: "folder"),
        completion: .directory)
    var certs: String?
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
    var store = StoreFlags()
    /// The sockets of a service manager, which take the place of all other listeners; nil if there are none.
    var sockets: [ListenerConfiguration]?
    /// Whether server.json is not read, because something is tried out.
    var isDemo = false
    /// The folder of files to try out; nil for the sample.
    var demoFolder: String?
    /// The configuration that takes the place of server.json; nil but for a demo.
    var demo: ServerConfiguration?

    /// The fault of their values, as a clause; nil if there is none.
    var problem: String? {
        if let threads, !(1...1_024).contains(threads) {
            return "'--threads \(threads)' is out of range; expected 1 to 1024"
        }
        for address in listen {
            guard let problem = ListenerConfiguration(address).problem else { continue }
            return "'--listen \(address)' cannot be used; \(problem)"
        }
        if let problem = store.problem { return problem }
        if let admin, let problem = AdminAddress.problem(AdminAddress.fromOption(admin)) {
            return "'--admin \(admin)' cannot be used; \(problem)"
        }
        return isDemo ? demoProblem : nil
    }

    /// A demo has files and a certificate of its own, which is never used where another machine could get it.
    private var demoProblem: String? {
        let others = [
            ("--config", config), ("--sites", sites), ("--certs", certs), ("--store", store.address),
            ("--store-cache", store.cache), ("--store-key-file", store.keyFile), ("--store-node", store.node),
        ]
        if let option = others.first(where: { $0.1 != nil })?.0 ?? (store.poll == nil ? nil : "--store-poll") {
            let demo = demoFolder == nil ? "'--demo'" : "'aasa serve FOLDER'"
            return "'\(option)' is for a server with server.json, and \(demo) has none"
        }
        for address in listen {
            let isOurs =
                switch ListenerConfiguration(address).endpoint {
                case .https(let bound): bound.addresses.allSatisfy(\.isLoopback)
                default: false
                }
            if isOurs { continue }
            return "'--listen \(address)' cannot be used; a development certificate is for this machine only: "
                + "expected a loopback address, like 127.0.0.1:8443"
        }
        return nil
    }

    /// The same for a running server: a configuration that it was started with has to be there from now on.
    func pinned(_ inherited: InheritedListeners, _ demo: ServerConfiguration?) -> ServeFlags {
        var flags = self
        flags.demo = demo
        if !inherited.serving.isEmpty { flags.sockets = inherited.serving.map(ListenerConfiguration.init) }
        if config == nil, !isDemo, access(ServerConfiguration.defaultPath, F_OK) == 0 {
            flags.config = ServerConfiguration.defaultPath
        }
        return flags
    }

    /// server.json as it is now, and the options.
    ///
    /// - Parameter report: is called with each warning about server.json.
    func configuration(_ report: (LocatedDiagnostic) -> Void) throws(ServerError) -> ServerConfiguration {
        let base = if let demo { demo } else { try ServerConfiguration.load(path: config, report: report) }
        var configuration = applied(to: base)
        if !isDemo, configuration.stateFolder == nil { configuration.stateFolder = Self.stateFolder }
        if let error = configuration.unreachableListenerError ?? configuration.storeConflict { throw error }
        return configuration
    }

    /// The folder for what is remembered, in the one that systemd makes for a unit with `StateDirectory=`; nil without one.
    ///
    /// Its name begins with a dot, as that folder may be the one of certificates.
    private static var stateFolder: String? {
        let folders = getenv("STATE_DIRECTORY").map { String(cText: $0) } ?? ""
        return folders.split(separator: ":").first.map { "\($0)/.last-good" }
    }

    /// A configuration with the options in place of its values.
    func applied(to configuration: ServerConfiguration) -> ServerConfiguration {
        var configuration = configuration
        if let sites {
            configuration.sites = sites
            configuration.store.origins["sites"] = .option("--sites")
        }
        if let certs {
            configuration.certs = certs
            configuration.store.origins["certs"] = .option("--certs")
        }
        store.apply(to: &configuration.store)
        if !listen.isEmpty { configuration.listen = listen.map { ListenerConfiguration($0) } }
        if let sockets { configuration.listen = sockets }
        if let admin { configuration.admin = admin == AdminAddress.none ? nil : AdminAddress.fromOption(admin) }
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

extension Serve {
    static let manual = CommandManual(
        examples: [
            .init("aasa serve --demo", "try a sample on this machine"),
            .init("aasa serve site/", "try the files in a folder on this machine"),
            .init("aasa serve --config /etc/aasa/server.json", "serve with a configuration"),
            .init("aasa serve --sites sites --certs certs --listen localhost:8443", "try a folder of sites"),
            .init("aasa serve --listen unix:/run/aasa/http.sock", "serve plain HTTP to a proxy that terminates TLS"),
            .init("aasa serve --config /etc/aasa/server.json --check", "find problems before a restart"),
        ],
        exits: [
            .init(.done, "if it was stopped by a signal"),
            .init(
                .failed,
                "if there is nothing to serve, --check or --strict-sites found a problem, or the server is not ready for --probe"
            ),
            .init(.unusableData, "if server.json cannot be used"),
            .init(.missingFile, "if a file or folder is missing or cannot be read"),
            .init(.unavailable, "if an address cannot be bound, or nothing answers --probe"),
        ],
        files: [
            .init("/etc/aasa/server.json", "The configuration of the service that the Debian package installs."),
            .init("/etc/aasa/sites", "Its sites, one folder per domain."),
            .init("/etc/letsencrypt/live", "Its certificates, one folder per certificate."),
        ],
        environment: [
            .init(
                "LISTEN_FDS",
                "The number of sockets that the service manager has opened, with `LISTEN_FDNAMES` and `LISTEN_PID`."
            ),
            .init("NOTIFY_SOCKET", "The socket to which readiness is reported."),
            .init("WATCHDOG_USEC", "The interval of the service manager's watchdog, with `WATCHDOG_PID`."),
            .init("JOURNAL_STREAM", "If standard error is this stream, messages get the priorities of the journal."),
        ],
        seeAlso: ["aasa-certificates(1)", "aasa-server.json(5)", "systemd.socket(5)"])
}

/// aasa-server.json(5).
enum ServerConfigurationPage {
    static var page: ManualPage {
        var page = ManualPage("aasa-server.json", section: 5, summary: "configuration of aasa serve")
        page.synopsis(path: "/etc/aasa/server.json")
        page.section("DESCRIPTION")
        page.prose(
            """
            The file that `aasa serve --config` reads is a JSON object. Every key is optional. A key with a dot is a key \
            in an object: `limits.connections` is written `{"limits": {"connections": 16384}}`. Paths are relative to the \
            folder of the file.

            An unknown key, a wrong type or a value out of range is an error with line and column; all of them are \
            reported. `aasa serve --config FILE --check` reads the file without serving. A running server reads it again \
            on SIGHUP, and logs which keys need a restart.

            These are the keys:
            """)
        page.list(
            ServerConfiguration.keys.map { key in
                let restart = key.needsRestart ? " A change needs a restart." : ""
                return (key.path, "\(key.meaning)\(restart)\n\nValue: \(key.expected).\nDefault: \(key.defaultValue).")
            }, macro: "Cm")
        page.section("FILES")
        page.list([("/etc/aasa/server.json", "The file of the service that the Debian package installs.")], macro: "Pa")
        page.section("EXAMPLES")
        page.prose("Certificates as certbot keeps them, and an access log in a file:")
        page.literal([
            "{", #"  "certs": "/etc/letsencrypt/live","#, #"  "log": { "access": "/var/log/aasa/access.log" }"#, "}",
        ])
        page.seeAlso(["aasa-serve(1)"])
        return page
    }
}

// aasa serve --probe
extension Serve {
    /// Asks the admin listener whether the server is ready, and prints its answer.
    func printReadiness() throws {
        let answer: ReadinessProbe.Answer
        do throws(ServerError) {
            answer = try ReadinessProbe.ask(flags.configuration { _ in }.admin)
        } catch {
            throw error.exitStatus.failure(error.messages)
        }
        StandardOutput.print([VisibleText.escaped(answer.body)])
        if !answer.isReady { throw ExitStatus.failed.code }
    }
}
