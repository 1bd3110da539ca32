internal import Foundation
internal import SystemSupport

/// The state that the connections of an authority share.
final class StubAuthorityService: Sendable {
    let port: Int
    let issuer: StubAuthorityIssuer
    let settings: Locked<StubAuthority.Settings>
    let database: Locked<StubAuthorityDatabase>
    let script = Locked(StubAuthorityScript())
    let log = Locked(StubAuthorityLog())
    private let connections = Locked<Connections>(Connections())

    private struct Connections {
        var next = 0
        /// Whether those whose handshake ends now are served.
        var areServed = true
        var open: [Int: @Sendable () -> Void] = [:]
    }

    init(port: Int, issuer: StubAuthorityIssuer, settings: StubAuthority.Settings) {
        (self.port, self.issuer) = (port, issuer)
        self.settings = Locked(settings)
        database = Locked(StubAuthorityDatabase(seed: issuer.number))
    }

    var base: String { "https://localhost:\(port)" }

    /// Serves new connections, after ``closeAll()``.
    func open() { connections.withLock { $0.areServed = true } }

    /// Ends all connections.
    func closeAll() {
        connections.withLock { connections in
            connections.areServed = false
            for interruption in connections.open.values { interruption() }
        }
    }

    func violate(_ text: String) { log.withLock { $0.violations.append(text) } }

    /// Serves a connection until it ends.
    func serve(_ connection: StubConnection) {
        let number: Int? = connections.withLock { connections in
            guard connections.areServed else { return nil }
            connections.next += 1
            connections.open[connections.next] = connection.interruption
            return connections.next
        }
        guard let number else { return }
        defer { _ = connections.withLock { $0.open.removeValue(forKey: number) } }
        while let text = connection.request() {
            guard handle(text, connection) else { return }
        }
    }

    /// - Returns: whether the connection goes on.
    private func handle(_ text: String, _ connection: StubConnection) -> Bool {
        guard let head = StubRequest(text, address: "127.0.0.1"), let end = text.range(of: "\r\n\r\n") else {
            violate("not a request of HTTP/1.1: \(text.prefix(100))")
            return false
        }
        guard let target = StubAuthorityTarget(path: head.target) else {
            violate("\(head.method) \(head.target): there is no such resource")
            let problem = StubAuthority.Problem("malformed", "there is no such resource", status: 404)
            return connection.send(problem.response.bytes(isHead: head.method == "HEAD"))
        }
        let settings = settings.withLock { $0 }
        var request = StubAuthority.Request(
            resource: target.resource, method: head.method, path: head.target, fields: head.fields)
        var exchange = Exchange(service: self, settings: settings, target: target)
        var problem: StubAuthority.Problem?
        do throws(StubAuthority.Problem) {
            try exchange.verify(&request, body: Array(text[end.upperBound...].utf8))
        } catch {
            problem = error
        }
        let index = log.withLock { log in
            log.requests.append(request)
            return log.requests.count - 1
        }
        if let problem { return send(exchange.refusal(problem, request), index, connection) }

        let reply = script.withLock { $0.reply(to: request) }
        switch reply.action {
        case .processed(let change):
            var response = exchange.response(to: request)
            change(&response)
            return send(response, index, connection)
        case .chain(let fault):
            exchange.fault = fault
            return send(exchange.response(to: request), index, connection)
        case .instead(let response): return send(exchange.completed(response), index, connection)
        case .raw(let answer):
            exchange.loseNonce()
            answer.send(connection)
        case .hang:
            exchange.loseNonce()
            connection.waitForHangUp()
        }
        return false
    }

    private func send(_ response: StubAuthority.Response, _ index: Int, _ connection: StubConnection) -> Bool {
        let isHead = log.withLock { log in
            log.requests[index].status = response.status
            return log.requests[index].method == "HEAD"
        }
        return connection.send(response.bytes(isHead: isHead))
    }

    /// Validates a name on a thread of its own.
    func validate(_ attempt: StubAuthority.Attempt, authorization: Int, challenge: Int) {
        let thread = Thread { [self] in
            let settings = settings.withLock { $0 }
            log.withLock { $0.attempts.append(attempt) }
            let problem = StubAuthorityValidator(settings: settings).problem(of: attempt)
            database.withLock { $0.finish(authorization, challenge, problem) }
        }
        thread.stackSize = 512 << 10
        thread.start()
    }

    static func httpDate(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
