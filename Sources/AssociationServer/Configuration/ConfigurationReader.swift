internal import Diagnostics
internal import EventLoops
internal import JSONSyntax

/// Reads server.json (server.md, section 1) and finds all that is wrong with it, not the first thing only.
package struct ConfigurationReader {
    /// The largest file that is read, in bytes.
    static let limit = 1_048_576

    var configuration = ServerConfiguration()
    private(set) var diagnostics: [Diagnostic] = []
    /// The folder of server.json: relative paths in it start there.
    private let folder: String
    let source: SourceText

    /// - Parameters:
    ///   - path: of the file; names it in messages.
    ///   - report: is told what is tolerated.
    package static func read(
        _ bytes: [UInt8], path: String, report: (Finding) -> Void = { _ in }
    ) throws(ServerError) -> ServerConfiguration {
        var limits = ReadingLimits.configuration
        limits.hard = Self.limit
        let document = JSONReader.read(bytes, path: path, limits: limits)
        var reader = ConfigurationReader(document.source)
        // Where the repair of the syntax is a guess, what the file says would be one, too.
        if document.isTreeReliable, let root = document.root {
            reader.readTopLevel(ConfigurationValue(name: "", pointer: JSONPointer(), node: root))
        }
        let diagnostics = (document.findings + reader.diagnostics).sorted {
            ($0.range.start, $0.range.end, $0.code.rawValue) < ($1.range.start, $1.range.end, $1.code.rawValue)
        }
        let findings = diagnostics.map { Finding($0, in: document.source) }
        guard findings.allSatisfy({ $0.severity == .warning }) else {
            let isUsable = document.isTreeReliable && reader.knowsFolders
            throw ServerError(
                .configuration, [], findings: findings, usableConfiguration: isUsable ? reader.configuration : nil)
        }
        for finding in findings { report(finding) }
        return reader.configuration
    }

    /// Whether it is known where the sites and the certificates are, whatever else is wrong.
    private var knowsFolders: Bool {
        diagnostics.allSatisfy { !["", "/sites", "/certs"].contains($0.pointer) }
    }

    private init(_ source: SourceText) {
        self.source = source
        folder = Path.folder(of: source.path)
        configuration.sites = Path.join(folder, "sites")
        configuration.certs = Path.join(folder, "../certs")
    }

    private mutating func readTopLevel(_ file: ConfigurationValue) {
        let known = [
            "listen", "admin", "sites", "certs", "allowLinksOutside", "defaultSite", "threads",
            "cacheMaxAge", "limits", "timeouts", "strictSites", "log", "tls", "wellKnown", "gzip",
        ]
        guard check(file, known: known) else { return }
        configuration.listen = listen(file["listen"])
        configuration.admin = admin(file["admin"])
        set(\.sites, path(file["sites"]))
        set(\.certs, path(file["certs"]))
        set(\.allowLinksOutside, boolean(file["allowLinksOutside"]))
        configuration.defaultSite = defaultSite(file["defaultSite"])
        configuration.threads = integer(file["threads"], 1...1_024)
        set(\.cacheMaxAge, integer(file["cacheMaxAge"], 0...31_536_000))
        set(\.strictSites, boolean(file["strictSites"]))
        readLimits(file["limits"])
        readTimeouts(file["timeouts"])
        readTLS(file["tls"])
        readLog(file["log"])
        set(\.wellKnown, wellKnown(file["wellKnown"]))
        if let gzip = file["gzip"], boolean(gzip) == true { notYet(gzip, only: "false") }
    }

    private mutating func readLimits(_ limits: ConfigurationValue?) {
        let known = ["connections", "perAddress", "requestsPerConnection", "fileBytes"]
        guard let limits, check(limits, known: known) else { return }
        let most = 1_000_000_000
        set(\.limits.connections, integer(limits["connections"], 0...most))
        set(\.limits.perAddress, integer(limits["perAddress"], 0...most))
        set(\.limits.requestsPerConnection, integer(limits["requestsPerConnection"], 0...most))
        set(\.limits.fileBytes, integer(limits["fileBytes"], 1...16_777_216))
    }

    private mutating func readTimeouts(_ timeouts: ConfigurationValue?) {
        let known = ["handshake", "header", "idle", "write", "drain"]
        guard let timeouts, check(timeouts, known: known) else { return }
        set(\.timeouts.handshake, seconds(timeouts["handshake"]))
        set(\.timeouts.header, seconds(timeouts["header"]))
        set(\.timeouts.idle, seconds(timeouts["idle"]))
        set(\.timeouts.write, seconds(timeouts["write"]))
        set(\.timeouts.drain, seconds(timeouts["drain"]))
    }

    private mutating func readTLS(_ tls: ConfigurationValue?) {
        guard let tls, check(tls, known: ["minimumVersion"]) else { return }
        guard let value = tls["minimumVersion"], let text = string(value) else { return }
        guard let version = ServerConfiguration.TLSVersion(rawValue: text) else {
            return invalid(value, "'tls.minimumVersion' is \(quoted(text)); expected \"1.2\" or \"1.3\"")
        }
        configuration.minimumTLSVersion = version
    }

    private mutating func readLog(_ log: ConfigurationValue?) {
        guard let log, check(log, known: ["access", "format", "level", "messages"]) else { return }
        set(\.log.access, logSink(log["access"]))
        set(\.log.format, choice(log["format"]))
        set(\.log.level, choice(log["level"]))
        set(\.log.messages, choice(log["messages"]))
    }

    /// The path of a folder.
    private mutating func path(_ value: ConfigurationValue?) -> String? {
        guard let value, let text = string(value) else { return nil }
        guard !text.isEmpty, !text.utf8.contains(0) else {
            invalid(value, "'\(value.name)' is \(quoted(text)); expected the path of a folder")
            return nil
        }
        return place(text)
    }

    /// Where a path leads: a relative one begins at the folder of server.json.
    func place(_ path: String) -> String { Path.join(folder, path) }

    private mutating func set<Value>(_ path: WritableKeyPath<ServerConfiguration, Value>, _ value: Value?) {
        if let value { configuration[keyPath: path] = value }
    }

    mutating func add(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
}
