internal import Foundation
internal import Glibc
internal import SystemSupport

/// A server of PostgreSQL with databases of its own, on a Unix socket in a temporary folder.
///
/// It refuses to run as root, and runs as the user `postgres` then. Everybody may connect as any role, but as `locked` with a
/// password only.
public final class PostgresCluster: @unchecked Sendable {
    private let folder: TemporaryFolder
    private let options: [String]
    private let server = Locked<ForegroundServer?>(nil)
    private let databases = Locked(0)
    /// Databases that others are copies of.
    private let templates = Locked<[String: String]>([:])

    /// The server that most tests share, each with a database of its own.
    ///
    /// - Throws: the same error each time, if it does not start.
    public static func shared() throws -> PostgresCluster { try common.get() }

    private static let common = Result {
        // Nobody forgets it before the process ends.
        atexit { PostgresCluster.removeCommon() }
        return try PostgresCluster()
    }

    private static func removeCommon() {
        guard let cluster = try? common.get() else { return }
        cluster.kill()
        try? FileManager.default.removeItem(at: cluster.folder.url)
    }

    /// Makes a cluster, and starts its server.
    ///
    /// - Parameter options: of `postgres`, such as `-c max_connections=5`.
    public init(options: [String] = []) throws {
        folder = try TemporaryFolder()
        self.options = options
        try ServiceUser.own(folder.path)
        try Self.run("cp", ["-a", "\(Self.empty.get().path)/data", data])
        try start()
    }

    /// The files of a cluster that has not been started: making them takes many times as long as copying them.
    private static let empty: Result<TemporaryFolder, any Error> = Result {
        atexit { _ = try? FileManager.default.removeItem(at: PostgresCluster.empty.get().url) }
        let folder = try TemporaryFolder()
        try ServiceUser.own(folder.path)
        let data = "\(folder.path)/data"
        try run(
            "initdb",
            ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "--wal-segsize=1", "-D", data])
        let rules = URL(fileURLWithPath: "\(data)/pg_hba.conf")
        try Data("local all locked scram-sha-256\n".utf8 + Data(contentsOf: rules)).write(to: rules)
        return folder
    }

    /// Copies a running cluster, and starts a server that follows it.
    private init(following primary: PostgresCluster) throws {
        folder = try TemporaryFolder()
        options = primary.options
        try ServiceUser.own(folder.path)
        try Self.run(
            "pg_basebackup",
            ["-h", primary.socketFolder, "-U", "postgres", "-R", "-X", "stream", "-c", "fast", "--no-sync", "-D", data])
        try start()
    }

    deinit { kill() }

    private var data: String { "\(folder.path)/data" }

    /// The folder of its socket, which libpq takes for a host.
    public var socketFolder: String { folder.path }

    public var logText: String { server.withLock { $0?.logText ?? "" } }

    /// A server that follows this one, until it is promoted.
    public func standby() throws -> PostgresCluster { try PostgresCluster(following: self) }

    /// Makes a standby take changes.
    public func promote() throws {
        try sql("SELECT pg_promote()")
    }

    /// Starts the server again after it has ended.
    public func start() throws {
        let socket = "\(folder.path)/.s.PGSQL.5432"
        guard socket.utf8.count < 108 else { throw TestFailure("the path of the socket is too long: \(socket)") }
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(folder.path)", "fsync=off", "wal_init_zero=off",
            "min_wal_size=2MB", "shared_buffers=32MB", "autovacuum=off", "max_connections=150",
        ]
        let (program, arguments) = try ServiceUser.command(
            "postgres", ["-D", data] + settings.flatMap { ["-c", $0] } + options)
        let started = try ForegroundServer(program, arguments, in: folder, sockets: [socket])
        server.withLock { $0 = started }
        // The socket is there before it answers queries.
        let hasEnded = { !started.isRunning }
        guard Waiting.until(orUntil: hasEnded, { (try? sql("SELECT 1")) != nil }) else {
            throw TestFailure("PostgreSQL does not answer:\n\(logText)")
        }
    }

    /// Ends the server at once, as `kill -9` does.
    public func kill() {
        let running = server.withLock { (server) in
            defer { server = nil }
            return server
        }
        guard let running else { return }
        // Stopped ones would stay for ever, and nobody is waited for before all are gone. A stopped server starts no others.
        running.signal(SIGSTOP)
        for process in ProcessState.children(of: running.processIdentifier) { Glibc.kill(process, SIGKILL) }
        running.end()
    }

    /// Ends the server as its administrator does, without waiting for sessions.
    public func stop() throws {
        guard let running = server.withLock({ $0 }) else { return }
        running.signal(SIGINT)
        guard Waiting.until({ !running.isRunning }) else { throw TestFailure("PostgreSQL does not stop:\n\(logText)") }
        server.withLock { $0 = nil }
    }

    /// Stops all processes of the server, as if it was cut off: it accepts connections and answers nothing.
    public func freeze() throws {
        guard let running = server.withLock({ $0 }) else { throw TestFailure("PostgreSQL does not run") }
        let main = running.processIdentifier
        running.signal(SIGSTOP)
        let isFrozen = Waiting.until {
            guard ProcessState.isStopped(main) else { return false }
            let others = ProcessState.children(of: main)
            for process in others { Glibc.kill(process, SIGSTOP) }
            return others.allSatisfy(ProcessState.isStopped)
        }
        guard isFrozen else { throw TestFailure("PostgreSQL is not stopped") }
    }

    /// Lets a frozen server go on.
    public func thaw() {
        guard let running = server.withLock({ $0 }) else { return }
        for process in ProcessState.children(of: running.processIdentifier) { Glibc.kill(process, SIGCONT) }
        running.signal(SIGCONT)
    }

    /// Makes an empty database of a new name.
    public func database() throws -> PostgresDatabase { try copy(of: "template1") }

    /// Makes a database of a new name that has been prepared: once, and copied then.
    ///
    /// - Parameters:
    ///   - kind: of the databases that are prepared alike.
    ///   - prepare: leaves no connection open.
    public func database(
        like kind: String, preparedBy prepare: (PostgresDatabase) throws -> Void
    ) throws -> PostgresDatabase {
        let template = try templates.withLock { (templates) in
            if let name = templates[kind] { return name }
            let database = try database()
            try prepare(database)
            templates[kind] = database.name
            return database.name
        }
        return try copy(of: template)
    }

    private func copy(of template: String) throws -> PostgresDatabase {
        let number = databases.withLock { (count) in
            count += 1
            return count
        }
        let name = "test\(number)"
        try sql("CREATE DATABASE \(name) TEMPLATE \(template)")
        return PostgresDatabase(name, self)
    }

    /// Runs statements as the administrator.
    ///
    /// - Returns: the rows, with `|` between their values.
    @discardableResult
    public func sql(_ statements: String, database: String = "postgres") throws -> String {
        try psql(statements, database: database, user: "postgres").text
    }

    /// Runs statements with the client of PostgreSQL, up to the first that fails.
    func psql(_ statements: String, database: String, user: String) throws -> Shell.Outcome {
        let outcome = try Shell.run(
            [
                ExternalProgram.psql.path, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", socketFolder, "-U",
                user, "-d", database, "-f", "-",
            ], input: Data(statements.utf8))
        guard outcome.status == 0 else { throw TestFailure("psql: \(outcome.errors)") }
        return outcome
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let (program, arguments) = try ServiceUser.command(program, arguments)
        let outcome = try Shell.run([try program.path] + arguments, in: URL(fileURLWithPath: "/"))
        guard outcome.status == 0 else { throw TestFailure("\(program.name): \(outcome.text)\(outcome.errors)") }
    }
}

/// A database of a test, with the roles that the test makes.
public final class PostgresDatabase: Sendable {
    public let name: String
    public let cluster: PostgresCluster

    fileprivate init(_ name: String, _ cluster: PostgresCluster) {
        self.name = name
        self.cluster = cluster
    }

    /// The address for a role, which needs no password.
    public func url(user: String = "postgres") -> String {
        let folder = cluster.socketFolder.replacingOccurrences(of: "/", with: "%2F")
        return "postgresql://\(user)@\(folder)/\(name)"
    }

    /// Runs statements as a role, in one session.
    ///
    /// - Returns: the rows, with `|` between their values.
    @discardableResult
    public func sql(_ statements: String, user: String = "postgres") throws -> String {
        let text = try cluster.psql(statements, database: name, user: user).text
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// The message of the first statement that fails; nil if none does.
    public func failure(of statements: String, user: String = "postgres") -> String? {
        do {
            try sql(statements, user: user)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Makes a role that may log in, whose name no other database has.
    ///
    /// - Parameter roles: those that it is a member of.
    public func login(_ kind: String, roles: String...) throws -> String {
        let login = newLogin(kind, roles: roles)
        try sql(login.statements)
        return login.role
    }

    /// The name of such a role, and the statements that make it.
    public func newLogin(_ kind: String, roles: [String]) -> (role: String, statements: String) {
        let role = "\(kind)_\(name)"
        return (role, "CREATE ROLE \(role) LOGIN; " + roles.map { "GRANT \($0) TO \(role); " }.joined())
    }
}

/// The user that servers run as which refuse to run as root.
enum ServiceUser {
    private static let name = "postgres"
    private static var isNeeded: Bool { geteuid() == 0 }

    /// Lets the user write into a folder.
    static func own(_ path: String) throws {
        guard isNeeded else { return }
        guard let user = getpwnam(name), chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw TestFailure("cannot give '\(path)' to the user '\(name)'")
        }
    }

    /// A command that becomes the program as the user.
    static func command(
        _ program: String, _ arguments: [String]
    ) throws -> (program: ExternalProgram, arguments: [String]) {
        let wanted = ExternalProgram(program, package: program == "pgbouncer" ? program : "postgresql")
        guard isNeeded else { return (wanted, arguments) }
        let user = ["--reuid", name, "--regid", name, "--init-groups", try wanted.path]
        return (ExternalProgram("setpriv", package: "util-linux"), user + arguments)
    }
}
