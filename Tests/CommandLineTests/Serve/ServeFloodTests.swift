import Foundation
import TLSSamples
import TestSupport
import Testing

/// Clients that shake hands and then send without end what costs them little (server.md, section 7).
@Suite("aasa serve: floods in TLS", .waiting)
struct ServeFloodTests {
    /// A client that has shaken hands over a socket; one thread at a time works with it.
    private final class Connection: @unchecked Sendable {
        let socket: RawSocket
        let client: SampleClient
        var sealer: SampleSealer
        /// Whether the server has ended the connection.
        private(set) var isEnded = false

        init(_ server: RunningServer, _ version: SampleOffer.Version, receiveBuffer: Int32? = nil) throws {
            socket = try RawSocket(port: server.port, receiveBuffer: receiveBuffer)
            client = try SampleClient(SampleOffer { $0.newest = version })
            var progress = client.handshake()
            socket.send(client.takeOutput())
            while progress == .needsInput {
                guard case .bytes(let bytes) = socket.receive() else { break }
                progress = client.handshake(bytes)
                socket.send(client.takeOutput())
            }
            guard progress == .done else { throw TestFailure("no handshake") }
            sealer = try SampleSealer(client)
        }

        func keyUpdate() -> [UInt8] {
            defer { sealer.updateKeys() }
            return sealer.seal([24, 0, 0, 1, 1], type: 22)
        }

        /// Sends something again and again until the server ends the connection, or takes too long to do so.
        func flood(_ next: (Connection) -> [UInt8]) {
            let limit = Date(timeIntervalSinceNow: TimeInterval(Patience.seconds))
            while !isEnded, Date() < limit {
                isEnded = !socket.send((0..<500).flatMap { _ in next(self) })
            }
        }
    }

    /// One loop, which a flood could hold up.
    private func makeServer() throws -> RunningServer {
        try RunningServer(
            RunningServer.layOut(), configuration: #"{"timeouts": {"header": 1, "idle": 1, "write": 1}}"#)
    }

    private func residentKilobytes(_ server: RunningServer) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.processIdentifier)/status", encoding: .utf8)
        return status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
    }

    /// Floods the server while others ask it; these are answered, and its memory stays what it was.
    private func check(
        _ server: RunningServer, _ version: SampleOffer.Version,
        _ next: @Sendable @escaping (Connection) -> [UInt8]
    ) throws {
        #expect(try server.curl().status == 0)
        let before = try residentKilobytes(server)
        let done = DispatchGroup()
        let connections = try (0..<4).map { _ in try Connection(server, version, receiveBuffer: 4_096) }
        for connection in connections {
            done.enter()
            Thread {
                connection.flood(next)
                done.leave()
            }.start()
        }
        var answers = 0
        repeat {
            if try server.curl().text == RunningServer.document { answers += 1 }
        } while done.wait(timeout: .now()) == .timedOut
        #expect(connections.allSatisfy { $0.isEnded })
        #expect(answers > 0)
        #expect(try server.curl().status == 0)
        // A sanitizer keeps what was freed for a while.
        if !Patience.isSanitizing { #expect(try residentKilobytes(server) - before < 8_192) }
    }

    @Test("key updates that are never read")
    func keyUpdates() throws { try check(makeServer(), .tls13) { $0.keyUpdate() } }

    @Test("empty records", arguments: [SampleOffer.Version.tls12, .tls13])
    func emptyRecords(version: SampleOffer.Version) throws {
        try check(makeServer(), version) { $0.sealer.seal([]) }
    }

    @Test("a line without end, a byte a record", arguments: [SampleOffer.Version.tls12, .tls13])
    func tinyRecords(version: SampleOffer.Version) throws {
        try check(makeServer(), version) { $0.sealer.seal([UInt8(ascii: "G")]) }
    }

    @Test("empty lines before a request, and requests whose answers are never read")
    func requests() throws {
        try check(makeServer(), .tls13) { $0.sealer.seal(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)) }
        try check(makeServer(), .tls13) { $0.sealer.seal([13, 10]) }
    }
}
