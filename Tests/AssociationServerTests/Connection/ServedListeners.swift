import AssociationServer
import DomainNames
import EventLoops
import Foundation
import TestSupport
import Testing

/// A server in the test's own process, with listeners of every kind.
final class ServedListeners {
    let server: LinkServer
    let folder: TemporaryFolder
    let log = RecordedLog()
    private let ports: [Int]
    private let configuration: ServerConfiguration

    /// - Parameters:
    ///   - trusted: the proxies that are believed.
    ///   - change: what else is not as usual.
    init(
        _ kinds: [ListenerKind], trusted: [CIDRBlock] = CIDRBlock.loopback,
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
        folder = try RunningServer.layOut()
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.threads = 2
        configuration.log.access = .file("\(folder.path)/access.log")
        configuration.trustedProxies = CIDRSet(trusted)
        change(&configuration)
        self.configuration = configuration
        let listeners = try kinds.map {
            ServingListener(try Listener(try #require(SocketAddress("127.0.0.1:0"))), $0)
        }
        ports = try listeners.map { Int(try #require($0.listener.address.port)) }
        server = try LinkServer(configuration, logger: log.logger)
        _ = try server.start(listeners)
    }

    deinit { stop() }

    func stop() {
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    func port(_ index: Int = 0) -> Int { ports[index] }

    func connect(_ index: Int = 0, from source: String? = nil) throws -> RawSocket {
        try RawSocket(port: ports[index], from: source)
    }

    func reload(_ change: (inout ServerConfiguration) -> Void) {
        var changed = configuration
        change(&changed)
        server.reloadAndWait { [changed] () throws(ServerError) in changed }
    }

    /// The sum of a counter over all loops.
    func count(_ counter: Counter) -> UInt64 {
        (server.ask(milliseconds: Patience.seconds * 1_000) ?? []).reduce(0) { $0 + $1[counter] }
    }

    /// The lines of the access log, whose server is stopped for that.
    func accessLog() throws -> [[String: Any]] {
        stop()
        let text = try String(contentsOfFile: "\(folder.path)/access.log", encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}

extension RawSocket {
    /// Everything until the server ends the stream, as text.
    func rest() -> String { String(decoding: receiveAll().bytes, as: UTF8.self) }

    /// Reads until something was received.
    func receive(until text: String) throws -> String {
        var all = ""
        while !all.contains(text) {
            guard case .bytes(let bytes) = receive() else { throw TestFailure("the stream ended after '\(all)'") }
            all += String(decoding: bytes, as: UTF8.self)
        }
        return all
    }
}
