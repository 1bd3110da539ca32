import Diagnostics
import Foundation
import PostgreSQLStore
import SiteStore
import TestSupport
import Testing

@Suite("Addresses of stores")
struct StoreAddressTests {
    private func address(_ text: String) throws -> StoreAddress {
        try StoreAddress(text, applicationName: "aasa/1 node")
    }

    @Test(
        "an address is described by user, hosts and database",
        arguments: [
            ("postgresql://deploy@db.internal/links", "user 'deploy' at db.internal:5432, database 'links'"),
            ("postgres://deploy:pw@db.internal:6432/links", "user 'deploy' at db.internal:6432, database 'links'"),
            ("host=db.internal user=deploy dbname=links", "user 'deploy' at db.internal:5432, database 'links'"),
            ("host=db user=deploy", "user 'deploy' at db:5432, database 'deploy'"),
            ("postgresql://u@a:1,b:2/d", "user 'u' at a:1, b:2, database 'd'"),
            ("postgresql://u@a,b/d?port=7", "user 'u' at a:7, b:7, database 'd'"),
            ("postgresql://u@[::1]:5433/d", "user 'u' at [::1]:5433, database 'd'"),
            ("host=/run/x user=u dbname=d", "user 'u' at socket '/run/x/.s.PGSQL.5432', database 'd'"),
            ("postgresql://u@%2Frun%2Fx:99/d", "user 'u' at socket '/run/x/.s.PGSQL.99', database 'd'"),
            ("hostaddr=10.0.0.1 user=u dbname=d", "user 'u' at 10.0.0.1:5432, database 'd'"),
            ("postgresql://u%0Av@h/d%00", nil),
            ("postgresql://u%0Av@h/d%1B", "user 'u\\nv' at h:5432, database 'd\\u001B'"),
        ] as [(String, String?)])
    func description(text: String, expected: String?) throws {
        if let expected {
            #expect(try address(text).description == expected)
        } else {
            #expect(try storeError { _ = try address(text) }.kind == .usage)
        }
    }

    @Test(
        "nothing of an address that cannot be read appears in the error",
        arguments: [
            "", "links", "postgresql://u:hunter2@[::1/links", "postgresql://u:hunter2@h:port/links",
            "postgresql://u:hunter2@h/links?sslmod=require", "postgresql://u:hun%ter2@h/links",
            "postgresql://u:hunt@er2@h/links", "postgresql://u:hunt/er2@h/links", "postgresql://u:12/hunter2@h/links",
            "postgresql://u:12/hunter2@h", "host=h password=hunter2 user", "host=h password=hunter2 pasword=hunter2",
            "host=h password='hunter2", "password=hunter2 sslmode", "dbname='postgresql://u:hunter2@h/links'",
            "dbname='host=h password=hunter2'", "postgresql://u:hunter2@h:0/links", "postgresql://u:hunter2@h:70000/d",
            "http://u:hunter2@h/links", "postgresql://u:hunter2@h/links?connect_timeout", "postgresql://h/hunter2\0",
        ])
    func unreadable(text: String) throws {
        let error = try storeError { _ = try address(text) }
        #expect(error.kind == .usage)
        for part in ["hunt", "er2", "u:", "70000"] { #expect(!"\(error.message)\(error.help ?? "")".contains(part)) }
        #expect(error.message.first?.isLowercase == true)
        #expect(error.help != nil)
    }

    @Test(
        "a connection is insecure if it leads to another machine that is not verified",
        arguments: [
            ("postgresql://u@db/d", true), ("postgresql://u@db/d?sslmode=require", true),
            ("postgresql://u@db/d?sslmode=verify-ca", true), ("postgresql://u@db/d?sslmode=verify-full", false),
            ("postgresql://u@localhost/d", false), ("postgresql://u@127.0.0.2/d", false),
            ("postgresql://u@127.example.com/d", true), ("postgresql://u@[::1]/d", false),
            ("host=/run/x user=u", false), ("user=u", false), ("host=@abstract user=u", false),
            ("host=localhost,db user=u", true), ("host=localhost hostaddr=10.0.0.1 user=u", true),
        ])
    func insecure(text: String, isInsecure: Bool) throws {
        let address = try address(text)
        #expect(address.isInsecure == isInsecure)
        #expect(address.warnings.map(\.code.rawValue) == (isInsecure ? ["store-insecure-connection"] : []))
    }

    @Test(
        "a password in the address is a warning that does not repeat it",
        arguments: [
            "postgresql://u:hunter2@localhost/d", "host=localhost password=hunter2", "user=u sslpassword=hunter2",
            "postgresql://u@localhost/d?password=hunter2",
        ])
    func password(text: String) throws {
        let address = try address(text)
        #expect(address.hasPassword)
        #expect(address.warnings.map(\.code.rawValue) == ["store-password-in-url"])
        #expect(!"\(address.warnings)\(address.description)\(address.option("password") ?? "")".contains("hunter2"))
    }

    @Test("what the address does not say has our defaults")
    func defaults() throws {
        let silent = try address("postgresql://u@db/d")
        #expect(silent.option("connect_timeout") == "5")
        #expect(silent.option("keepalives_idle") == "30")
        #expect(silent.option("keepalives_interval") == "10")
        #expect(silent.option("keepalives_count") == "3")
        #expect(silent.option("tcp_user_timeout") == "30000")
        #expect(silent.option("application_name") == "aasa/1 node")
        let outspoken = try address("postgresql://u@db/d?connect_timeout=9&application_name=mine&keepalives_idle=1")
        #expect(outspoken.option("connect_timeout") == "9")
        #expect(outspoken.option("application_name") == "mine")
        #expect(silent.forNode("edge-1").option("application_name") == "aasa/1 node edge-1")
        #expect(outspoken.forNode("edge-1").option("application_name") == "mine")
        #expect(outspoken.option("keepalives_idle") == "1")
        #expect(outspoken.option("keepalives_count") == "3")
    }

    @Test("the environment and a service file are heard before our defaults")
    func environment() async throws {
        try await ProcessOfItsOwn.run(Self.self) {
            let folder = try TemporaryFolder()
            let file = try folder.write(
                "[links]\nhost=db.internal\nport=6432\ndbname=links\nkeepalives_count=7\nsslmode=verify-full\n",
                to: "services")
            setenv("PGSERVICEFILE", file, 1)
            setenv("PGCONNECT_TIMEOUT", "11", 1)
            setenv("PGAPPNAME", "theirs", 1)
            setenv("PGPASSWORD", "hunter2", 1)
            setenv("PGUSER", "deploy", 1)
            let address = try self.address("service=links")
            #expect(address.description == "user 'deploy' at db.internal:6432, database 'links'")
            for keyword in ["connect_timeout", "application_name", "keepalives_count"] {
                #expect(address.option(keyword) == nil, "\(keyword)")
            }
            #expect(address.option("keepalives_idle") == "30")
            #expect(!address.isInsecure && !address.hasPassword)
            let error = try storeError { _ = try self.address("service=others") }
            #expect(error.kind == .usage)
            #expect(error.message == "the service that the address of the store names is in no service file")
        }
    }

    @Test("a missing libpq is named with its package")
    func missingLibrary() throws {
        let error = try storeError { try PostgreSQLLibrary.check("libpq-that-is-not-there.so.5") }
        #expect(error.kind == .missingLibrary)
        #expect(error.message.hasPrefix("libpq cannot be loaded: "))
        #expect(error.help == "install it, on Debian with 'apt-get install libpq5'")
        #expect(try storeError { try PostgreSQLLibrary.check("libz.so.1") }.kind == .missingLibrary)
        try PostgreSQLLibrary.check()
    }
}
