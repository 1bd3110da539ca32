import AssociationServer
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
        let server = try AssociationServer(configuration, logger: Logger(label: "test"))
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

    @Test(
        "a site is found by the name that a client may ask for", arguments: ["localhost", "localhost.", "LOCALHOST."])
    func siteOfHost(host: String) throws {
        let folder = try RunningServer.layOut()
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        let server = try AssociationServer(configuration, logger: Logger(label: "test"))
        #expect(server.servedSite(forHost: host)?.domain == "localhost")
        for other in ["", ".", "localhost..", ".localhost"] { #expect(server.servedSite(forHost: other) == nil) }
    }

    @Test("an address that is none, or is taken, is an error of its own")
    func addresses() throws {
        let folder = try RunningServer.layOut()
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        let other = try RunningServer(folder)
        let cases = [
            ("example.com:1", ServerError.Code.configuration), ("127.0.0.1:\(other.port)", .addressUnavailable),
        ]
        for (address, code) in cases {
            configuration.listen = [ListenerConfiguration(address)]
            let server = try AssociationServer(configuration, logger: Logger(label: "test"))
            do {
                try server.start()
                Issue.record("\(address) was bound")
            } catch {
                #expect(error.code == code)
            }
        }
    }
}
