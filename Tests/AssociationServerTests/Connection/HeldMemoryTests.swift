import AssociationServer
import TLSSamples
import TestSupport
import Testing

/// The bound of what all connections hold together, and those that have waited longest end first (server.md, section 7).
@Suite("The memory that connections hold", .waiting)
struct HeldMemoryTests {
    /// A hello that announces as much as libssl takes, and ends after 104 bytes: libssl allocates all of it.
    private static let partialHello: [UInt8] =
        [22, 3, 1, 0, 104, 1, 0x01, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 95)

    private func served(bufferedBytes: Int) throws -> ServedListeners {
        try ServedListeners([.https(proxyProtocol: false)]) {
            $0.threads = 1
            $0.limits.bufferedBytes = bufferedBytes
        }
    }

    @Test("of ten parts of hellos the oldest four end, as six of 150 kB are what is allowed; others are served")
    func oldestEndFirst() throws {
        let served = try served(bufferedBytes: 1_000_000)
        var sockets: [RawSocket] = []
        for number in 1...10 {
            let socket = try served.connect()
            socket.send(Self.partialHello)
            // It is counted before the next one comes.
            #expect(Waiting.until { served.count(.connections) == number })
            sockets.append(socket)
        }
        #expect(served.count(.refused(.bufferedBytes)) == 4)
        for socket in sockets[..<4] { #expect(socket.receiveAll().bytes.isEmpty) }
        let expected = "all together hold more than 1000000 bytes ('limits.bufferedBytes')"
        #expect(served.log.wait(for: expected))
        #expect(served.log.lines.count { $0.contains("bufferedBytes") } == 1)
        let client = try HTTPSClient(try served.connect())
        try client.handshake(andSend: "GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.answer().text == RunningServer.document)
        // An idle connection holds nothing that counts, and the others are still there.
        #expect(served.count(.refused(.bufferedBytes)) == 4)
        for socket in sockets[4...] { socket.endSending() }
        for socket in sockets[4...] { #expect(socket.receiveAll().bytes.isEmpty) }
        #expect(served.count(.refused(.bufferedBytes)) == 4)
    }

    @Test("what a connection gives back does not count any more, and a reload changes the limit")
    func givenBack() throws {
        let served = try served(bufferedBytes: 400_000)
        for number in 1...6 {
            let socket = try served.connect()
            socket.send(Self.partialHello)
            #expect(Waiting.until { served.count(.connections) == number })
            socket.endSending()
            #expect(socket.receiveAll().bytes.isEmpty)
        }
        #expect(served.count(.refused(.bufferedBytes)) == 0)
        let sockets = try (0..<2).map { _ in try served.connect() }
        for socket in sockets { socket.send(Self.partialHello) }
        #expect(Waiting.until { served.count(.connections) == 8 })
        served.reload { $0.limits.bufferedBytes = 200_000 }
        #expect(Waiting.until { served.count(.refused(.bufferedBytes)) == 1 })
        for socket in sockets { socket.endSending() }
    }
}
