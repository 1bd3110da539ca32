import ArgumentParser
import AssociationServer
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
