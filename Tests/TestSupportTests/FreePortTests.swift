import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite("Free ports")
struct FreePortTests {
    @Test("a number is given out once, and its block is taken for all processes")
    func once() throws {
        let ports = try (0..<100).map { _ in try FreePort.reserve() }
        #expect(Set(ports).count == ports.count)
        for port in [ports[0], ports[99]] { #expect(!FreePort.takeBlock(of: port)) }
    }

    @Test("a server gets its port at once, also while programs are started")
    func starting() throws {
        let isOver = Locked(false)
        defer { isOver.withLock { $0 = true } }
        Thread {
            while !isOver.withLock({ $0 }) { _ = try? Shell.run(["true"]) }
        }.start()
        for _ in 0..<200 {
            let port = try FreePort.reserve()
            #expect(throws: Never.self) { try StubOrigin(address: "127.0.0.3", port: port) { _ in } }
        }
    }
}
