import AssociationFiles
import AssociationServer
import BoundedText
import CommandLineSupport
import Diagnostics
import EventLoops
import Glibc
import OpenSSL
import SystemSupport

/// `aasa serve --demo`: a sample or the files of a folder, for this machine only, with a development certificate.
///
/// What it makes is in a private folder, which is removed when the server stops. It knows nothing of server.json, and the
/// server nothing of it.
struct ServeDemo: Sendable {
    /// The configuration that takes the place of server.json.
    let configuration: ServerConfiguration
    private let folder: PrivateFolder
    private let sites: Sites

    /// - Parameter path: The folder of the files; nil for the sample.
    init(_ path: String?) throws(ServerError) {
        let sites = try path.map(Sites.init(in:)) ?? .sample
        var folder = try PrivateFolder()
        do throws(ServerError) {
            configuration = try Self.fill(&folder, sites)
        } catch {
            folder.remove()
            throw error
        }
        self.folder = folder
        self.sites = sites
    }

    func remove() { folder.remove() }

    private static func fill(
        _ folder: inout PrivateFolder, _ sites: Sites
    ) throws(ServerError) -> ServerConfiguration {
        let made: DevelopmentCertificate
        do throws(OpenSSLError) {
            made = try DevelopmentCertificate(
                dnsNames: sites.dnsNames, at: Clock.wallSeconds(), in: LibraryContext())
        } catch {
            throw ServerError(.setUp, "cannot make a development certificate: \(error.message)")
        }
        var configuration = ServerConfiguration()
        configuration.listen = ["127.0.0.1:8443"]
        configuration.admin = AdminAddress.usual
        configuration.certs = try folder.folder("certs")
        _ = try folder.folder("certs/development")
        try folder.file("certs/development/fullchain.pem", made.certificate)
        try folder.file("certs/development/privkey.pem", made.key)
        if case .several(let path, _) = sites {
            configuration.sites = path
            return configuration
        }
        configuration.defaultSite = "localhost"
        configuration.sites = try folder.folder("sites")
        if case .one(let path, _) = sites {
            try folder.link("sites/localhost", to: path)
        } else {
            _ = try folder.folder("sites/localhost")
            try folder.file("sites/localhost/\(AssociationFileName.name)", SecretBytes(Array(sample.utf8)))
        }
        return configuration
    }

    private static let sample = """
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["7K3QWZ9PLM.com.shop.app"],
                "components": [
                  { "/": "/account/*", "exclude": true, "comment": "the account is managed on the web" },
                  { "/": "/products/?*", "comment": "a product, but not the list of all products" }
                ]
              }
            ]
          }
        }

        """
}

extension ServeDemo {
    /// The files that are tried out.
    private enum Sites {
        case sample
        /// The files in a folder, as those of localhost.
        case one(folder: String, file: String)
        /// The folders of domains in a folder.
        case several(folder: String, [(name: String, file: String)])

        private static let most = 100
        private static let wildcardPrefix = "_wildcard."

        init(in path: String) throws(ServerError) {
            guard Path.isFolder(path) else {
                let isFile = Path.exists(path)
                throw ServerError(
                    isFile ? .usage : .unreadable,
                    isFile ? "\(quoted(path)) is a file, not a folder" : "there is no folder \(quoted(path))",
                    help: isFile ? "name the folder that it is in" : "'aasa serve --demo' serves a sample")
            }
            for folder in [path, "\(path)/.well-known"] {
                guard let file = Self.file(in: folder) else { continue }
                self = .one(folder: Path.join(Path.workingDirectory ?? "/", folder), file: file)
                return
            }
            let names: [String]
            do throws(SystemError) {
                names = try Folder.folders(in: path)
            } catch {
                throw ServerError(.unreadable, "cannot read the folder '\(path)': \(error.reason)")
            }
            let found = names.compactMap { name in
                name.utf8.allSatisfy { $0 < 0x80 } ? Self.file(in: "\(path)/\(name)").map { (name, $0) } : nil
            }
            guard !found.isEmpty else {
                let configuration = "\(path)/server.json"
                throw ServerError(
                    .unreadable,
                    "no \(AssociationFileName.name) or assetlinks.json in the folder '\(path)', its .well-known, or a "
                        + "folder of a domain in it",
                    help: Path.exists(configuration)
                        ? "to serve by its server.json: aasa serve --config \(FileArgument.quotedForShell(configuration))"
                        : AssociationFileSearch.help(forMissingFileIn: path) ?? "'aasa serve --demo' serves a sample")
            }
            guard found.count <= Self.most else {
                throw ServerError(
                    .usage, "'\(path)' has \(grouped(found.count)) sites, more than the \(Self.most) of a demo",
                    help: "name the folder of one domain, or use --sites with certificates")
            }
            self = .several(folder: path, found)
        }

        private static func file(in folder: String) -> String? {
            [AssociationFileName.name, "assetlinks.json"].first { Path.exists("\(folder)/\($0)") }
        }

        /// The names that the certificate is for.
        var dnsNames: [String] {
            guard case .several(_, let sites) = self else { return ["localhost"] }
            return sites.map { name, _ in
                name.hasPrefix(Self.wildcardPrefix) ? "*.\(name.dropFirst(Self.wildcardPrefix.count))" : name
            }
        }

        /// A host and a file that can be asked for.
        var example: (host: String, file: String) {
            switch self {
            case .sample: return ("localhost", AssociationFileName.name)
            case .one(_, let file): return ("localhost", file)
            case .several(_, let sites):
                let host = dnsNames[0]
                return (host.hasPrefix("*.") ? "www\(host.dropFirst())" : host, sites[0].file)
            }
        }
    }

    /// Why the server cannot be started, in terms of the folder of the user.
    func explained(_ error: ServerError) -> ServerError {
        guard error.code == .nothingToServe, case .one(let path, _) = sites else { return error }
        return ServerError(
            .nothingToServe, "nothing to serve: the files in '\(path)' have errors",
            help: "they are shown by: aasa validate \(FileArgument.quotedForShell(path))")
    }

    /// What to do with the running server, and what it lacks for production.
    func introduction(_ addresses: LinkServer.Addresses) -> [String] {
        let (host, file) = sites.example
        let certificate = FileArgument.quotedForShell("\(folder.path)/certs/development/fullchain.pem")
        let address = addresses.https.first ?? ""
        let port = address.split(separator: ":").last ?? ""
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        let url = "https://\(host)\(isLocal ? ":\(port)" : "")/.well-known/\(file)"
        let route = isLocal && address.hasPrefix("127.") ? "" : "--connect-to ::\(address) "
        var lines = ["", "try it in another terminal:", "  curl --cacert \(certificate) \(route)\(url)"]
        if let admin = addresses.admin {
            let isFound = admin == AdminAddress.usual && !Path.exists(ServerConfiguration.defaultPath)
            lines.append("  aasa status\(isFound ? "" : " --admin \(FileArgument.quotedForShell(admin))")")
            if !admin.hasPrefix("unix:") { lines.append("  http://\(admin)/console/ in a browser") }
        }
        return lines + [
            "it is for this machine only: its development certificate is new at each start, and no phone trusts it",
            "for production it lacks:",
            "  a domain       whose DNS leads to the server, with its files in sites/DOMAIN/",
            #"  a certificate  from a CA: {"acme": …} in server.json gets one, or put yours into certs/"#,
            #"  an admin       {"admin": "\#(AdminAddress.usual)"} in server.json, for 'aasa status'"#,
            "  then: aasa serve --config server.json; 'aasa export --list' if another server has port 443",
            "press Control-C to stop it", "",
        ]
    }
}

/// A temporary folder of this user only, and what was made in it.
private struct PrivateFolder {
    let path: String
    /// The last one is removed first; a link goes, and what it leads to stays.
    private var made: [String]

    init() throws(ServerError) {
        let parent = getenv("TMPDIR").map { String(cText: $0) } ?? ""
        var name = RawPath("\(parent.hasPrefix("/") ? parent : "/tmp")/aasa-demo-XXXXXX").cString
        guard mkdtemp(&name) != nil else { throw Self.failure("a temporary folder", "mkdtemp") }
        path = String(cText: name)
        made = [path]
    }

    func remove() { for path in made.reversed() { _ = Glibc.remove(path) } }

    mutating func folder(_ name: String) throws(ServerError) -> String {
        let folder = "\(path)/\(name)"
        guard mkdir(folder, 0o700) == 0 else { throw Self.failure("'\(folder)'", "mkdir") }
        made.append(folder)
        return folder
    }

    mutating func file(_ name: String, _ content: SecretBytes) throws(ServerError) {
        let file = NewFile(RawPath("\(path)/\(name)"), mode: 0o600, bytes: content.withBytes { $0 })
        if let failure = NewFile.create([file]) {
            throw ServerError(.setUp, "cannot make '\(path)/\(name)': \(failure.reason)")
        }
        made.append("\(path)/\(name)")
    }

    mutating func link(_ name: String, to target: String) throws(ServerError) {
        let link = "\(path)/\(name)"
        guard symlink(target, link) == 0 else { throw Self.failure("'\(link)'", "symlink") }
        made.append(link)
    }

    private static func failure(_ what: String, _ call: String) -> ServerError {
        ServerError(.setUp, "cannot make \(what): \(SystemError(call: call).reason)")
    }
}
