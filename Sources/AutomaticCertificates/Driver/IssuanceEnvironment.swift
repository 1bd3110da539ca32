internal import ACME
internal import EventLoops
internal import Glibc
package import HTTPClient
package import OpenSSL

/// The environment of the driver, beside the server: clocks, the network, and the program's name.
package struct IssuanceEnvironment: Sendable {
    /// Seconds since 1970.
    package var wallSeconds: @Sendable () -> Int64
    /// Since any moment, on a clock that never goes back.
    package var uptime: @Sendable () -> Duration
    /// Makes what connects to a CA whose HTTPS is signed by certain roots.
    package var makeTransport: @Sendable (TrustStore) throws -> any HTTPTransport
    package var resolver: any NameResolver
    package var proxies: ProxyEnvironment
    /// Begins with `aasa/`.
    package var userAgent: String
    /// The pause before this process tries again to become the one that orders.
    package var lockPause: Duration = .seconds(10)
    /// The time limit of a request to the CA, from connecting to the last byte.
    package var requestLimit: Duration = .seconds(30)

    /// The other nodes of a store; nil without one.
    package var cluster: (any IssuanceCluster)?

    package init(
        wallSeconds: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Duration,
        makeTransport: @escaping @Sendable (TrustStore) throws -> any HTTPTransport, resolver: any NameResolver,
        proxies: ProxyEnvironment, userAgent: String
    ) {
        (self.wallSeconds, self.uptime, self.makeTransport) = (wallSeconds, uptime, makeTransport)
        (self.resolver, self.proxies, self.userAgent) = (resolver, proxies, userAgent)
    }

    /// This machine and this process, with libcurl and the system's resolver.
    ///
    /// - Parameter version: the version of the program.
    package static func system(version: String) -> IssuanceEnvironment {
        IssuanceEnvironment(
            wallSeconds: Clock.wallSeconds, uptime: { .nanoseconds(Clock.preciseNanoseconds()) },
            makeTransport: { trust in
                try CurlTransport(connections: 16, connectionsPerHost: 4) { trust.install(inTLSContext: $0) }
            }, resolver: SystemResolver(), proxies: .process, userAgent: "aasa/\(version)")
    }

    /// The time on both clocks.
    var now: Moment { Moment(wall: wallSeconds(), uptime: uptime()) }
}
