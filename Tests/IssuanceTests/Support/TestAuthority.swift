import TestSupport

/// A pebble, with the ports at which it validates. Servers differ in their addresses.
struct TestAuthority: Sendable {
    let pebble: Pebble
    let httpsPort: Int
    let httpPort: Int

    /// One for all tests that want nothing special.
    private static let started = Result { try TestAuthority() }

    static var shared: TestAuthority {
        get throws { try started.get() }
    }

    /// - Parameter like: one whose ports it validates at, too.
    init(like other: TestAuthority? = nil, _ change: (inout Pebble.Settings) -> Void = { _ in }) throws {
        httpsPort = try other?.httpsPort ?? FreePort.reserve()
        httpPort = try other?.httpPort ?? FreePort.reserve()
        var settings = Pebble.Settings(httpPort: httpPort, tlsPort: httpsPort)
        change(&settings)
        pebble = try Pebble(settings, in: TemporaryFolder())
    }
}
