import Diagnostics
import Foundation
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Stores that cannot be reached", .waitingForSeconds, .needs(.postgres))
struct UnreachableStoreTests {
    private func error(_ url: String, deadline: Double = 40) throws -> StoreError {
        try storeError { _ = try StoreFixture.connect(url, deadline: deadline) }
    }

    @Test("a server that is not there is named")
    func missing() throws {
        let folder = try TemporaryFolder()
        let error = try error("host=\(folder.path) user=deploy dbname=links")
        #expect(error.kind == .unreachable && error.isConnectionLost)
        #expect(
            error.message == "cannot connect to the store as user 'deploy' at socket '\(folder.path)/.s.PGSQL.5432', "
                + "database 'links': no such file or directory")
        #expect(error.brief == "cannot connect to the store: no such file or directory")
        #expect(error.rule?.code.rawValue == "store-unreachable")
    }

    @Test("a database that is not there is named")
    func missingDatabase() throws {
        let cluster = try PostgresCluster.shared()
        let error = try error("host=\(cluster.socketFolder) user=postgres dbname=missing")
        #expect(error.kind == .unreachable)
        #expect(error.message.hasSuffix("database 'missing': database \"missing\" does not exist"))
        #expect(error.help == "create the database, or correct its name")
    }

    @Test("a refused role is an error of its own kind, which never shows a password")
    func refused() throws {
        let database = try PostgresCluster.shared().database()
        try database.cluster.sql(
            """
            DO $$ BEGIN
                CREATE ROLE locked LOGIN PASSWORD 'right'; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
            END $$
            """)
        let url = database.url(user: "locked")
        var error = try error(url + "?passfile=/dev/null")
        #expect(error.kind == .authentication)
        #expect(error.help?.hasPrefix("put the password into ~/.pgpass") == true)
        error = try self.error(url + "?password=hunter2")
        #expect(error.kind == .authentication)
        #expect(!"\(error)\(error.help ?? "")".contains("hunter2"))
        #expect(error.message.hasSuffix("password authentication failed for user \"locked\""))
        let connection = try StoreFixture.connect(url + "?password=right")
        #expect(try connection.query("SELECT 1").count == 1)
        let missing = try self.error(database.url(user: "nobody_\(database.name)"))
        #expect(missing.message.hasSuffix("role \"nobody_\(database.name)\" does not exist"))
    }

    @Test("a reason that repeats a password is not shown")
    func repeatedPassword() throws {
        let cluster = try PostgresCluster.shared()
        let url = "host=\(cluster.socketFolder) user=postgres dbname=postgres options='-c hunter2=1'"
        #expect(try error(url).message.hasSuffix("unrecognized configuration parameter \"hunter2\""))
        #expect(try error(url + " password=hunter2").message.hasSuffix("the reason has a password in it"))
        // What the address shows anyway is no secret.
        #expect(try error(url + " password=postgres").message.hasSuffix("parameter \"hunter2\""))
    }

    @Test("the second host is used if there is nobody at the first")
    func severalHosts() throws {
        let database = try PostgresCluster.shared().database()
        let nobody = try TemporaryFolder()
        let hosts = "\(nobody.path),\(database.cluster.socketFolder)"
        let connection = try StoreFixture.connect("host=\(hosts) user=postgres dbname=\(database.name)")
        #expect(try connection.query("SELECT current_database()").first?.text(0) == database.name)
        #expect(connection.host == "\(database.cluster.socketFolder):5432")
        let error = try error("host=\(nobody.path),\(nobody.path)x user=u dbname=d")
        #expect(error.kind == .unreachable)
    }

    @Test("the second host is used if the first one never answers")
    func silentHost() throws {
        let database = try PostgresCluster.shared().database()
        // It takes connections, and says nothing.
        let silent = try BoundSocket()
        let hosts = "host=127.0.0.1,\(database.cluster.socketFolder) port=\(silent.port),5432 connect_timeout=2"
        let connection = try StoreFixture.connect("\(hosts) user=postgres dbname=\(database.name)")
        #expect(try connection.query("SELECT current_database()").first?.text(0) == database.name)
    }

    @Test("the primary is found behind a replica, also after a failover")
    func failover() throws {
        let primary = try PostgresCluster()
        try primary.sql("CREATE DATABASE links")
        let standby = try primary.standby()
        let url =
            "host=\(standby.socketFolder),\(primary.socketFolder) user=postgres dbname=links "
            + "target_session_attrs=read-write"
        var connection = try StoreFixture.connect(url)
        #expect(connection.host.hasPrefix(primary.socketFolder + ":"))
        let replica = try StoreFixture.connect("host=\(standby.socketFolder) user=postgres dbname=links")
        let error = try storeError {
            try replica.transaction(.writing) { () throws(StoreError) in
                try replica.run("CREATE TABLE public.t ()")
            }
        }
        #expect(error.kind == .readOnly)
        #expect(error.help?.contains("target_session_attrs=read-write") == true)
        primary.kill()
        let second = try storeError { _ = try connection.query("SELECT 1") }
        #expect(second.isConnectionLost)
        try standby.promote()
        connection = try StoreFixture.connect(url)
        #expect(connection.host.hasPrefix(standby.socketFolder + ":"))
        try connection.run("CREATE TABLE public.t ()")
    }

    @Test("a server that is stopped is given up after the deadline, in a statement and in connecting")
    func frozen() throws {
        let cluster = try PostgresCluster()
        let url = "host=\(cluster.socketFolder) user=postgres dbname=postgres connect_timeout=2"
        let connection = try StoreFixture.connect(url, deadline: 0.5)
        try cluster.freeze()
        defer { cluster.thaw() }
        let error = try storeError { _ = try connection.query("SELECT 1") }
        #expect(error.kind == .timeout && error.isConnectionLost)
        #expect(error.message.hasPrefix("the database has not answered for "))
        let isLost = connection.isLost
        #expect(isLost)
        let second = try self.error(url)
        #expect(second.kind == .unreachable)
        #expect(second.message.contains("timeout expired"))
    }

    @Test("a lock that somebody holds is waited for, and then named")
    func locked() throws {
        let store = try StoreFixture()
        let holder = try store.connect(as: "postgres")
        try holder.run("BEGIN; SELECT aasa.lock_generation()")
        let connection = try StoreConnection(
            StoreAddress(store.database.url(user: store.publisher), applicationName: "tests"),
            StoreTimeouts(statement: 60, deadline: 600, lock: 0.2))
        let error = try storeError {
            _ = try connection.transaction(.writing) { () throws(StoreError) in
                try connection.query("SELECT aasa.lock_generation()")
            }
        }
        #expect(error.kind == .lockTimeout && !error.isConnectionLost)
        #expect(error.message.contains("waiting for a lock"))
        holder.close()
    }
}
