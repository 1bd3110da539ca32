internal import Diagnostics
internal import SiteStore

extension StoreError {
    /// The error of a connection that could not be made, from the library's lines about it: one or more for each host.
    static func connecting(
        _ address: StoreAddress, _ text: String, needsPassword: Bool, usedPassword: Bool
    ) -> StoreError {
        let reasons = reasons(text)
        let isMissing = reasons.contains { $0.hasSuffix("does not exist") && $0.contains("database") }
        let isRefused = refusals.contains { word in reasons.contains { $0.contains(word) } }
        let isAuthentication =
            !isMissing && (needsPassword || isRefused || usedPassword && text.contains("FATAL:  password"))
        let reason = safe(reasons.joined(separator: "; "), address)
        if isAuthentication {
            return StoreError(
                .authentication, "the database refuses the connection as \(address): \(reason)",
                brief: "the database refuses the connection: \(reason)",
                help: needsPassword
                    ? "put the password into ~/.pgpass, or a file that PGPASSFILE names, readable by its user alone"
                    : "check the user, its password or certificate, and pg_hba.conf of the server",
                isConnectionLost: true)
        }
        return StoreError(
            .unreachable, "cannot connect to the store as \(address): \(reason)",
            brief: "cannot connect to the store: \(reason)",
            help: isMissing
                ? "create the database, or correct its name"
                : "check that the database runs, and that its host and port can be reached from this machine",
            isConnectionLost: true)
    }

    /// The error of a connection that has ended by itself.
    static func lost(_ address: StoreAddress, _ text: String) -> StoreError {
        let reason = safe(reasons(text).joined(separator: "; "), address)
        return StoreError(
            .unreachable, "the connection to the store as \(address) was lost: \(reason)",
            brief: "the connection to the store was lost: \(reason)",
            help: "check that the database runs, and try again", isConnectionLost: true)
    }

    private static let refusals = [
        "authentication failed", "no pg_hba.conf entry", "no password supplied", "pg_hba.conf rejects",
        "is not permitted to log in", "certificate verify failed", "does not match host name",
        "requires a valid client",
        "auth failed", "no such user", "login denied",
    ]

    /// The lines of libpq, without what the address says already, and without its questions.
    private static func reasons(_ text: String) -> [String] {
        var reasons: [String] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("\t") {
            var reason = line.trimmedSpaces
            if reason.hasPrefix("connection to server"), let range = reason.firstRange(of: " failed: ") {
                reason = String(reason[range.upperBound...])
            }
            for prefix in ["FATAL:", "ERROR:"] where reason.hasPrefix(prefix) {
                reason = Substring(reason.dropFirst(prefix.count)).trimmedSpaces
            }
            reason = lowercasedStart(reason)
            if !reason.isEmpty, reasons.last != reason { reasons.append(reason) }
        }
        return reasons.isEmpty ? ["it ended without a reason"] : reasons
    }

    private static func lowercasedStart(_ text: String) -> String {
        let isWord = text.dropFirst().first?.isLowercase ?? false
        return isWord ? text.prefix(1).lowercased() + text.dropFirst() : text
    }

    /// Text of a server or library as messages show it; nothing of it if a secret is in it.
    private static func safe(_ text: String, _ address: StoreAddress) -> String {
        guard !address.secrets.contains(where: { text.contains($0) }) else { return "the reason has a password in it" }
        return String(quoted(text, limit: 400).dropFirst().dropLast())
    }
}

/// Errors that a server has answered with, by their SQLSTATE (PostgreSQL's manual, appendix A).
extension StoreError {
    /// - Parameter libraryMessage: what libpq says where the server has said nothing.
    static func answer(
        _ result: StoreResult, to sql: String, _ address: StoreAddress, libraryMessage: String
    ) -> StoreError {
        let message = safe(lowercasedStart(result.message), address)
        guard let state = result.state else {
            return lost(address, result.message.isEmpty ? libraryMessage : result.message)
        }
        switch state {
        case "42501": return denied(message, sql, address)
        case "42P01", "3F000":
            return StoreError(
                .notInitialised, "database '\(address.database)' has no store: \(message)",
                help: "run 'aasa store init', or correct the database in the URL of the store")
        case "42703", "42883":
            return StoreError(
                .schemaOlder, "the store has an older schema than this program needs: \(message)",
                help: "run 'aasa store migrate' with a role that owns the schema")
        case "55P03":
            return StoreError(
                .lockTimeout, "gave up waiting for a lock that another transaction in the store holds",
                help: "try again; if it stays, look for the session that holds it in pg_stat_activity and pg_locks")
        case "57014":
            return StoreError(
                .timeout, "the database has cancelled a statement that took too long: \(message)",
                help: "look for what keeps the database busy, and try again")
        case "25006":
            return StoreError(
                .readOnly, "the server takes no changes: \(message)",
                help: "connect to the primary server; 'target_session_attrs=read-write' in the URL finds it")
        case _ where state.hasPrefix("28"):
            return StoreError(
                .authentication, "the database refuses the connection as \(address): \(message)",
                brief: "the database refuses the connection: \(message)",
                help: "check the user, its password or certificate, and pg_hba.conf of the server",
                isConnectionLost: true)
        case _ where ["57P01", "57P02", "57P03", "57P05"].contains(state) || state.hasPrefix("08"):
            return lost(address, result.message)
        case "23514":
            return StoreError(
                .other, "the store does not accept a value: it violates the check '\(result.constraint ?? "")'",
                help: "domains are lowercase and in Punycode, names of files are those that 'wellKnown' may have")
        case "40001", "40P01":
            return StoreError(.conflict, "another transaction was in the way: \(message)", help: "try again")
        default:
            return StoreError(.other, "the database has refused a statement: \(message) (SQLSTATE \(state))")
        }
    }

    private static func denied(_ message: String, _ sql: String, _ address: StoreAddress) -> StoreError {
        // The message is in the server's language, but the name of a table or function is in all of them.
        let object = rights.first { right in message.split(separator: " ").contains { $0.hasSuffix(right.object) } }
        let verb = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        // A user who may not use the schema gets no further, whatever the statement is.
        let isSchema = object?.object == "aasa"
        let isChange = !isSchema && ["INSERT", "UPDATE", "DELETE", "TRUNCATE"].contains(verb)
        if ["ALTER", "CREATE", "DROP", "GRANT", "REVOKE"].contains(verb) {
            return StoreError(
                .permissionDenied, "user '\(address.user)' may not do this in the store: \(message)",
                help: "only the owner of the store has this right")
        }
        let right = "the right \(isChange ? verb : isSchema ? "USAGE" : "SELECT")"
        guard let object else {
            return StoreError(.permissionDenied, "user '\(address.user)' may not do this in the store: \(message)")
        }
        let name = isSchema ? "schema 'aasa'" : "'aasa.\(object.object)'"
        let role = isChange ? object.writer : object.reader
        let others = !isChange && role == "aasa_publisher" ? ", or GRANT aasa_node for a node" : ""
        return StoreError(
            .permissionDenied, "user '\(address.user)' lacks \(right) on \(name)",
            help: role.map { "run as an administrator: GRANT \($0) TO \(identifier(address.user))\(others)" }
                ?? "only the owner of the store has this right",
            deniedUser: role.map { _ in identifier(address.user) })
    }

    /// A thing that may be denied, and the roles that have the rights on it.
    private static let rights: [(object: String, reader: String?, writer: String?)] = [
        ("certificates", "aasa_node", "aasa_node"), ("ticket_keys", "aasa_node", "aasa_node"),
        ("acme_accounts", "aasa_node", "aasa_node"), ("acme_challenges", "aasa_node", "aasa_node"),
        ("acme_orders", "aasa_node", "aasa_node"), ("acme_states", "aasa_node", "aasa_node"),
        ("acme_requests", "aasa_node", "aasa_node"),
        ("nodes", "aasa_publisher", "aasa_node"), ("versions", "aasa_publisher", "aasa_publisher"),
        ("content", "aasa_publisher", "aasa_publisher"), ("current", "aasa_publisher", nil),
        ("meta", "aasa_publisher", nil), ("changes", "aasa_publisher", nil), ("aasa", "aasa_publisher", nil),
    ]

    /// A name as SQL has it.
    static func identifier(_ name: String) -> String {
        let isPlain = name.utf8.first.map { (0x61...0x7A).contains($0) || $0 == 0x5F } ?? false
        let rest = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        return isPlain && rest ? name : "\"\(name.replacing("\"", with: "\"\""))\""
    }
}

extension Substring {
    fileprivate var trimmedSpaces: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
