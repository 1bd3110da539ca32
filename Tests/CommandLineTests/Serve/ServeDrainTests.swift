import Foundation
import TestSupport
import Testing

/// The end of a server with clients (server.md, section 8).
@Suite("aasa serve: drain", .waiting)
struct ServeDrainTests {
    private static let half = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
    /// Whoever waits for one of these limits waits longer than the test.
    private static let endless = #"{"timeouts": {"header": 3600, "drain": 3600}}"#

    @Test("clients that wait to be accepted are answered", arguments: [1, 2])
    func backlog(threads: Int) throws {
        let server = try RunningServer(RunningServer.layOut(), threads: threads)
        #expect(try server.curl().status == 0)
        // While it stands still, everybody who comes waits in the backlog.
        server.signal(SIGSTOP)
        #expect(Waiting.until { server.isStopped })
        let clients = (0..<8).map { _ in Background { try server.curl("/apple-app-site-association") }
        }
        #expect(try waitingClients(of: server.port, atLeast: clients.count))
        server.signal(SIGTERM)
        server.signal(SIGCONT)
        for client in clients {
            let outcome = try client.result()
            #expect(outcome.text == RunningServer.document, "\(outcome.errors)")
        }
        #expect(server.exitStatus() == 0)
    }

    /// Waits until so many connections are in the backlog of a port.
    private func waitingClients(of port: Int, atLeast count: Int) throws -> Bool {
        let local = String(port, radix: 16, uppercase: true)
        let address = "0100007F:" + String(repeating: "0", count: 4 - local.count) + local
        return try Waiting.until {
            try Self.sockets().contains { line in
                let fields = line.split(separator: " ")
                // Of a listener the length of its backlog is where others have the bytes to be read.
                guard fields.count > 4, fields[1] == address, fields[3] == "0A" else { return false }
                return Int(fields[4].suffix(8), radix: 16) ?? 0 >= count
            }
        }
    }

    /// The lines of /proc/net/tcp, of which Foundation would read the first page only.
    private static func sockets() throws -> [Substring] {
        let descriptor = open("/proc/net/tcp", O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var text: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &page, page.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self).split(separator: "\n") }
            text += page[..<count]
        }
    }

    @Test("after the time for draining the rest is closed", arguments: [1, 2])
    func cut(threads: Int) throws {
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"timeouts": {"drain": 0.5}}"#, threads: threads)
        let client = try clientInTheMiddle(of: server)
        let seconds = Waiting.measure {
            server.signal(SIGTERM)
            #expect(server.exitStatus() == 0)
        }
        #expect(seconds >= 0.5)
        #expect(!client.read() && client.ending != nil)
        #expect(server.logText.contains(" warning: 1 connection closed after 0.5 s\n"))
        #expect(server.logText.contains(" info: stopped\n"))
    }

    @Test("a second signal cuts the rest", arguments: [(SIGTERM, SIGTERM), (SIGTERM, SIGINT), (SIGINT, SIGINT)])
    func secondSignal(first: Int32, second: Int32) throws {
        let server = try RunningServer(RunningServer.layOut(), configuration: Self.endless)
        let client = try clientInTheMiddle(of: server)
        server.signal(first)
        #expect(server.waitForLog("stopping"))
        #expect(server.isRunning)
        server.signal(second)
        #expect(server.exitStatus() == 0)
        #expect(server.logText.contains(" warning: 1 connection closed\n"))
        #expect(server.logText.contains(": stopping at once\n"))
        #expect(!client.read() && client.ending != nil)
    }

    @Test("nobody is let in any more while a request is waited for, and it is answered")
    func noNewConnections() throws {
        let server = try RunningServer(RunningServer.layOut())
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.half)
        #expect(try client.answer().status == 404)
        server.signal(SIGTERM)
        #expect(server.waitForLog("stopping"))
        #expect(Waiting.until { (try? RawSocket(port: server.port)) == nil })
        #expect(server.isRunning)
        client.send("\r\n")
        let answer = try client.answer()
        #expect(answer.status == 200 && answer.text == RunningServer.document && answer.closes)
        #expect(server.exitStatus() == 0)
    }

    @Test("a reload that is asked for while it stops changes nothing")
    func reloadWhileStopping() throws {
        let server = try RunningServer(RunningServer.layOut())
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.half)
        #expect(try client.answer().status == 404)
        server.signal(SIGTERM)
        #expect(server.waitForLog("stopping"))
        server.signal(SIGHUP)
        #expect(server.waitForLog("not reloaded: the server is stopping"))
        server.signal(SIGHUP)
        client.send("\r\n")
        #expect(try client.answer().status == 200)
        #expect(server.exitStatus() == 0)
        // Once is enough, and nobody was disconnected.
        #expect(server.logText.components(separatedBy: "not reloaded").count == 2)
        #expect(!server.logText.contains(" closed"))
    }

    /// A client that has shaken hands and asked half of something, which the server has read.
    private func clientInTheMiddle(of server: RunningServer) throws -> HTTPSClient {
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: Self.half)
        // Whoever comes later is answered later.
        #expect(try server.curl().status == 0)
        return client
    }
}
