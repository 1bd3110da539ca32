import Foundation

/// A program that the tests do not build, such as a web server.
public struct ExternalProgram: Sendable {
    /// The name of the command.
    public let name: String
    /// The Debian package that has it.
    public let package: String
    /// Where it is, if that is not looked for.
    private let place: String?
    /// A folder that it needs besides.
    private let module: String?

    public init(_ name: String, package: String? = nil) { self.init(name, package: package, place: nil, module: nil) }

    private init(_ name: String, package: String?, place: String?, module: String?) {
        self.name = name
        self.package = package ?? name
        self.place = place
        self.module = module
    }

    public static let nginx = ExternalProgram("nginx")
    public static let apache = ExternalProgram("apache2")
    public static let caddy = ExternalProgram("caddy")
    public static let haproxy = ExternalProgram("haproxy")
    public static let h2o = ExternalProgram("h2o")
    public static let lighttpd = ExternalProgram("lighttpd")
    public static let node = ExternalProgram("node", package: "nodejs")
    public static let ruby = ExternalProgram("ruby")
    public static let php = ExternalProgram("php", package: "php-cli")
    public static let python = ExternalProgram("python3")
    /// Debian's Python with the module `h2`, which speaks HTTP/2.
    public static let pythonWithH2 = ExternalProgram(
        "python3", package: "python3-h2", place: "/usr/bin/python3", module: "/usr/lib/python3/dist-packages/h2")
    public static let chromium = ExternalProgram("chromium")
    public static let postgres = ExternalProgram("postgres", package: "postgresql")
    /// The program itself: Debian's command on the PATH is a script that looks for it, longer than most statements take.
    public static let psql = ExternalProgram(
        "psql", package: "postgresql", place: postgresFolders.map { "\($0)/psql" }.first(where: isExecutable),
        module: nil)
    public static let pgBouncer = ExternalProgram("pgbouncer")
    public static let apksigner = ExternalProgram("apksigner")
    public static let nghttp = ExternalProgram("nghttp", package: "nghttp2-client")
    public static let h2load = ExternalProgram("h2load", package: "nghttp2-client")
    public static let keytool = ExternalProgram("keytool", package: "default-jre-headless")

    /// Has programs in Java start quickly: what they do is over before better code for it is there.
    public static let quickJava = ["JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"]

    /// Where it is; servers are often not on the PATH of users.
    public var path: String {
        get throws {
            guard let path = found else { throw TestFailure(missing) }
            return path
        }
    }

    private var found: String? {
        if let module, !FileManager.default.fileExists(atPath: module) { return nil }
        if let place { return Self.isExecutable(place) ? place : nil }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let folders =
            path.split(separator: ":").map(String.init) + ["/usr/local/sbin", "/usr/sbin", "/sbin"]
            + Self.postgresFolders
        return folders.map { "\($0)/\(name)" }.first(where: Self.isExecutable)
    }

    private static func isExecutable(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Those of Debian's versions of PostgreSQL, the newest first.
    private static let postgresFolders: [String] = {
        let folder = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(folder)/\($0)/bin" }
    }()

    private var missing: String {
        "'\(module == nil ? name : package)' is not installed; try: apt-get install \(package)"
    }

    /// Whether it can be run; where it cannot, CI runs into the error.
    public var isUsable: Bool { reasonToSkip == nil }

    /// Why its tests are skipped; nil if they run. CI has to have all programs.
    var reasonToSkip: String? {
        found == nil && ProcessInfo.processInfo.environment["CI"] != "true" ? missing : nil
    }
}
