internal import ACME
internal import BoundedText
public import Diagnostics
internal import EventLoops
internal import JSONSyntax
internal import SystemSupport

extension ServerConfiguration {
    /// Where server.json is looked for if no path is given.
    public static let defaultPath = "Config/server.json"

    /// Reads server.json.
    ///
    /// - Parameters:
    ///   - path: `nil` takes `defaultPath` where it exists, and the defaults where not.
    ///   - report: is called with each warning.
    /// - Throws: `ServerError`: `unreadable`, or `configuration` with all that is wrong in it.
    public static func load(
        path: String?, report: (LocatedDiagnostic) -> Void = { _ in }
    ) throws(ServerError) -> ServerConfiguration {
        let file = path ?? defaultPath
        if path == nil, !Path.exists(file) { return ServerConfiguration() }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileReader.read(file, limit: ConfigurationReader.limit).bytes
        } catch {
            throw ServerError(.unreadable, "cannot read the configuration '\(file)': \(error.reason)")
        }
        var configuration = try ConfigurationReader.read(bytes, path: file, report: report)
        try configuration.readACMEFiles()
        return configuration
    }

    /// Whether a text is a server.json, and no other configuration: it has one of the keys of the former.
    package static func isOne(_ bytes: [UInt8]) -> Bool {
        let root = JSONReader.read(bytes, path: "", limits: .configuration).root?.object
        return root?.members.contains { member in
            keys.contains { $0.path == member.key.text || $0.path.hasPrefix("\(member.key.text).") }
        } ?? false
    }
}

/// Reads server.json (server.md, section 1) and finds all that is wrong with it, not the first thing only.
///
/// Which keys there are is in `ServerConfiguration.keys`, how their values are read in `ConfigurationType`.
package struct ConfigurationReader {
    /// The largest file that is read, in bytes.
    static let limit = 1_048_576

    var configuration = ServerConfiguration()
    private var diagnostics: [Diagnostic] = []
    /// The addresses that listeners have, each with its text.
    private var claimedAddresses: [(address: BoundAddress, text: String)] = []
    /// Where PROXY headers are expected from peers that have addresses of their own.
    private var proxyListeners: [(listener: ListenerConfiguration, value: ConfigurationValue)] = []
    /// Whether `trustedProxies` names any.
    var hasTrustedProxies = false
    /// The folder of server.json: relative paths in it start there.
    private let folder: String
    private let source: SourceText
    /// The address of the store, which may have a password in it.
    private var secret: SourceRange?

    /// - Parameters:
    ///   - path: of the file; names it in messages.
    ///   - report: is called with each warning.
    package static func read(
        _ bytes: [UInt8], path: String, report: (LocatedDiagnostic) -> Void = { _ in }
    ) throws(ServerError) -> ServerConfiguration {
        var limits = ReadingLimits.configuration
        limits.hard = Self.limit
        let document = JSONReader.read(bytes, path: path, limits: limits)
        var reader = ConfigurationReader(document.source)
        // Where the repair of the syntax is a guess, what the file says would be one, too.
        if document.isTreeReliable, let root = document.root {
            reader.readKeys(of: ConfigurationValue(name: "", pointer: JSONPointer(), node: root))
            reader.rejectUnreachableListeners()
        }
        let diagnostics = (document.findings + reader.diagnostics).sorted {
            ($0.range.start, $0.range.end, $0.code.rawValue) < ($1.range.start, $1.range.end, $1.code.rawValue)
        }
        let source = reader.shownSource
        let findings = diagnostics.map { LocatedDiagnostic($0, in: source) }
        guard !findings.contains(where: \.isError) else {
            let isUsable = document.isTreeReliable && reader.knowsFolders
            throw ServerError(
                .configuration, findings: findings, usableConfiguration: isUsable ? reader.configuration : nil)
        }
        for finding in findings { report(finding) }
        return reader.configuration
    }

    private init(_ source: SourceText) {
        self.source = source
        folder = Path.folder(of: source.path)
        configuration.sites = Path.join(folder, "sites")
        configuration.certs = Path.join(folder, "../certs")
    }

    /// Whether the folders of sites and certificates are known, whatever else is wrong.
    private var knowsFolders: Bool {
        diagnostics.allSatisfy { !["", "/sites", "/certs"].contains($0.pointer) }
    }

    /// Reads the keys of an object, and of the objects in it.
    private mutating func readKeys(of value: ConfigurationValue) {
        guard let object = value.node.object else {
            let subject = value.name.isEmpty ? "the file" : "'\(value.name)'"
            return reject(value, "\(subject) is \(value.kind); expected an object")
        }
        let prefix = value.name.isEmpty ? "" : "\(value.name)."
        var known: [String] = []
        for key in ServerConfiguration.keys where key.path.hasPrefix(prefix) {
            let name = String(key.path.dropFirst(prefix.count).prefix { $0 != "." })
            if !known.contains(name) { known.append(name) }
        }
        rejectUnknownKeys(of: object, value, known: known)
        for name in known {
            guard let value = value[name] else { continue }
            if StoreConfiguration.trackedKeys.contains(value.name) { noteOrigin(of: value) }
            if let key = ServerConfiguration.keys.first(where: { $0.path == value.name }) {
                key.read(value, &self)
            } else {
                // Off, as without it.
                if value.name == ACMEConfiguration.name, value.isNull { continue }
                readKeys(of: value)
                if value.name == ACMEConfiguration.name { checkTerms(value) }
            }
        }
    }

    private mutating func noteOrigin(of value: ConfigurationValue) {
        if value.isNull { return }
        let start = source.position(at: value.node.range.start)
        configuration.store.origins[value.name] = .file("\(source.path):\(start.line):\(start.column)")
        if value.name == "store" { secret = value.node.range }
    }

    /// The text for findings: what can have a password in it is covered by asterisks.
    private var shownSource: SourceText {
        guard let secret, secret.end - secret.start > 2 else { return source }
        var bytes = source.bytes
        for index in secret.start + 1..<secret.end - 1 { bytes[index] = UInt8(ascii: "*") }
        return SourceText(bytes, path: source.path)
    }

    mutating func rejectUnknownKeys(of object: JSONObject, _ value: ConfigurationValue, known: [String]) {
        let container = value.name.isEmpty ? "" : " in '\(value.name)'"
        // Editors look for '$schema'.
        for unknown in object.unknownKeys(besides: known) where unknown.key != "$schema" || !value.name.isEmpty {
            diagnostics.append(
                Diagnostic(
                    .unknownConfigKey, unknown.message(in: container), range: unknown.range,
                    pointer: value.pointer.member(unknown.key).description,
                    notes: unknown.nearest == nil ? ["known keys are \(known.joined(separator: ", "))"] : [],
                    fixIts: unknown.fix.map { [$0] } ?? []))
        }
    }

    /// An absolute path, or one from the working directory; a relative one in the file starts at its folder.
    func resolved(_ path: String) -> String { Path.join(folder, path) }

    /// As it is in the file.
    func text(_ range: SourceRange) -> String {
        String(text: source.bytes[range.start..<range.end])
    }

    mutating func rejectUnlessFalse(_ value: ConfigurationValue) {
        guard ConfigurationType.boolean.read(value, &self) == true else { return }
        reject(
            value.node.range, value.pointer, "'\(value.name)' can only be false in this version",
            rule: .unsupportedConfigValue)
    }

    mutating func warn(_ rule: RuleDescription, _ value: ConfigurationValue, _ message: String, advice: String) {
        diagnostics.append(
            Diagnostic(
                rule, message, range: value.node.range, pointer: value.pointer.description, advice: advice))
    }

    mutating func reject(
        _ range: SourceRange, _ pointer: JSONPointer, _ message: String, _ fix: FixIt? = nil,
        rule: RuleDescription = .invalidConfigValue
    ) {
        diagnostics.append(
            Diagnostic(
                rule, message, range: range, pointer: pointer.description, fixIts: fix.map { [$0] } ?? []))
    }

    mutating func reject(_ value: ConfigurationValue, _ message: String, _ fix: FixIt? = nil) {
        reject(value.node.range, value.pointer, message, fix)
    }

    /// Reports a value that cannot be read.
    mutating func reject<Value>(_ value: ConfigurationValue, _ message: String, _ fix: FixIt? = nil) -> Value? {
        reject(value.node.range, value.pointer, message, fix)
        return nil
    }

    /// Reports a value that is not what its key takes.
    ///
    /// - Parameter found: the value in the message; nil is its kind.
    mutating func reject<Value>(
        _ value: ConfigurationValue, _ found: String? = nil, expected: String, _ fix: FixIt? = nil
    ) -> Value? {
        let verb = value.isElement ? "has" : "is"
        return reject(value, "'\(value.name)' \(verb) \(found ?? value.kind); expected \(expected)", fix)
    }

    /// Notes the addresses of a listener.
    ///
    /// - Returns: the text of an earlier one that has one of them, too.
    mutating func claim(_ addresses: [BoundAddress], _ text: String) -> String? {
        // Each port 0 is another free one.
        let rival = claimedAddresses.first { $0.address.port != 0 && addresses.contains($0.address) }
        claimedAddresses += addresses.map { ($0, text) }
        return rival?.text
    }

    /// - Parameter value: that says so.
    mutating func noteProxyListener(_ listener: ListenerConfiguration, _ value: ConfigurationValue) {
        proxyListeners.append((listener, value))
    }

    /// Reports listeners that no client could connect to.
    private mutating func rejectUnreachableListeners() {
        guard !hasTrustedProxies else { return }
        for (listener, value) in proxyListeners where listener.endpoint != nil && listener.needsTrustedProxies {
            reject(
                value,
                "'\(value.name)' is true, but 'trustedProxies' is empty: nobody can connect to "
                    + quoted(listener.address, limit: 120))
        }
    }
}

/// A value of server.json.
struct ConfigurationValue {
    /// The path of its key, as `limits.perAddress`; empty for the file itself.
    let name: String
    let pointer: JSONPointer
    let node: JSONNode
    /// Whether it is in an array that is the value of the key.
    var isElement = false

    /// The kind of the value, for a message.
    var kind: String { node.kind }

    var isNull: Bool { if case .null = node.value { true } else { false } }

    /// Writes a text in place of the value.
    func writing(_ text: String) -> FixIt { .writing(text, at: node.range) }

    /// Writes a string in place of the value.
    func writing(string text: String) -> FixIt { writing(JSONOutput.string(text).text) }

    /// The value of a key; of several the last one.
    subscript(key: String) -> ConfigurationValue? {
        node.object?[key].map { node in
            ConfigurationValue(
                name: name.isEmpty ? key : "\(name).\(key)", pointer: pointer.member(key), node: node)
        }
    }

    var elements: [ConfigurationValue]? {
        node.array?.enumerated().map { index, node in
            ConfigurationValue(name: name, pointer: pointer.element(index), node: node, isElement: true)
        }
    }
}

/// A key of server.json: all that the reader, its suggestions, a reload, the documentation and the fuzzer know about it.
package struct ConfigurationKey: Sendable {
    /// The path of the key through its objects, such as `limits.perAddress`.
    package let path: String
    /// The values that the key takes, in Markdown.
    package let expected: String
    private let makeDefaultValue: @Sendable () -> String
    private let makeSchema: @Sendable () -> JSONSchema
    /// The JSON of a value that is not the default.
    package let example: String
    /// Whether a running server keeps the value that it was started with.
    package let needsRestart: Bool
    /// The meaning of the key, in Markdown.
    package let meaning: String

    /// The JSON of the default, or what it is in words.
    package var defaultValue: String { makeDefaultValue() }
    /// The values whose type and keys are right.
    package var schema: JSONSchema { makeSchema().described(meaning) }

    /// Reads the value into the configuration, or reports what is wrong with it.
    let read: @Sendable (ConfigurationValue, inout ConfigurationReader) -> Void
    /// Whether two configurations have the same value.
    package let isSame: @Sendable (ServerConfiguration, ServerConfiguration) -> Bool
    /// Sets the value of the first configuration to that of the second one.
    package let copy: @Sendable (inout ServerConfiguration, ServerConfiguration) -> Void

    /// - Parameters:
    ///   - property: where the value is kept.
    ///   - defaultValue: for the documentation, if the property does not show it.
    init<Value: Equatable>(
        _ path: String, _ property: any WritableKeyPath<ServerConfiguration, Value> & Sendable,
        _ type: ConfigurationType<Value>, default defaultValue: String? = nil, example: String,
        needsRestart: Bool = false, _ meaning: String
    ) {
        self.path = path
        expected = type.expected
        // Only the documentation needs it, and each start needs all keys.
        makeSchema = type.schema
        makeDefaultValue = { defaultValue ?? "`\(type.json(ServerConfiguration()[keyPath: property]))`" }
        self.example = example
        self.needsRestart = needsRestart
        self.meaning = meaning
        read = { value, reader in
            if let read = type.read(value, &reader) { reader.configuration[keyPath: property] = read }
        }
        isSame = { $0[keyPath: property] == $1[keyPath: property] }
        copy = { $0[keyPath: property] = $1[keyPath: property] }
    }

    /// A key that is reserved: it can only be `false` in this version.
    init(reserved path: String, _ meaning: String) {
        self.path = path
        (expected, example) = ("only `false` in this version", "false")
        makeDefaultValue = { "`false`" }
        makeSchema = { JSONSchema(["const": .boolean(false)]) }
        needsRestart = false
        self.meaning = meaning
        read = { value, reader in reader.rejectUnlessFalse(value) }
        isSame = { _, _ in true }
        copy = { _, _ in }
    }

    /// A server.json with this key only.
    ///
    /// - Parameter value: as JSON; `nil` is the example.
    package func document(_ value: String? = nil) -> String {
        path.split(separator: ".").reversed().reduce(value ?? example) { "{\"\($1)\": \($0)}" }
    }

    /// The table of `docs/server.json.md`.
    package static var markdown: String {
        let rows = ServerConfiguration.keys.map { key in
            let restart = key.needsRestart ? " Needs a restart." : ""
            let cells = ["`\(key.path)`", key.expected, key.defaultValue, key.meaning + restart]
            return "| \(cells.joined(separator: " | ")) |\n"
        }
        return "| key | value | default | meaning |\n|---|---|---|---|\n" + rows.joined()
    }
}

/// The consequences of a changed configuration for a running server (server.md, section 6).
struct ConfigurationChange {
    /// The configuration in force from now on: the new one, except for keys that need a restart.
    let effective: ServerConfiguration
    /// The keys that take effect now.
    let keys: [String]
    /// The keys that would take effect after a restart.
    let restartKeys: [String]
    /// Whether the access log is another one.
    let hasNewAccessLog: Bool

    init(from running: ServerConfiguration, to wanted: ServerConfiguration) {
        var effective = wanted
        for key in ServerConfiguration.keys where key.needsRestart { key.copy(&effective, running) }
        keys = ServerConfiguration.keys.filter { !$0.isSame(running, effective) }.map(\.path)
        restartKeys = ServerConfiguration.keys.filter { !$0.isSame(wanted, effective) }.map(\.path)
        hasNewAccessLog = running.log.access != effective.log.access || running.log.format != effective.log.format
        self.effective = effective
    }
}
