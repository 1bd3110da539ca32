internal import ACME
internal import Diagnostics
internal import JSONSyntax
internal import SiteStore

/// The store that a server takes its sites and certificates from, in place of folders (store.md, section 1).
package struct StoreConfiguration: Equatable, Sendable {
    /// A connection URI of libpq, or its keyword string; nil without a store. It may have a password in it, so it is never
    /// shown.
    package var address: String?
    /// The folder of this node for what it has read of the store.
    package var cache: String?
    /// The file with the keys that private keys and ticket keys are encrypted with.
    package var keyFile: String?
    /// The time between two looks at the generation of the store, in seconds.
    package var poll = 30.0
    /// The name of this node in the store; nil for one that it makes itself.
    package var node: String?
    /// The number of nodes that should follow the store; nil if any number is right.
    package var nodes: Int?
    /// Where the keys that exclude or need each other are set: `server.json:3:12` by the name of the key, or an option.
    package var origins: [String: Origin] = [:]

    /// Where a setting comes from.
    package enum Origin: Equatable, Sendable {
        /// `PATH:LINE:COLUMN` in server.json.
        case file(String)
        /// An option of the command, such as `--store`.
        case option(String)
    }

    /// The shortest and the longest time between two looks at the generation, in seconds.
    package static let pollRange = 1.0...3_600.0

    package init() {}

    /// Whether sites come from a store.
    package var isOn: Bool { address != nil }
}

extension StoreConfiguration {
    /// Whether the settings are the same, wherever they are made.
    package static func == (left: StoreConfiguration, right: StoreConfiguration) -> Bool {
        left.address == right.address && left.cache == right.cache && left.keyFile == right.keyFile
            && left.poll == right.poll && left.node == right.node && left.nodes == right.nodes
    }

    static let keys: [ConfigurationKey] = [
        ConfigurationKey(
            "store", \.store.address, .storeAddress, default: "`null`",
            example: #""postgresql://aasa@db.internal/links?sslmode=verify-full""#, needsRestart: true,
            """
            The PostgreSQL database that sites and certificates come from, instead of `sites`: a connection URI or keyword \
            string of libpq. A password belongs into `~/.pgpass`. See [many machines](fleet.md).
            """),
        ConfigurationKey(
            "storeCache", \.store.cache, .optionalFolder, default: "none; required with `store`",
            example: #""/var/lib/aasa/store""#, needsRestart: true,
            """
            The folder in which this node keeps what it has read of the store, to start from it when the database is away. \
            Each node needs its own.
            """),
        ConfigurationKey(
            "storeKeyFile", \.store.keyFile, .optionalFile, default: "`null`", example: #""/etc/aasa/store.keys""#,
            "The file with the keys that private keys and ticket keys in the store are encrypted with."),
        ConfigurationKey(
            "storePoll", \.store.poll, .pollSeconds, example: "5",
            "Time between two looks for changes in the store, besides its notifications."),
        ConfigurationKey(
            "storeNode", \.store.node, .nodeName, default: "the host name, `-` and 8 digits kept in `storeCache`",
            example: #""edge-1""#, needsRestart: true, "The name of this node in the store."),
        ConfigurationKey(
            "storeNodes", \.store.nodes, .integer(1...10_000), default: "any number", example: "3",
            "The number of nodes that should follow the store: with fewer, `aasa status` and `/metrics` warn."),
    ]

    /// The keys whose origin is remembered.
    static let trackedKeys = keys.map(\.path) + ["sites", "certs", ACMEConfiguration.name]
}

extension ServerConfiguration {
    /// The settings that exclude or need each other; nil if all is well.
    ///
    /// It is `configuration` if they are in server.json alone, and `usage` if options have a part in it.
    package var storeConflict: ServerError? {
        func named(_ key: String) -> String {
            switch store.origins[key] {
            case .option(let option): "'\(option)'"
            case .file(let place): "'\(key)' (\(place))"
            case nil: "'\(key)'"
            }
        }
        func conflict(_ keys: [String], _ message: String, _ help: String) -> ServerError {
            let isOfOption = keys.contains { if case .option = store.origins[$0] { true } else { false } }
            return ServerError(isOfOption ? .usage : .configuration, message, help: help)
        }
        guard store.isOn else {
            guard let key = Self.storeSettings.first(where: { store.origins[$0] != nil }) else { return nil }
            return conflict(
                [key], "\(named(key)) is set without 'store'",
                "set 'store' to the URL of the database, or remove \(key)")
        }
        if store.origins["sites"] != nil {
            return conflict(
                ["store", "sites"], "\(named("store")) and \(named("sites")) exclude each other",
                "keep one of them: sites come from a store, or from a folder")
        }
        if acme.isOn, acme.folder != nil {
            return conflict(
                ["store", ACMEConfiguration.name],
                "\(named("store")) and 'folder' in \(named(ACMEConfiguration.name)) exclude each other",
                "remove 'acme.folder': with a store, accounts and certificates are kept in the store")
        }
        if acme.isOn, store.keyFile == nil {
            return conflict(
                ["store", ACMEConfiguration.name],
                "\(named("store")) and \(named(ACMEConfiguration.name)) are set without 'storeKeyFile'",
                "set 'storeKeyFile' to a file with a line of 'aasa store key': private keys are kept in the store, encrypted"
            )
        }
        guard store.cache == nil else { return nil }
        return conflict(
            ["store"], "\(named("store")) is set without 'storeCache'",
            "set 'storeCache' to a folder of this node, like \"/var/lib/aasa/store\"")
    }

    /// Where accounts and certificates of orders are kept: a folder, or the store.
    package var issuancePlace: String { store.isOn ? "store" : acmeFolder }

    private static let storeSettings = ["storeCache", "storeKeyFile", "storePoll", "storeNode", "storeNodes"]

    /// Whether folders of certificates are read: with a store only one that was asked for.
    var readsCertificateFolders: Bool { readsCertificates && (!store.isOn || store.origins["certs"] != nil) }
}

extension ConfigurationType where Value == String? {
    static var storeAddress: Self {
        Self(expected: "a connection URI or keyword string of libpq, or `null`") { value, reader in
            if value.isNull { return .some(nil) }
            guard let text = reader.string(value) else { return nil }
            // Only libpq can read the text; it may hold a password, and is never quoted.
            return !text.isEmpty && !text.utf8.contains(0)
                ? text : reader.reject(value, "empty", expected: "a URI like \"postgresql://aasa@db.internal/links\"")
        }.taking(.any(of: [.string, .type("null")])).shown { _ in "null" }
    }

    static var nodeName: Self {
        ConfigurationType<String>.text(
            expected: "1 to 64 characters of `A–Z a–z 0–9 . _ -`",
            "1 to 64 letters, digits, dots, underscores and hyphens", StoreNames.isNodeName
        ).orNull(expected: "1 to 64 characters of `A–Z a–z 0–9 . _ -`")
    }
}

extension ConfigurationType where Value == Double {
    static var pollSeconds: Self {
        seconds("seconds, 1 to 3600", StoreConfiguration.pollRange.contains) { _ in
            "is not a number of seconds from 1 to 3600"
        }
    }
}
