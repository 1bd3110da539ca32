import Foundation
import Glibc
import TLSSamples
import TestSupport
import Testing

/// The number of connections that there may be, and of requests on one (server.md, sections 3 and 7).
@Suite("aasa serve: limits of connections", .waiting)
struct ServeLimitsConnectionsTests {
    private static let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func serve(_ limits: String, listen: String = "127.0.0.1:0", threads: Int = 1) throws -> RunningServer {
        try RunningServer(
            RunningServer.layOut(), configuration: #"{"limits": {\#(limits)}}"#, threads: threads, listen: listen)
    }

    /// Connections that stay open and are known to the server, because it has answered.
    private func open(_ count: Int, _ connect: () throws -> RawSocket) throws -> [HTTPSClient] {
        try (0..<count).map { _ in
            let client = try HTTPSClient(connect())
            try client.handshake()
            #expect(try client.get().status == 200)
            return client
        }
    }

    /// Whether a hello gets nothing but the end, as a connection that is one too many does.
    private func isRefused(_ socket: RawSocket) throws -> Bool {
        let client = try HTTPSClient(socket)
        socket.send(client.hello())
        let (bytes, ending) = socket.receiveAll()
        #expect(ending != .timeOut)
        return bytes.isEmpty
    }

    @Test(
        "one connection too many is closed before a byte of TLS, and the others go on",
        arguments: [(#""perAddress": 3"#, 1), (#""connections": 3"#, 1), (#""perAddress": 3"#, 2)])
    func tooMany(limits: String, threads: Int) throws {
        let server = try serve(limits, threads: threads)
        let clients = try open(3) { try RawSocket(port: server.port) }
        for _ in 0..<10 { #expect(try isRefused(RawSocket(port: server.port))) }
        for client in clients { #expect(try client.get().status == 200) }
    }

    @Test(
        "of those that are refused the log tells, with the address and the limit, once in a while",
        arguments: [
            (#""perAddress": 2"#, "2 are open from there ('limits.perAddress')"),
            (#""connections": 2"#, "2 are open ('limits.connections')"),
        ])
    func told(limits: String, reason: String) throws {
        let server = try serve(limits)
        let clients = try open(2) { try RawSocket(port: server.port) }
        #expect(!server.logText.contains("refused"))
        let line = " warning: connections are refused, such as one from 127.0.0.1: \(reason)\n"
        for _ in 0..<20 { #expect(try isRefused(RawSocket(port: server.port))) }
        #expect(server.waitForLog("connections are refused"))
        #expect(clients.count == 2)
        server.signal(SIGTERM)
        for client in clients { client.sayGoodbye() }
        #expect(server.exitStatus() == 0)
        #expect(server.logText.contains(line), "\(server.logText)")
        #expect(server.logText.components(separatedBy: "are refused").count == 2, "one line in ten seconds")
    }

    @Test("the connections of one address do not count for another")
    func addresses() throws {
        let server = try serve(#""perAddress": 2, "connections": 5"#, listen: "0.0.0.0:0")
        var clients: [HTTPSClient] = []
        for source in ["127.0.0.1", "127.0.0.2"] {
            clients += try open(2) { try RawSocket(port: server.port, from: source) }
            #expect(try isRefused(RawSocket(port: server.port, from: source)))
        }
        clients += try open(1) { try RawSocket(port: server.port, from: "127.0.0.3") }
        #expect(try isRefused(RawSocket(port: server.port, from: "127.0.0.4")), "five are open")
        #expect(clients.count == 5)
    }

    @Test("IPv6 has the same limits", .enabled(if: Self.hasIPv6, "there is no ::1 here"))
    func version6() throws {
        let server = try serve(#""perAddress": 2"#, listen: "[::1]:0")
        let connect = { try RawSocket(port: server.port, host: "::1") }
        let clients = try open(2, connect)
        #expect(try isRefused(connect()))
        #expect(clients.count == 2)
    }

    @Test(
        "an IPv6 address is its /64: whoever has one has all of it",
        .enabled(if: NetworkNamespace.isPossible, "a network for the test takes the superuser, unshare and ip"))
    func prefixes() throws {
        let addresses = ["fd00:0:0:1::1", "fd00:0:0:1:ffff::2", "fd00:0:0:1::3", "fd00:0:0:2::1", "fd00:0:1:1::1"]
        let server = try RunningServer(
            RunningServer.layOut(), configuration: #"{"limits": {"perAddress": 2}}"#, listen: "[::]:0",
            launcher: NetworkNamespace.launcher(addresses: addresses.map { "\($0)/128" }))
        func connect(_ source: String) throws -> RawSocket {
            try NetworkNamespace.of(server.processIdentifier) {
                try RawSocket(port: server.port, host: "::1", from: source)
            }
        }
        var clients = try open(1) { try connect(addresses[0]) }
        clients += try open(1) { try connect(addresses[1]) }
        for source in addresses[..<3] { #expect(try isRefused(connect(source))) }
        for source in addresses[3...] { clients += try open(2) { try connect(source) } }
        for source in addresses { #expect(try isRefused(connect(source))) }
        #expect(clients.count == 6)
    }

    private static let hasIPv6: Bool = {
        // Nobody listens there: refused is well, unavailable is not.
        do {
            _ = try RawSocket(port: 1, host: "::1")
            return true
        } catch {
            return "\(error)".contains("refused")
        }
    }()

    @Test("a connection makes room for one other in whatever way it ends", arguments: Ending.allCases)
    func room(ending: Ending) throws {
        let server = try serve(#""perAddress": 2"#)
        let sockets = server.openSockets
        for _ in 0..<4 {
            try ending.end { try RawSocket(port: server.port) }
            #expect(Waiting.until { server.openSockets == sockets })
        }
        let clients = try open(2) { try RawSocket(port: server.port) }
        #expect(try isRefused(RawSocket(port: server.port)))
        #expect(clients.count == 2)
    }

    /// The end of a connection.
    enum Ending: CaseIterable {
        case goodbye, halfClose, reset, notTLS, clearText, unknownName, badRequest, resetInHandshake

        func end(_ connect: () throws -> RawSocket) throws {
            let socket = try connect()
            switch self {
            case .notTLS:
                socket.send([0])
                #expect(socket.receiveAll().bytes.isEmpty)
            case .clearText:
                socket.send("GET / HTTP/1.1\r\n\r\n")
                #expect(!socket.receiveAll().bytes.isEmpty)
            case .unknownName:
                #expect(throws: TestFailure.self) {
                    try HTTPSClient(socket, SampleOffer { $0.serverName = "x.example" }).handshake()
                }
            case .resetInHandshake:
                socket.send(try HTTPSClient(socket).hello())
                guard case .bytes = socket.receive() else { throw TestFailure("no hello") }
                socket.resetAtEnd()
            case .goodbye, .halfClose, .reset, .badRequest:
                let client = try HTTPSClient(socket)
                try client.handshake()
                #expect(try client.get().status == 200)
                switch self {
                case .goodbye: client.sayGoodbye()
                case .halfClose: socket.endSending()
                case .reset: socket.resetAtEnd()
                default: client.send("GET\r\n\r\n")
                }
                if self == .reset { return }
                _ = client.remainingAnswers()
            }
        }
    }

    @Test("a connection ends after its number of requests, and says so before", arguments: [1, 2, 7])
    func requests(count: Int) throws {
        let server = try serve(#""requestsPerConnection": \#(count)"#)
        let client = try HTTPSClient(port: server.port)
        try client.handshake(andSend: String(repeating: Self.request, count: count + 3))
        let answers = client.remainingAnswers()
        #expect(answers.map(\.status) == Array(repeating: 200, count: count))
        #expect(answers.map(\.closes) == Array(repeating: false, count: count - 1) + [true])
        #expect(client.hasGoodbye)
        #expect(client.ending == .orderly)
    }
}
