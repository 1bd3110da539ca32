import Foundation
import TestSupport
import Testing

/// The memory of a server after a flood (server.md, section 7).
@Suite("aasa serve: memory after a flood", .waiting, .disabled(if: Patience.isSanitizing))
struct ServeLimitsMemoryTests {
    private func residentKilobytes(_ server: RunningServer) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.processIdentifier)/status", encoding: .utf8)
        return status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
    }

    @Test("what most connections of a flood have held is given back when they end, although some stay")
    func givenBack() throws {
        let server = try RunningServer(
            RunningServer.layOut(),
            configuration: """
                {"limits": {"perAddress": 0, "bufferedBytes": 1073741824}, "timeouts": {"handshake": 3600}}
                """)
        #expect(try server.curl().status == 0)
        let before = try residentKilobytes(server)
        // A hello that announces as much as libssl takes: all of it is allocated.
        let hello: [UInt8] = [22, 3, 1, 0, 104, 1, 0x01, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 95)
        let sockets = try (0..<300).map { _ in
            let socket = try RawSocket(port: server.port)
            socket.send(hello)
            return socket
        }
        #expect(try Waiting.until { try residentKilobytes(server) - before > 35_000 })
        // Every fifth stays, so that the memory of the others is in pieces.
        for (index, socket) in sockets.enumerated() where !index.isMultiple(of: 5) { socket.endSending() }
        #expect(try Waiting.until { try residentKilobytes(server) - before < 20_000 })
        for (index, socket) in sockets.enumerated() where index.isMultiple(of: 5) { socket.endSending() }
        #expect(try Waiting.until { try residentKilobytes(server) - before < 8_000 })
    }
}
