import Foundation
import TLSSamples
import TestSupport
import Testing

/// A configuration of docs/recipes (deploy.md, section A6).
enum ProxyRecipe: String, CaseIterable, CustomTestStringConvertible {
    case nginx, apache, caddy, haproxy, h2o
    case nginxStream = "nginx-stream"
    case haproxyTCP = "haproxy-tcp"

    /// Those in which the proxy answers https.
    static let terminating: [ProxyRecipe] = [.nginx, .apache, .caddy, .haproxy, .h2o]
    /// Those in which aasa does.
    static let passing: [ProxyRecipe] = [.nginxStream, .haproxyTCP]

    var testDescription: String { rawValue }
    var path: String { "docs/recipes/\(rawValue).conf" }

    var program: ExternalProgram {
        switch self {
        case .nginx, .nginxStream: .nginx
        case .apache: .apache
        case .caddy: .caddy
        case .haproxy, .haproxyTCP: .haproxy
        case .h2o: .h2o
        }
    }

    /// Ends the test where the program is not installed, except where everything has to be.
    func requireProgram() throws {
        let isComplete = ProcessInfo.processInfo.environment["CI"] == "true"
        do { _ = try program.path } catch  where !isComplete { try Test.cancel("\(error)") }
    }

    /// Runs in the foreground.
    func arguments(_ file: String) -> [String] {
        switch self {
        case .nginx, .nginxStream: ["-c", file, "-g", "daemon off; error_log stderr;"]
        case .apache: ["-DFOREGROUND", "-f", file]
        case .caddy: ["run", "--adapter", "caddyfile", "--config", file]
        case .haproxy, .haproxyTCP: ["-db", "-f", file]
        case .h2o: ["-c", file]
        }
    }

    /// Has the program take no more connections, answer what it has, and end.
    var gracefulStop: Int32 {
        switch self {
        case .nginx, .nginxStream: SIGQUIT
        case .apache: SIGWINCH
        case .caddy, .h2o: SIGTERM
        case .haproxy, .haproxyTCP: SIGUSR1
        }
    }

    /// Replaces addresses and paths of a machine in use by those of a test, and adds what the programs have elsewhere.
    func configuration(_ setup: ProxySetup) throws -> String {
        var text = try Repository.text(path)
        func replace(_ old: String, _ new: String) throws {
            guard text.contains(old) else { throw TestFailure("\(path) does not contain '\(old)'") }
            text = text.replacingOccurrences(of: old, with: new)
        }
        let isRoot = geteuid() == 0
        let listener = "127.0.0.1:\(setup.port)"
        switch self {
        case .nginx:
            try replace("listen [::]:443 ssl;\n", "\n")
            try replace("listen 443 ssl;", "listen \(listener) ssl;")
        case .nginxStream:
            try replace("listen [::]:443;\n", "\n")
            try replace("listen 443;", "listen \(listener);")
        case .apache:
            try replace("\nListen 443\n", "\nListen \(listener)\n")
            try replace("*:443>", "*:\(setup.port)>")
            try replace("ServerRoot /etc/apache2", "ServerRoot \(setup.path)\nDefaultRuntimeDir \(setup.path)")
        case .caddy:
            try replace("\nexample.com {", "\nhttps://example.com:\(setup.port) {\n\tbind 127.0.0.1")
            text = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text
        case .haproxy, .haproxyTCP: try replace("bind [::]:443 v4v6", "bind \(listener)")
        case .h2o:
            try replace("example.com:443", "example.com:\(setup.port)")
            try replace("port: 443", "host: 127.0.0.1\n      port: \(setup.port)")
            if !isRoot { try replace("user: www-data\n", "") }
        }
        if program.name == "nginx" {
            let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            let folders = kinds.map { "\($0)_temp_path \(setup.path)/nginx-\($0);" }.joined(separator: " ")
            try replace("http {\n", "http {\n    \(folders) access_log \(setup.path)/proxy.log;\n")
        }
        text = setup.replacements.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
        // What is left would be of the machine.
        let known = ["/etc/nginx/modules-enabled/"]
        let rest = known.reduce(text) { $0.replacingOccurrences(of: $1, with: "") }
        for line in rest.split(separator: "\n") where !line.contains("#") {
            let hasOther = ["/etc/", "/run/", "/var/", ":443", " 443"].contains { line.contains($0) }
            guard !hasOther || line.contains(setup.path) else {
                throw TestFailure("\(path): '\(line)' is not replaced")
            }
        }
        return text
    }

    /// server.json as the comment at the beginning of the recipe shows it.
    func serverConfiguration(_ setup: ProxySetup) throws -> String {
        let lines = try Repository.text(path).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("#     {") }) else {
            throw TestFailure("\(path) does not show server.json")
        }
        let text = setup.replacements.reduce(String(line.dropFirst())) {
            $0.replacingOccurrences(of: $1.key, with: $1.value)
        }
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard var keys = object as? [String: Any], let listen = keys["listen"] as? [Any] else {
            throw TestFailure("\(path): '\(text)' has no 'listen'")
        }
        keys["listen"] = listen.map { entry -> Any in
            guard var entry = entry as? [String: Any] else { return entry }
            // Only the superuser gives a socket to any group.
            if geteuid() != 0 { entry["group"] = nil }
            return entry
        }
        keys["admin"] = "127.0.0.1:\(setup.adminPort)"
        keys["log"] = ["access": "\(setup.path)/access.log"]
        return String(decoding: try JSONSerialization.data(withJSONObject: keys), as: UTF8.self)
    }
}

/// The folder and the ports of a recipe in a test.
struct ProxySetup: Sendable {
    static let association = """
        {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[{"/":"/buy/*","comment":"\
        \(String(repeating: "more than a proxy keeps in memory by itself; ", count: 1_000))"}]}]}}
        """
    static let links = """
        [{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app",\
        "package_name":"com.example.app","sha256_cert_fingerprints":["\((["1F"] + (0x10..<0x2F).map { String($0, radix: 16, uppercase: true) })
            .joined(separator: ":"))"]}}]
        """
    static let website = "the website"
    private static let domains = ["example.com", "links.example.com"]

    /// Made once, for all recipes.
    private static let certificates = Result {
        let folder = try TemporaryFolder()
        for domain in domains {
            try TestCertificate.make(["DNS:\(domain)"], in: folder.url.appendingPathComponent("certs/\(domain)"))
        }
        return folder
    }

    let folder: TemporaryFolder
    let port: Int
    /// Where aasa listens, unless it is on a Unix socket.
    let serverPort: Int
    let websitePort: Int
    let adminPort: Int
    /// For plain http at the proxy.
    let plainPort: Int

    var path: String { folder.path }

    init() throws {
        folder = try TemporaryFolder()
        port = try FreePort.reserve()
        serverPort = try FreePort.reserve()
        websitePort = try FreePort.reserve()
        adminPort = try FreePort.reserve()
        plainPort = try FreePort.reserve()
        for domain in Self.domains {
            try folder.write(Self.association, to: "sites/\(domain)/apple-app-site-association")
            try folder.write(Self.links, to: "sites/\(domain)/assetlinks.json")
        }
        let certificates = try Self.certificates.get()
        try FileManager.default.copyItem(atPath: "\(certificates.path)/certs", toPath: "\(folder.path)/certs")
        try folder.write(Self.website, to: "website/index.html")
        let pair = try ["fullchain.pem", "privkey.pem"].map {
            try Data(contentsOf: folder.url.appendingPathComponent("certs/example.com/\($0)"))
        }
        try folder.write(pair[0] + pair[1], to: "both.pem")
    }

    var replacements: [String: String] {
        [
            "/etc/letsencrypt/live": "\(path)/certs", "/etc/haproxy/certs/example.com.pem": "\(path)/both.pem",
            "/run/aasa/http.sock": "\(path)/http.sock", "/var/www/html": "\(path)/website",
            "/run/nginx.pid": "\(path)/proxy.pid",
            "/run/apache2/apache2.pid": "\(path)/proxy.pid", "/var/log/apache2/error.log": "\(path)/proxy.log",
            "127.0.0.1:8080": "127.0.0.1:\(serverPort)", "127.0.0.1:8443": "127.0.0.1:\(serverPort)",
            "127.0.0.1:4443": "127.0.0.1:\(websitePort)", "127.0.0.1:8000": "127.0.0.1:\(websitePort)",
        ]
    }
}

/// A recipe that runs, with the built `aasa` and the real proxy.
final class RunningRecipe: @unchecked Sendable {
    let recipe: ProxyRecipe
    let setup: ProxySetup
    private(set) var server: ServiceProcess
    private(set) var proxy: ForegroundServer
    private let serverConfiguration: String
    private let website: WebsiteSocket?

    /// - Parameters:
    ///   - hasPlainListener: whether the change adds a listener for plain http.
    ///   - change: of the configuration with the addresses of the test in it.
    init(
        _ recipe: ProxyRecipe, hasPlainListener: Bool = false,
        change: (_ text: String, _ setup: ProxySetup) throws -> String = { text, _ in text }
    ) throws {
        try recipe.requireProgram()
        self.recipe = recipe
        setup = try ProxySetup()
        let text = try change(recipe.configuration(setup), setup)
        try setup.folder.write(text, to: "proxy.conf")
        serverConfiguration = try recipe.serverConfiguration(setup)
        website = recipe == .haproxy ? try WebsiteSocket(port: setup.websitePort) : nil
        website?.answerRequests()
        server = try Self.start(setup, serverConfiguration)
        proxy = try Self.start(recipe, setup, ports: [setup.port] + (hasPlainListener ? [setup.plainPort] : []))
    }

    private static func start(_ setup: ProxySetup, _ configuration: String) throws -> ServiceProcess {
        let server = try ServiceProcess(setup.folder, configuration: configuration)
        guard server.waitForLog(" ready: ") else { throw TestFailure("aasa did not start:\n\(server.logText)") }
        return server
    }

    private static func start(_ recipe: ProxyRecipe, _ setup: ProxySetup, ports: [Int]) throws -> ForegroundServer {
        try ForegroundServer(
            recipe.program, recipe.arguments("\(setup.path)/proxy.conf"), in: setup.folder, ports: ports)
    }

    func restartProxy() throws {
        proxy.signal(recipe.gracefulStop)
        guard Waiting.until({ !proxy.isRunning }) else { throw TestFailure("\(recipe) did not end:\n\(proxy.logText)") }
        proxy = try Self.start(recipe, setup, ports: [setup.port])
    }

    func stopServer() throws {
        server.signal(SIGTERM)
        guard server.exitStatus() == 0 else { throw TestFailure("aasa did not end well:\n\(server.logText)") }
    }

    func startServer() throws { server = try Self.start(setup, serverConfiguration) }

    /// Connects over TLS.
    ///
    /// - Parameter address: all of 127.0.0.0/8 is this machine.
    func connect(from address: String = "127.0.0.9", name: String? = "example.com") throws -> HTTPSClient {
        let client = try HTTPSClient(
            RawSocket(port: setup.port, from: address), SampleOffer { $0.serverName = name })
        try client.handshake()
        return client
    }

    /// Asks over plain http, and returns the status line and the fields.
    func plainHead(_ path: String, fields: String = "") throws -> [String] {
        let socket = try RawSocket(port: setup.plainPort, from: "127.0.0.9")
        socket.send("GET \(path) HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\(fields)\r\n")
        let text = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
        return text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
    }

    /// The lines of aasa's access log.
    private var log: [[String: Any]] {
        let text = (try? String(contentsOfFile: "\(setup.path)/access.log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// The line of aasa's access log for the request with this target, as soon as it is there.
    func logged(_ target: String) -> [String: Any]? {
        var line: [String: Any]?
        _ = Waiting.until {
            line = loggedNow(target)
            return line != nil
        }
        return line
    }

    /// The line of aasa's access log for the request with this target, if it is there.
    func loggedNow(_ target: String) -> [String: Any]? { log.first { $0["target"] as? String == target } }

    /// The number of connections that aasa has taken.
    func acceptedConnections() throws -> Int {
        let metrics = try Shell.run([
            "curl", "-sS", "--max-time", "\(Patience.seconds)", "--noproxy", "*",
            "http://127.0.0.1:\(setup.adminPort)/metrics",
        ])
        let counts = metrics.text.matches(of: #/(?m)^aasa_connections_total(?:\{.*\})? (\d+)/#)
        return counts.compactMap { Int($0.1) }.reduce(0, +)
    }
}
