import Foundation
import TestSupport
import Testing

/// `aasa serve --probe`, for the health checks of containers (deploy.md, A5).
@Suite("aasa serve --probe", .waiting)
struct ServeProbeTests {
    private func probe(_ arguments: [String]) throws -> Shell.Outcome {
        try Shell.run([RunningServer.executable, "serve", "--probe"] + arguments)
    }

    @Test("a server that is ready is 0, over TCP and over a Unix socket, by its configuration or the option")
    func ready() throws {
        let folder = try RunningServer.layOut()
        let socket = "unix:\(folder.path)/admin.sock"
        let server = try RunningServer(folder, configuration: #"{"admin": "\#(socket)"}"#)
        for arguments in [["--config", "\(folder.path)/server.json"], ["--admin", socket]] {
            let outcome = try probe(arguments)
            #expect(outcome.status == 0 && outcome.text == "ready\n" && outcome.errors.isEmpty, "\(outcome)")
        }
        let other = try RunningServer(try RunningServer.layOut(), arguments: ["--admin", "127.0.0.1:0"])
        let admin = try #require(other.logText.firstMatch(of: #/admin: http://(\S+)/#)?.1)
        #expect(try probe(["--admin", String(admin)]).text == "ready\n")
        withExtendedLifetime(server) {}
    }

    @Test("a server that is about to stop is 1, with the reason")
    func draining() throws {
        let folder = try RunningServer.layOut()
        let socket = "unix:\(folder.path)/admin.sock"
        let server = try RunningServer(folder, arguments: ["--admin", socket])
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET")
        #expect(try client.answer().status == 404)
        server.signal(SIGTERM)
        #expect(server.waitForLog("SIGTERM: stopping"))
        let outcome = try probe(["--admin", socket])
        #expect(outcome.status == 1 && outcome.text == "draining\n" && outcome.errors.isEmpty, "\(outcome)")
        client.send(" / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(server.exitStatus() == 0)
        #expect(try probe(["--admin", socket]).status == 69)
    }

    @Test("where nobody answers, or somebody else, it is 69, and the reason is on standard error")
    func unavailable() throws {
        let folder = try TemporaryFolder()
        let silent = try BoundSocket(isListening: false)
        let port = silent.port
        let cases = [
            (["--admin", "127.0.0.1:\(port)"], "no server answers at 127.0.0.1:\(port): connection refused"),
            (["--admin", "unix:\(folder.path)/x"], "no server answers at unix:\(folder.path)/x: no such file or"),
            (["--admin", "none"], "the server has no admin listener\n  = help: set 'admin' in server.json, or"),
            (["--config", try folder.write("{}", to: "server.json")], "the server has no admin listener\n"),
            (["--admin", "127.0.0.1:0"], "cannot probe 127.0.0.1:0: port 0 is a different port for each server\n"),
        ]
        for (arguments, expected) in cases {
            let outcome = try probe(arguments)
            #expect(outcome.status == 69 && outcome.output.isEmpty, "\(arguments)")
            #expect(outcome.errors.hasPrefix("error: \(expected)"), "\(outcome.errors)")
        }
        let server = try RunningServer(try RunningServer.layOut())
        let other = try probe(["--admin", "127.0.0.1:\(server.port)"])
        #expect(other.status == 69)
        let message = "the server at 127.0.0.1:\(server.port) is not the admin listener of 'aasa serve'"
        #expect(other.errors == "error: \(message)\n")
        withExtendedLifetime(silent) {}
    }

    @Test("what is wrong with the options or server.json is said as ever")
    func usage() throws {
        let folder = try TemporaryFolder()
        #expect(try probe(["--check"]).status == 64)
        #expect(try probe(["--admin", "192.0.2.1:1"]).status == 64)
        #expect(try probe(["--config", "\(folder.path)/none.json"]).status == 66)
        let bad = try probe(["--config", try folder.write(#"{"admin": "x"}"#, to: "server.json")])
        #expect(bad.status == 65 && bad.errors.contains("server.json:1:11: error: 'admin' is 'x'; "))
    }
}
