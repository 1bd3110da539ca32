import TestSupport
import Testing

@Suite("Free ports")
struct FreePortTests {
    @Test("a number is given out once, and to no other run of the tests")
    func once() async throws {
        let ports = try (0..<100).map { _ in try FreePort.reserve() }
        #expect(Set(ports).count == ports.count)
        for port in [ports[0], ports[99]] {
            #expect(!FreePort.takeBlock(of: port))
            await #expect(processExitsWith: .success) { [port = port as Int] in
                #expect(!FreePort.takeBlock(of: port))
                let other = try FreePort.reserve()
                #expect(other != port)
            }
        }
    }
}
