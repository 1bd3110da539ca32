package import SystemSupport

/// Carries requests out with libcurl, all on one thread of its own that starts with the first of them.
///
/// At most so many are under way at a time, in all and to one host; the others wait in the order in which they came,
/// and their time limits do not run yet. Nothing outside of a request has a say: no proxy, no netrc, no cookies, no
/// environment, no redirects, no name that is looked up on the way. No TLS session is resumed, so that each handshake
/// shows and verifies what the server presents.
package final class CurlTransport: HTTPTransport {
    package struct Configuration: Sendable {
        /// Connections at a time, in all.
        package var connections: Int
        /// Connections at a time to one host, at whatever port and address.
        package var connectionsPerHost: Int
        /// Sets up verification in a new `SSL_CTX`, which it is given a pointer to. It says which roots are trusted, as
        /// libcurl is told of none: it would read them anew for each connection, which costs more than all the rest.
        package var prepareTLS: @Sendable (UnsafeMutableRawPointer) -> Bool

        package init(
            connections: Int = 256, connectionsPerHost: Int = 6,
            prepareTLS: @escaping @Sendable (UnsafeMutableRawPointer) -> Bool
        ) {
            (self.connections, self.connectionsPerHost) = (connections, connectionsPerHost)
            self.prepareTLS = prepareTLS
        }
    }

    private let loop: TransferLoop

    /// - Throws: `MissingLibrary` if libcurl is missing or cannot be used.
    package init(_ configuration: Configuration) throws(MissingLibrary) {
        loop = try TransferLoop(library: CurlLibrary.shared(), configuration: configuration)
    }

    /// What is under way is cancelled.
    deinit { loop.stop() }

    package func start(
        _ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void
    ) -> Cancellation {
        loop.submit(.request(request, completion))
    }

    package func start(
        _ probe: ChainProbe, completion: @escaping @Sendable (Result<Chain, Failure>) -> Void
    ) -> Cancellation {
        loop.submit(.probe(probe, completion))
    }
}
