package import HTTP2
internal import Logging
package import SystemSupport

// Whether HTTP/2 is spoken: the library is opened when it is first wanted, and a server without it speaks HTTP/1.1.
extension LinkServer {
    /// Opens the library that HTTP/2 needs if the configuration has it and HTTPS; where it is missing, the log says so.
    func openHTTP2Library(_ configuration: ServerConfiguration) {
        guard configuration.http2, configuration.needsCertificates else { return }
        do throws(MissingLibrary) {
            let library = try HTTP2Library.shared()
            state.withLock { $0.http2 = library }
        } catch {
            logger.warning("\(HTTP2Library.absence(error))")
        }
    }

    /// - Parameter mostConnections: what the process can hold.
    func workerSettings(_ configuration: ServerConfiguration, mostConnections: Int) -> Worker.Settings {
        Worker.Settings(
            configuration, mostConnections: mostConnections,
            http2: configuration.http2 ? state.withLock { $0.http2 } : nil)
    }
}

extension HTTP2Library {
    /// The message that the library is missing.
    package static func absence(_ error: MissingLibrary) -> String {
        "HTTP/2 is off, clients get HTTP/1.1: \(error); \(error.help), or set 'http2' to false"
    }
}
