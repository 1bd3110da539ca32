import TestSupport

/// A pebble, with the ports at which it validates. Servers differ in their addresses.
struct TestAuthority: Sendable {
    let pebble: Pebble
    let httpsPort: Int
    let httpPort: Int

    /// One for all tests.
    private static let started = Result { try TestAuthority() }

    static var shared: TestAuthority {
        get throws { try started.get() }
    }

    private init() throws {
        httpsPort = try FreePort.reserve()
        httpPort = try FreePort.reserve()
        pebble = try Pebble(httpPort: httpPort, tlsPort: httpsPort, in: TemporaryFolder())
    }
}
