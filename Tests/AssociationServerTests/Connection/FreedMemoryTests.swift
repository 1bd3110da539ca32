import AssociationServer
import TestSupport
import Testing

/// When free memory is given back to the system (server.md, section 7).
@Suite("Memory that connections no longer need", .waiting)
struct FreedMemoryTests {
    @Test(
        "it is worth giving back at half of 64 connections or more, or of 4 MiB or more",
        arguments: [
            (connections: 63, bytes: 4_194_303, now: 0, held: 0, isMuch: false),
            (64, 0, 32, 0, true), (64, 0, 33, 0, false), (1_000, 0, 500, 0, true), (1_000, 0, 501, 0, false),
            (1, 4_194_304, 1, 2_097_152, true), (1, 4_194_304, 1, 2_097_153, false),
        ])
    func peak(_ row: (connections: Int, bytes: Int, now: Int, held: Int, isMuch: Bool)) {
        var freed = FreedMemory()
        freed.note(connections: row.connections)
        freed.note(bytes: row.bytes)
        // What is less than the peak does not lower it.
        freed.note(connections: row.now)
        freed.note(bytes: row.held)
        #expect(freed.isMuch(connections: row.now, bytes: row.held) == row.isMuch)
        freed.giveBack(connections: row.now, bytes: row.held)
        #expect(!freed.isMuch(connections: row.now, bytes: row.held))
    }

    @Test("it is given back after each flood, and not twice within a second")
    func floods() throws {
        let served = try ServedListeners([.https(proxyProtocol: false)]) {
            $0.threads = 1
            $0.timeouts.handshake = 600
        }
        let clock = ContinuousClock()
        var begin: ContinuousClock.Instant?
        for flood in 1...2 {
            var sockets = try (0..<64).map { _ in try served.connect() }
            #expect(Waiting.until { served.count(.connections) == 64 * UInt64(flood) })
            #expect(served.server.memoryReturns == flood - 1)
            begin = begin ?? clock.now
            sockets = []
            #expect(sockets.isEmpty && Waiting.until { served.server.memoryReturns == flood })
        }
        let first = try #require(begin)
        #expect(clock.now - first >= .seconds(1))
    }
}
