internal import BoundedText
internal import CCurl
internal import Glibc
package import SystemSupport

/// Carries requests out with libcurl, all on one thread of its own that starts with the first of them.
///
/// At most so many are under way at a time, in all and to one host; the others wait in the order in which they came,
/// and their time limits do not run yet. Nothing outside of a request has a say: no proxy, no netrc, no cookies, no
/// environment, no redirects, no name that is looked up on the way. No TLS session is resumed, so that each handshake
/// shows and verifies what the server presents.
package final class CurlTransport: HTTPTransport {
    private let loop: TransferLoop

    /// - Parameters:
    ///   - connections: At a time, in all.
    ///   - connectionsPerHost: At a time to one host, at whatever port and address.
    ///   - prepareTLS: Sets up verification in a new `SSL_CTX`, which it is given a pointer to. It says which roots are
    ///     trusted, as libcurl is given none: it would read them anew for each connection, which costs more than all the
    ///     rest.
    /// - Throws: `MissingLibrary` if libcurl is missing or cannot be used.
    package init(
        connections: Int = 256, connectionsPerHost: Int = 6,
        prepareTLS: @escaping @Sendable (UnsafeMutableRawPointer) -> Bool
    ) throws(MissingLibrary) {
        loop = try TransferLoop(
            CurlLibrary.shared(), connections: connections, connectionsPerHost: connectionsPerHost, prepareTLS)
    }

    /// Cancels what is under way.
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

/// libcurl, opened when it is first asked for. Programs that never ask neither load nor need it.
package final class CurlLibrary: @unchecked Sendable {
    /// The table is written once, before anyone else can see it, and stays for good: the library does.
    let functions: UnsafePointer<c_curl_functions>

    /// The library of the process.
    ///
    /// - Throws: the same error each time, if it cannot be used.
    package static func shared() throws(MissingLibrary) -> CurlLibrary { try opened.get() }

    private static let opened = Result { () throws(MissingLibrary) in try CurlLibrary() }

    /// - Parameter name: for tests.
    package init(_ name: String = "libcurl.so.4") throws(MissingLibrary) {
        functions = try OpenedLibrary.functions(name, name: "libcurl", package: "libcurl4", into: c_curl_functions()) {
            c_curl_open($0, $1).map { String(cText: $0) } ?? Self.setUp($0)
        }
    }

    /// - Returns: what is wrong with the library; nil if it is as it must be.
    private static func setUp(_ table: UnsafePointer<c_curl_functions>) -> String? {
        guard c_curl_global_init(table) == CURLE_OK, let version = c_curl_version(table) else {
            return "it cannot be set up"
        }
        // The trust store is handed to the TLS library that it uses, which must be this process's OpenSSL.
        let tls = version.pointee.ssl_version.map { String(cText: $0) } ?? "no TLS"
        guard tls.hasPrefix("OpenSSL/") else { return "it is built with \(tls), expected OpenSSL" }
        return nil
    }
}
