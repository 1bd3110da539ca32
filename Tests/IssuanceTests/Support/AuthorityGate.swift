import Foundation
import OpenSSL
import SystemSupport
import TLSSamples
import TestSupport

/// Stands between a server and its authority: counts what is asked for, and keeps answers back.
final class AuthorityGate: Sendable {
    /// Where a request is kept.
    enum Stop: Sendable {
        /// The authority does not get it.
        case request
        /// The authority has answered it.
        case answer
    }

    fileprivate struct State {
        /// Answered requests, as `POST /order-plz 201`.
        var answered: [String] = []
        var stop: (path: String, at: Stop)?
        var isStopped = false
        /// Whether it says that it knows nothing.
        var isBroken = false
    }

    private let desk: Desk
    private let origin: StubOrigin

    init(_ authority: TestAuthority) throws {
        let desk = Desk(authority.pebble.port)
        self.desk = desk
        origin = try StubOrigin(SampleSite.identity()) { connection in
            while let request = connection.request(), let answer = desk.answer(request) {
                guard connection.send(answer) else { return }
                // As the answer says.
                return
            }
        }
    }

    var directory: String { "https://localhost:\(origin.port)/dir" }

    /// The name of the account's folder.
    var folderName: String { "localhost_\(origin.port)_dir" }

    /// Answered requests, as `POST /order-plz 201`.
    var answered: [String] { desk.state.withLock { $0.answered } }

    /// The number of orders that were made.
    var orders: Int { answered.count { $0 == "POST /order-plz 201" } }

    /// Has the next request of a path that begins so wait for ``open()``.
    func stop(_ path: String, at stop: Stop) { desk.state.withLock { ($0.stop, $0.isStopped) = ((path, stop), false) } }

    /// Whether a request waits.
    func waitUntilStopped() -> Bool { Waiting.until { desk.state.withLock { $0.isStopped } } }

    /// Lets go what waits; a request that has not reached the authority is not answered at all.
    func open() { desk.state.withLock { $0.stop = nil } }

    /// Has it answer everything with 404, or no more.
    func setBroken(_ isBroken: Bool) { desk.state.withLock { $0.isBroken = isBroken } }
}

/// The desk that all connections have in common.
private final class Desk: Sendable {
    let state = Locked(AuthorityGate.State())
    private let port: Int

    init(_ port: Int) { self.port = port }

    func answer(_ request: String) -> [UInt8]? {
        let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count == 3 else { return nil }
        let path = String(words[1])
        if state.withLock({ $0.isBroken }) {
            state.withLock { $0.answered.append("\(words[0]) \(path) 404") }
            return Array("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8)
        }
        if wait(path, .request) { return nil }
        guard let answer = try? Self.fetch(request, from: port) else { return nil }
        let status = String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)
        state.withLock { $0.answered.append("\(words[0]) \(path) \(status)") }
        // A nonce that was refused does not count.
        if status != "400" { _ = wait(path, .answer) }
        return answer
    }

    /// - Returns: whether it has waited.
    private func wait(_ path: String, _ stop: AuthorityGate.Stop) -> Bool {
        let isStop = state.withLock { state in
            guard let wanted = state.stop, wanted.at == stop, path.hasPrefix(wanted.path), !state.isStopped else {
                return false
            }
            state.isStopped = true
            return true
        }
        guard isStop else { return false }
        return Waiting.until { state.withLock { $0.stop == nil } }
    }

    private static func fetch(_ request: String, from port: Int) throws -> [UInt8] {
        let socket = try RawSocket(port: port)
        let tls = try SampleClient()
        var progress = tls.handshake()
        while progress == .needsInput {
            socket.send(tls.takeOutput())
            guard case .bytes(let bytes) = socket.receive() else { throw TestFailure("no handshake") }
            progress = tls.handshake(bytes)
        }
        var lines = request.components(separatedBy: "\r\n")
        lines.insert("Connection: close", at: 1)
        guard progress == .done, tls.write(Array(lines.joined(separator: "\r\n").utf8)) else {
            throw TestFailure("no handshake")
        }
        socket.send(tls.takeOutput())
        var answer = tls.read()
        while case .bytes(let bytes) = socket.receive() {
            tls.receive(bytes)
            answer += tls.read()
        }
        return answer
    }
}
