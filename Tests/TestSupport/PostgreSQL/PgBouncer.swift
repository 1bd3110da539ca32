internal import Foundation

/// A pooler before a database, which lends its connections to the server out.
public final class PgBouncer: Sendable {
    /// The time for which a client keeps a connection to the server.
    public enum Mode: String, Sendable {
        case transaction, session
    }

    private let folder: TemporaryFolder
    private let server: ForegroundServer
    private let name: String

    /// - Parameter user: the role of its connections to the server, whoever connects to it.
    public init(_ database: PostgresDatabase, user: String = "postgres", mode: Mode) throws {
        folder = try TemporaryFolder()
        name = database.name
        try ServiceUser.own(folder.path)
        let configuration = try folder.write(
            """
            [databases]
            \(name) = host=\(database.cluster.socketFolder) dbname=\(name) user=\(user)
            [pgbouncer]
            listen_port = 6432
            unix_socket_dir = \(folder.path)
            auth_type = any
            pool_mode = \(mode.rawValue)
            default_pool_size = 5
            query_wait_timeout = 5
            server_login_retry = 1

            """, to: "pgbouncer.ini")
        let (program, arguments) = try ServiceUser.command("pgbouncer", [configuration])
        server = try ForegroundServer(program, arguments, in: folder, sockets: ["\(folder.path)/.s.PGSQL.6432"])
    }

    /// The address of the database through it.
    public var url: String {
        "postgresql://anyone@\(folder.path.replacingOccurrences(of: "/", with: "%2F")):6432/\(name)"
    }

    public func end() { server.end() }
}
