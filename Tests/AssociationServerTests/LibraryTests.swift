import AssociationServer
import EventLoops
import Foundation
import Logging
import TestSupport
import Testing

/// The server in a program of one's own, as docs/serving.md shows it.
@Suite("The library", .waiting)
struct LibraryTests {
    @Test("a server starts, answers and stops inside a program")
    func embedded() throws {
        let folder = try RunningServer.layOut()
        var configuration = ServerConfiguration()
        configuration.listen = ["127.0.0.1:0"]
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.threads = 2
        let server = try LinkServer(configuration, logger: Logger(label: "test"))
        let address = try #require(try server.start().https.first)
        let port = try #require(address.split(separator: ":").last)
        let outcome = try Shell.run([
            "curl", "-sS", "--noproxy", "*", "--connect-to", "::\(address)", "--cacert",
            "\(folder.path)/certs/localhost/fullchain.pem", "https://localhost:\(port)/apple-app-site-association",
        ])
        #expect(outcome.text == RunningServer.document, "\(outcome.errors)")
        server.stop()
        server.waitUntilStopped()
        #expect(throws: (any Error).self) { try RawSocket(port: Int(port) ?? 0) }
    }

    @Test("who connects to an open port before the sites are read is answered when they are")
    func openPorts() throws {
        let folder = try RunningServer.layOut()
        let port = try FreePort.reserve()
        var configuration = ServerConfiguration()
        configuration.listen = [ListenerConfiguration("http://127.0.0.1:\(port)"), "http://127.0.0.1:0"]
        configuration.sites = "\(folder.path)/sites"
        let none = InheritedListeners()
        let ports = try LinkServer.openPorts(configuration, none)
        let client = try RawSocket(port: port)
        #expect(client.send("GET /apple-app-site-association HTTP/1.0\r\nHost: localhost\r\n\r\n"))
        let server = try LinkServer(configuration, logger: Logger(label: "test"))
        #expect(try server.start(none, ports).http.count == 2)
        #expect(client.rest().hasSuffix(RunningServer.document))
        server.stop()
        server.waitUntilStopped()
    }

    @Test("a port that is in use is reported before the sites are read, and ports are closed if these cannot be")
    func failedStart() throws {
        let port = try FreePort.reserve()
        var configuration = ServerConfiguration()
        configuration.listen = [ListenerConfiguration("127.0.0.1:\(port)")]
        configuration.sites = "/nonexistent"
        let none = InheritedListeners()
        do {
            let ports = try LinkServer.openPorts(configuration, none)
            do {
                _ = try LinkServer.openPorts(configuration, none)
                Issue.record("the port was opened twice")
            } catch {
                #expect(error.code == .addressUnavailable)
            }
            _ = try RawSocket(port: port)
            // What a failed start does with them.
            #expect((try? LinkServer(configuration, logger: Logger(label: "test"))) == nil)
            _ = consume ports
        }
        // A program that another test starts has it open for a moment.
        #expect(Waiting.until { (try? RawSocket(port: port)) == nil })
    }

    @Test("listeners of all kinds say where they are")
    func addresses() throws {
        let folder = try RunningServer.layOut()
        let path = "\(folder.path)/http.sock"
        var configuration = ServerConfiguration()
        configuration.listen = ["http://127.0.0.1:0", ListenerConfiguration("unix:\(path)", mode: 0o600), "[::1]:0"]
        configuration.admin = "unix:\(folder.path)/admin.sock"
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        let server = try LinkServer(configuration, logger: Logger(label: "test"))
        let addresses = try server.start()
        #expect(addresses.http.count == 1 && addresses.http.first?.hasPrefix("127.0.0.1:") == true)
        #expect(addresses.https.count == 1 && addresses.https.first?.hasPrefix("[::1]:") == true)
        #expect(addresses.unix == [path])
        #expect(addresses.all == ["http://\(addresses.http[0])", "unix:\(path)", "https://\(addresses.https[0])"])
        #expect(addresses.admin == "unix:\(folder.path)/admin.sock")
        #expect(FileManager.default.fileExists(atPath: path))
        server.stop()
        server.waitUntilStopped()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["certs", "sites"])
    }

    @Test(
        "a site is found by the name that a client may ask for", arguments: ["localhost", "localhost.", "LOCALHOST."])
    func siteOfHost(host: String) throws {
        let folder = try RunningServer.layOut()
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        let server = try LinkServer(configuration, logger: Logger(label: "test"))
        #expect(server.servedSite(forHost: host)?.domain == "localhost")
        for other in ["", ".", "localhost..", ".localhost"] { #expect(server.servedSite(forHost: other) == nil) }
    }

    @Test("an address that is none, or is taken, is an error of its own")
    func unusableAddresses() throws {
        let folder = try RunningServer.layOut()
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        let other = try RunningServer(folder)
        let cases = [
            (ListenerConfiguration("example.com:1"), ServerError.Code.configuration), ("unix:x", .configuration),
            (ListenerConfiguration("127.0.0.1:\(other.port)"), .addressUnavailable),
            (ListenerConfiguration("unix:\(folder.path)"), .addressUnavailable),
            (ListenerConfiguration("127.0.0.1:0", proxyProtocol: true), .configuration),
            (ListenerConfiguration("127.0.0.1:0", health: true), .configuration),
        ]
        for (address, code) in cases {
            configuration.listen = [address]
            let server = try LinkServer(configuration, logger: Logger(label: "test"))
            do {
                try server.start()
                Issue.record("\(address) was bound")
            } catch {
                #expect(error.code == code)
            }
        }
    }
}
