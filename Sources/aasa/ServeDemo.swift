import AssociationFiles
import AssociationLint
import AssociationServer
import BoundedText
import CommandLineSupport
import Diagnostics
import DomainNames
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
        {"applinks": {"details": [{"appIDs": ["7K3QWZ9PLM.com.shop.app"], "components": [
          {"/": "/account/*", "exclude": true, "comment": "the account is managed on the web"},
          {"/": "/products/?*", "comment": "a product, but not the list of all products"}
        ]}]}}

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

        /// A larger certificate would take several round trips; further sites have none.
        private static let maxNames = 100

        init(in path: String) throws(ServerError) {
            guard Path.isFolder(path) else {
                throw ServerError(
                    .unreadable, "there is no folder \(quoted(path))", help: "'aasa serve --demo' serves a sample")
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
            // 'public' is hardly a domain.
            let isDomain = { (name: String) in
                name.utf8.allSatisfy { 0x21...0x7E ~= $0 } && (name.contains(".") || name == "localhost")
            }
            let found = names.filter(isDomain).compactMap { name in
                Self.file(in: "\(path)/\(name)").map { (name, $0) }
            }
            guard !found.isEmpty else {
                let configuration = "\(path)/server.json"
                let nearest = AssociationFileSearch(in: RawPath(argument: path)).files.first {
                    FileKind(path: $0.text) != .manifest
                }
                throw ServerError(
                    .unreadable,
                    "no \(AssociationFileName.name) or assetlinks.json in the folder '\(path)', its .well-known, or a "
                        + "folder of a domain in it",
                    help: Path.exists(configuration)
                        ? "to serve by its server.json: aasa serve --config \(FileArgument.quotedForShell(configuration))"
                        : nearest.map { "try: aasa serve \(FileArgument.quotedForShell($0.folder.text))" }
                            ?? AssociationFileSearch.help(forMissingFileIn: path)
                            ?? "'aasa serve --demo' serves a sample")
            }
            self = .several(folder: path, found)
        }

        private static func file(in folder: String) -> String? {
            [AssociationFileName.name, "assetlinks.json"].first { Path.exists("\(folder)/\($0)") }
        }

        /// The names that the certificate is for.
        var dnsNames: [String] {
            guard case .several(_, let sites) = self else { return ["localhost"] }
            return sites.prefix(Self.maxNames).map { name, _ in Domain(name)?.identifier ?? name }
        }

        /// A host and a file that can be asked for.
        var example: (host: String, file: String) {
            switch self {
            case .sample: return ("localhost", AssociationFileName.name)
            case .one(_, let file): return ("localhost", file)
            case .several(_, let sites):
                let host = dnsNames[0]
                return (Domain(host)?.exampleHost ?? host, sites[0].file)
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

    /// The commands to try on the running server, and the parts that it lacks for production.
    func introduction(_ addresses: LinkServer.Addresses) -> [String] {
        let (host, file) = sites.example
        let certificate = FileArgument.quotedForShell("\(folder.path)/certs/development/fullchain.pem")
        let address = addresses.https.first ?? ""
        let port = address.split(separator: ":").last ?? ""
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        let url = "https://\(host)\(isLocal ? ":\(port)" : "")/.well-known/\(file)"
        let isUsual = isLocal && ["127.0.0.1:", "[::1]:"].contains { address.hasPrefix($0) }
        let route = isUsual ? "" : "--connect-to \(FileArgument.quotedForShell("::\(address)")) "
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
        path =
            "\(parent.hasPrefix("/") ? parent : "/tmp")/aasa-demo-\(Hexadecimal.text((0..<8).map { _ in .random(in: 0...255) }))"
        made = []
        _ = try folder("")
    }

    func remove() { for path in made.reversed() { _ = Glibc.remove(path) } }

    mutating func folder(_ name: String) throws(ServerError) -> String {
        try make(name) { mkdir($0, 0o700) == 0 }
    }

    mutating func file(_ name: String, _ content: SecretBytes) throws(ServerError) {
        _ = try make(name) { path in
            content.withBytes { NewFile.create([NewFile(RawPath(path), mode: 0o600, bytes: $0)]) == nil }
        }
    }

    mutating func link(_ name: String, to target: String) throws(ServerError) {
        _ = try make(name) { symlink(target, $0) == 0 }
    }

    private mutating func make(_ name: String, _ body: (String) -> Bool) throws(ServerError) -> String {
        let path = name.isEmpty ? path : "\(path)/\(name)"
        guard body(path) else {
            throw ServerError(.unreadable, "cannot make '\(path)': \(SystemError(call: "").reason)")
        }
        made.append(path)
        return path
    }
}
