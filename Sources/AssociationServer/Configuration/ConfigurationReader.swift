internal import EventLoops

/// Reads server.json (server.md, section 1) and finds all that is wrong with it, not the first thing only.
package struct ConfigurationReader {
    private(set) var configuration = ServerConfiguration()
    private(set) var problems: [String] = []
    /// The folder of server.json: relative paths in it start there.
    private let folder: String

    /// - Parameter path: of the file; names it in messages.
    package static func read(_ bytes: [UInt8], path: String) throws(ServerError) -> ServerConfiguration {
        guard let value = JSONValue.parse(bytes) else {
            throw ServerError(.configuration, "\(path): error: this is not valid JSON [invalid-config]")
        }
        var reader = ConfigurationReader(folder: Path.folder(of: path))
        reader.readTopLevel(value)
        guard reader.problems.isEmpty else {
            throw ServerError(.configuration, reader.problems.map { "\(path): error: \($0)" })
        }
        return reader.configuration
    }

    private init(folder: String) {
        self.folder = folder
        configuration.sites = Path.join(folder, "sites")
        configuration.certs = Path.join(folder, "../certs")
    }

    private mutating func readTopLevel(_ value: JSONValue) {
        let known = [
            "listen", "admin", "sites", "certs", "defaultSite", "threads", "cacheMaxAge", "limits", "timeouts",
            "strictSites", "log", "tls", "gzip",
        ]
        guard let object = object(value, "", known: known) else { return }
        configuration.listen = addresses(object["listen"])
        if let path = string(object["sites"], "sites") { configuration.sites = Path.join(folder, path) }
        if let path = string(object["certs"], "certs") { configuration.certs = Path.join(folder, path) }
        if let site = object["defaultSite"], site != .null { configuration.defaultSite = string(site, "defaultSite") }
        configuration.threads = integer(object["threads"], "threads", 1...1_024)
        set(\.cacheMaxAge, integer(object["cacheMaxAge"], "cacheMaxAge", 0...31_536_000))
        set(\.strictSites, bool(object["strictSites"], "strictSites"))
        readLimits(object["limits"])
        readTimeouts(object["timeouts"])
        readTLS(object["tls"])
        readLog(object["log"])
        if let admin = string(object["admin"], "admin"), admin != "none" { notYet("admin", only: "\"none\"") }
        if bool(object["gzip"], "gzip") == true { notYet("gzip", only: "false") }
    }

    private mutating func readLimits(_ value: JSONValue?) {
        let known = ["connections", "perAddress", "requestsPerConnection", "fileBytes"]
        guard let value, let object = object(value, "limits", known: known) else { return }
        let most = 1_000_000_000
        set(\.limits.connections, integer(object["connections"], "limits.connections", 0...most))
        set(\.limits.perAddress, integer(object["perAddress"], "limits.perAddress", 0...most))
        let perConnection = integer(object["requestsPerConnection"], "limits.requestsPerConnection", 0...most)
        set(\.limits.requestsPerConnection, perConnection)
        set(\.limits.fileBytes, integer(object["fileBytes"], "limits.fileBytes", 1...16_777_216))
    }

    private mutating func readTimeouts(_ value: JSONValue?) {
        let known = ["handshake", "header", "idle", "write", "drain"]
        guard let value, let object = object(value, "timeouts", known: known) else { return }
        set(\.timeouts.handshake, seconds(object["handshake"], "timeouts.handshake"))
        set(\.timeouts.header, seconds(object["header"], "timeouts.header"))
        set(\.timeouts.idle, seconds(object["idle"], "timeouts.idle"))
        set(\.timeouts.write, seconds(object["write"], "timeouts.write"))
        set(\.timeouts.drain, seconds(object["drain"], "timeouts.drain"))
    }

    private mutating func readTLS(_ value: JSONValue?) {
        guard let value, let object = object(value, "tls", known: ["minimumVersion"]) else { return }
        guard let text = string(object["minimumVersion"], "tls.minimumVersion") else { return }
        guard let version = ServerConfiguration.TLSVersion(rawValue: text) else {
            problem("invalid-config-value", "'tls.minimumVersion' is '\(text)'; expected \"1.2\" or \"1.3\"")
            return
        }
        configuration.minimumTLSVersion = version
    }

    private mutating func readLog(_ value: JSONValue?) {
        guard let value, let object = object(value, "log", known: ["access", "format"]) else { return }
        if let access = string(object["access"], "log.access"), access != "none" {
            notYet("log.access", only: "\"none\"")
        }
        if let format = string(object["format"], "log.format"), !["json", "combined"].contains(format) {
            problem("invalid-config-value", "'log.format' is '\(format)'; expected \"json\" or \"combined\"")
        }
    }

    private mutating func addresses(_ value: JSONValue?) -> [String]? {
        guard let value else { return nil }
        guard case .array(let items) = value, !items.isEmpty else {
            let got = value == .array([]) ? "empty" : value.kind
            problem("invalid-config-value", "'listen' is \(got); expected an array like [\"0.0.0.0:443\"]")
            return nil
        }
        let addresses = items.compactMap { string($0, "listen") }
        for address in addresses where SocketAddress(address) == nil {
            let expected = "expected an IP address and a port, like \"0.0.0.0:443\" or \"[::1]:8443\""
            problem("invalid-config-value", "'listen' has '\(address)'; \(expected)")
        }
        return addresses
    }

    // MARK: Values

    private mutating func object(_ value: JSONValue, _ name: String, known: [String]) -> [String: JSONValue]? {
        guard case .object(let object) = value else {
            let subject = name.isEmpty ? "the file" : "'\(name)'"
            problem("invalid-config-value", "\(subject) is \(value.kind); expected an object")
            return nil
        }
        for key in object.keys.sorted() where !known.contains(key) {
            let place = name.isEmpty ? "" : " in '\(name)'"
            let close = Spelling.closest(to: key, among: known)
            let hint = close.map { "; did you mean '\($0)'?" } ?? "; known are \(known.joined(separator: ", "))"
            problem("unknown-config-key", "unknown key '\(key)'\(place)\(hint)")
        }
        return object
    }

    private mutating func string(_ value: JSONValue?, _ name: String) -> String? {
        guard let value else { return nil }
        if case .string(let text) = value { return text }
        problem("invalid-config-value", "'\(name)' is \(value.kind); expected a string")
        return nil
    }

    private mutating func bool(_ value: JSONValue?, _ name: String) -> Bool? {
        guard let value else { return nil }
        if case .bool(let isOn) = value { return isOn }
        problem("invalid-config-value", "'\(name)' is \(value.kind); expected true or false")
        return nil
    }

    private mutating func integer(_ value: JSONValue?, _ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard let value else { return nil }
        if case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole) { return whole }
        let got = if case .number(let number) = value { plain(number) } else { value.kind }
        problem(
            "invalid-config-value",
            "'\(name)' is \(got); expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    private mutating func seconds(_ value: JSONValue?, _ name: String) -> Double? {
        guard let value else { return nil }
        if case .number(let number) = value, number > 0, number <= 86_400 { return number }
        let got = if case .number(let number) = value { plain(number) } else { value.kind }
        problem("invalid-config-value", "'\(name)' is \(got); expected seconds, above 0 and at most 86400")
        return nil
    }

    /// Without the `.0` of a whole number.
    private func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

    private mutating func set<Value>(_ path: WritableKeyPath<ServerConfiguration, Value>, _ value: Value?) {
        if let value { configuration[keyPath: path] = value }
    }

    private mutating func problem(_ code: String, _ text: String) { problems.append("\(text) [\(code)]") }

    private mutating func notYet(_ key: String, only value: String) {
        problem("unsupported-config-value", "'\(key)' can only be \(value) in this version")
    }
}
