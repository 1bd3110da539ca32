/// A key of server.json: all that the reader, its suggestions, a reload, the documentation and the fuzzer know about it.
package struct ConfigurationKey: Sendable {
    /// With the objects that it is in, as `limits.perAddress`.
    package let path: String
    /// What values it takes, in Markdown.
    package let expected: String
    private let makeDefaultValue: @Sendable () -> String
    /// The JSON of a value that is not the default.
    package let example: String
    /// Whether a running server keeps the value that it was started with.
    package let needsRestart: Bool
    /// What it is for, in Markdown.
    package let meaning: String

    /// The JSON of the default, or what it is in words.
    package var defaultValue: String { makeDefaultValue() }

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

/// What it means for a running server that its configuration is another one (server.md, section 6).
struct ConfigurationChange {
    /// What is in force from now on: the new one, with what needs a restart as it was.
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
