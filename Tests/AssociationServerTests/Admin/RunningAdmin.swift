import AssociationServer
import EventLoops
import Foundation
import TestSupport

/// An admin listener on a free port, which ends with the last one who knows it.
final class RunningAdmin: Sendable {
    let source: FakeAdminSource
    let port: Int
    private let server: AdminServer

    init(
        _ source: FakeAdminSource = FakeAdminSource(), _ limits: AdminLimits = AdminLimits(),
        timeouts: (inout ServerConfiguration.Timeouts) -> Void = { _ in }
    ) throws {
        guard let address = SocketAddress("127.0.0.1:0") else { throw TestFailure("no address") }
        let listener = try Listener(address)
        var all = AdminLimits.timeouts
        timeouts(&all)
        self.source = source
        port = Int(listener.address.port ?? 0)
        server = try AdminServer(listener: listener, source: source, limits: limits, timeouts: all)
        server.start()
    }

    deinit { server.stop() }

    func stop(_ whenStopped: @escaping @Sendable () -> Void) { server.stop(whenStopped) }

    func curl(_ path: String, _ arguments: [String] = []) throws -> Shell.Outcome {
        try Shell.run(
            ["curl", "-sS", "--max-time", "10", "--noproxy", "*", "--path-as-is", "http://127.0.0.1:\(port)\(path)"]
                + arguments)
    }

    /// All that comes back for the bytes, which should end the connection.
    func exchange(_ request: String, endsSending: Bool = false) throws -> String {
        let socket = try RawSocket(port: port)
        socket.send(request)
        if endsSending { socket.endSending() }
        return String(decoding: socket.receiveAll().bytes, as: UTF8.self)
    }

    /// The status and the body of a GET.
    func get(_ path: String) throws -> (status: Int, body: String) {
        let answer = try exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        guard let end = answer.range(of: "\r\n\r\n"), let status = Int(answer.dropFirst(9).prefix(3)) else {
            throw TestFailure("no answer: \(answer)")
        }
        return (status, String(answer[end.upperBound...]))
    }

    func object(_ path: String) throws -> (status: Int, members: [String: Any]) {
        let (status, body) = try get(path)
        guard let members = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any] else {
            throw TestFailure("no JSON object: \(body)")
        }
        return (status, members)
    }
}
