import AssociationServer
import Glibc

/// What the flags of `aasa serve` say, which overrides server.json.
struct ServeFlags: Sendable {
    /// The path of server.json; nil takes the usual one, if it exists.
    var config: String?
    var sites: String?
    var certs: String?
    /// None leaves those of server.json.
    var listen: [String] = []
    /// An address or `none`.
    var admin: String?
    var threads: Int?
    var strictSites = false

    /// The same for a server that runs: a configuration that it was started with has to be there from now on.
    var pinned: ServeFlags {
        var flags = self
        if config == nil, access(ServerConfiguration.defaultPath, F_OK) == 0 {
            flags.config = ServerConfiguration.defaultPath
        }
        return flags
    }

    /// What the server has to do: server.json as it is now, and the flags.
    ///
    /// - Parameter report: is told what is tolerated in server.json.
    func configuration(_ report: (Finding) -> Void) throws(ServerError) -> ServerConfiguration {
        applied(to: try ServerConfiguration.load(path: config, report: report))
    }

    /// A configuration with what the flags say instead.
    func applied(to configuration: ServerConfiguration) -> ServerConfiguration {
        var configuration = configuration
        if let sites { configuration.sites = sites }
        if let certs { configuration.certs = certs }
        if !listen.isEmpty { configuration.listen = listen }
        if let admin { configuration.admin = admin == AdminAddress.none ? nil : admin }
        if let threads { configuration.threads = threads }
        if strictSites { configuration.strictSites = true }
        return configuration
    }
}
