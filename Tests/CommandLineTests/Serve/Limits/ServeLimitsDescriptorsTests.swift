import Glibc
import TestSupport
import Testing

/// A process that runs out of descriptors (server.md, section 7).
@Suite("aasa serve: out of descriptors", .waiting)
struct ServeLimitsDescriptorsTests {
    /// Runs a command with a hard limit of descriptors, so many of which are taken already.
    private func limited(to limit: Int, taken: Int = 0) -> [String] {
        [
            "bash", "-c",
            "for ((i = 0; i < \(taken); i++)); do exec {fd}</dev/null; done; ulimit -n \(limit); exec \"$@\"", "-",
        ]
    }

    @Test("the limit of connections is lowered to what the process can hold, with a line in the log")
    func lowered() throws {
        let server = try RunningServer(RunningServer.layOut(), launcher: limited(to: 72))
        let warning = "connections are limited to 8: the process may only open 72 files"
        #expect(server.logText.contains(warning))
        let clients = try (0..<8).map { _ in
            let client = try HTTPSClient(port: server.port)
            try client.handshake()
            return client
        }
        #expect(throws: TestFailure.self) { try HTTPSClient(port: server.port).handshake() }
        for client in clients { #expect(try client.get().status == 200) }
    }

    @Test("no limit is told of as what the process can hold, where that is less than usual", arguments: [64, 72])
    func unlimited(files: Int) throws {
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"limits": {"connections": 0}}"#, launcher: limited(to: files))
        let line = "connections are limited to \(max(1, files - 64)): the process may only open \(files) files"
        #expect(server.logText.contains(" info: \(line)\n"), "\(server.logText)")
    }

    @Test("a limit that fits is not lowered")
    func fitting() throws {
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"limits": {"connections": 8}}"#, launcher: limited(to: 72))
        #expect(!server.logText.contains("limited"))
    }

    private static let exhaustion = "no new connections for a moment: too many open files"

    /// Fills the server until it takes no more connections.
    ///
    /// - Returns: the connections that are open, each known to work, and one that waits.
    private func fill(_ server: RunningServer) throws -> (open: [HTTPSClient], waiting: HTTPSClient) {
        var open: [HTTPSClient] = []
        for _ in 0..<64 {
            let client = try HTTPSClient(port: server.port)
            client.socket.send(client.hello())
            // There is no answer to a hello when nobody can take the connection, and the log says so.
            try #require(
                Waiting.until { client.socket.hasSomething(within: 0) || server.logText.contains(Self.exhaustion) })
            guard client.socket.hasSomething(within: 1_500) else { return (open, client) }
            try client.handshake()
            #expect(try client.get().status == 200)
            open.append(client)
        }
        throw TestFailure("64 connections did not fill the server")
    }

    @Test(
        "without descriptors nothing spins, open connections are served, and the next one as soon as there is room",
        arguments: [1, 2])
    func exhausted(threads: Int) throws {
        // Some 90 of the 100 are taken: fewer are left than the reserve, so the limit of connections does not help.
        let server = try RunningServer(
            RunningServer.layOut(), threads: threads, launcher: limited(to: 100, taken: 60))
        var (open, waiting) = try fill(server)
        try #require(open.count > 3)
        #expect(server.waitForLog(Self.exhaustion))

        let before = server.processorTime
        let second = Waiting.measure {
            #expect(!waiting.socket.hasSomething(within: 1_000))
        }
        #expect(server.processorTime - before < 0.1 * second)

        for client in open { #expect(try client.get().status == 200) }
        // A reload finds no descriptor to read with, and leaves all as it is.
        server.signal(SIGHUP)
        #expect(server.waitForLog("reloaded: ") || server.waitForLog("too many open files; "))
        for client in open { #expect(try client.get().status == 200) }

        // One goes, the one that waits comes in, without a further one that would wake the server.
        open.removeFirst()
        try waiting.handshake()
        #expect(try waiting.get().status == 200)
        open = []
        let other = try HTTPSClient(port: server.port)
        try other.handshake()
        #expect(try other.get().status == 200)
        let lines = server.logText.split(separator: "\n").count { $0.contains("no new connections for a moment") }
        #expect(lines == 1, "one line in ten seconds")
    }
}
