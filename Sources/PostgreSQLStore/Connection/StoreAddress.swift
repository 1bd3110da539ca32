internal import CPostgreSQL
package import Diagnostics
package import SiteStore

/// The address of a store, in the options of libpq, with a description that has no secrets in it.
package struct StoreAddress: Sendable, CustomStringConvertible {
    /// The options for libpq: those of the text, and ours where it and its surroundings are silent.
    private(set) var options: ConnectionOptions
    /// Whether the name of the application is ours.
    private let isNamedByUs: Bool
    /// For messages, as in `user 'deploy' at db.internal:5432, database 'links'`.
    package let description: String
    /// The name of the user, as in messages.
    package let user: String
    /// The name of the database, as in messages.
    package let database: String
    /// Whether a password is in the text itself.
    package let hasPassword: Bool
    /// Whether it leads over TCP to another machine whose identity is not verified.
    package let isInsecure: Bool
    /// The texts that must not appear in any message. A password like the name of the user is none.
    let secrets: [String]

    /// Reads a URL, `postgresql://USER@HOST:PORT/DATABASE?OPTION=VALUE`, or a keyword string, `host=HOST dbname=DATABASE`.
    ///
    /// - Parameter applicationName: what `pg_stat_activity` shows, unless the text says something else.
    /// - Throws: `StoreError` of the kinds `usage`, in words that have nothing of the text, and `missingLibrary`.
    package init(_ text: String, applicationName: String) throws(StoreError) {
        let library = try PostgreSQLLibrary.shared()
        // For libpq it is all that the environment says.
        guard text.contains(where: { !$0.isWhitespace }) else { throw Self.unreadable(text) }
        guard let given = ConnectionOptions(parsing: text, library) else { throw Self.unreadable(text) }
        try Self.refuseDisplacedPassword(text, given)
        guard let effective = given.effective(library) else {
            guard given["service"] != nil else { throw Self.unreadable(text) }
            throw StoreError(
                .usage, "the service that the address of the store names is in no service file",
                help: "define it in ~/.pg_service.conf, or in the file that PGSERVICEFILE names")
        }
        var options = given
        for (keyword, value) in Self.defaults where effective[keyword] == nil { options[keyword] = value }
        isNamedByUs = effective["application_name"] == nil
        if isNamedByUs { options["application_name"] = applicationName }
        // All texts are in it, whatever the environment says.
        options["client_encoding"] = "UTF8"
        self.options = options
        let hosts = StoreHosts(effective)
        user = Self.shown(effective["user"] ?? "")
        database = Self.shown(effective["dbname"] ?? effective["user"] ?? "")
        description = "user '\(user)' at \(hosts.description), database '\(database)'"
        hasPassword = Self.secretOptions.contains { given[$0] != nil }
        isInsecure = hosts.hasRemote && effective["sslmode"] != "verify-full"
        let description = description
        secrets = Self.secretOptions.compactMap { effective[$0] }.filter { !description.contains($0) }
    }

    /// The same address for a node, whose name `pg_stat_activity` shows, too.
    package func forNode(_ name: String) -> StoreAddress {
        guard isNamedByUs, let application = options["application_name"] else { return self }
        var address = self
        address.options["application_name"] = "\(application) \(name)"
        return address
    }

    /// The findings about it: `store-password-in-url` and `store-insecure-connection`.
    package var warnings: [Diagnostic] {
        var warnings: [Diagnostic] = []
        if hasPassword {
            warnings.append(
                Diagnostic(
                    .storePasswordInURL, "the address of the store has a password in it", subject: subject,
                    advice: "put it into ~/.pgpass, or a file that PGPASSFILE names, readable by its user alone"))
        }
        if isInsecure {
            warnings.append(
                Diagnostic(
                    .storeInsecureConnection, "the identity of the database is not verified", subject: subject,
                    advice: "add 'sslmode=verify-full' to the URL, with 'sslrootcert' for a CA of your own"))
        }
        return warnings
    }

    /// The value of an option that libpq is given, such as `connect_timeout`; nil where the environment or its own default
    /// holds, and for secrets.
    package func option(_ keyword: String) -> String? {
        Self.secretOptions.contains(keyword) ? nil : options[keyword]
    }

    private var subject: Diagnostic.Subject { .item("store", path: nil, index: nil) }

    private static let defaults = [
        "connect_timeout": "5", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
        "tcp_user_timeout": "30000",
    ]

    private static let secretOptions = ["password", "sslpassword"]

    private static let schemes = ["postgresql://", "postgres://"]

    private static func unreadable(_ text: String) -> StoreError {
        if schemes.contains(where: { text.hasPrefix($0) }) {
            return StoreError(
                .usage,
                "the URL of the store cannot be read; expected 'postgresql://USER@HOST:PORT/DATABASE?OPTION=VALUE'",
                help: "write '@', ':', '/', '?', '#' and '%' in names and passwords as '%' and two hexadecimal digits")
        }
        return StoreError(
            .usage,
            "the address of the store cannot be read; expected a URL like 'postgresql://USER@HOST:PORT/DATABASE', or "
                + "options like 'host=HOST user=USER dbname=DATABASE'",
            help: "put values with spaces between single quotes")
    }

    /// A password with characters that mean something in a URL ends up in the host, the port or the database, which messages
    /// show.
    private static func refuseDisplacedPassword(_ text: String, _ options: ConnectionOptions) throws(StoreError) {
        let ports = (options["port"] ?? "").split(separator: ",")
        let hosts = (options["host"] ?? "") + (options["hostaddr"] ?? "")
        // An abstract socket begins with it.
        let hasStrayMark = hosts.split(separator: ",").contains { $0.dropFirst().contains("@") }
        let database = options["dbname"] ?? ""
        var isSound = ports.allSatisfy { UInt16($0) ?? 0 > 0 } && !hasStrayMark
        isSound = isSound && !schemes.contains { database.hasPrefix($0) } && !database.contains("password=")
        if let scheme = schemes.first(where: { text.hasPrefix($0) }) {
            let rest = text.dropFirst(scheme.count)
            if let slash = rest.firstIndex(of: "/") {
                isSound = isSound && !rest[slash...].prefix { $0 != "?" }.contains("@")
            }
        }
        guard isSound else { throw unreadable(text) }
    }

    private static func shown(_ name: String) -> String { String(quoted(name).dropFirst().dropLast()) }
}

/// The servers that an address names, in their order.
private struct StoreHosts {
    /// As in messages: `a.internal:5432, b.internal:5432`, or `socket '/run/postgresql/.s.PGSQL.5432'`.
    let description: String
    /// Whether one is reached over TCP and is not this machine.
    let hasRemote: Bool

    init(_ options: ConnectionOptions) {
        func list(_ keyword: String) -> [String] {
            (options[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        var texts: [String] = []
        var hasRemote = false
        for index in 0..<max(names.count, addresses.count) {
            let name = index < names.count ? names[index] : ""
            let address = index < addresses.count ? addresses[index] : ""
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            let target = address.isEmpty ? name : address
            let number = port.isEmpty ? "5432" : port
            if target.isEmpty || target.hasPrefix("/") || target.hasPrefix("@") {
                texts.append(
                    "socket \(quoted("\(target.isEmpty ? Self.folder : target)/.s.PGSQL.\(number)", limit: 120))")
            } else {
                let shown = String(quoted(name.isEmpty ? address : name, limit: 253).dropFirst().dropLast())
                texts.append(shown.contains(":") ? "[\(shown)]:\(number)" : "\(shown):\(number)")
                hasRemote = hasRemote || !Self.isLoopback(target)
            }
        }
        description = texts.joined(separator: ", ")
        self.hasRemote = hasRemote
    }

    /// Debian's default for the sockets of servers.
    private static let folder = "/var/run/postgresql"

    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return host.lowercased() == "localhost" || host == "::1" || isIPv4 && parts[0] == "127"
    }
}
