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
}
