import ACME
import OpenSSL
import PushSamples
import TLSSamples
import TestSupport

/// Runs our own machines against an authority, over one connection.
final class MachineRun {
    private let http: HTTPSClient
    private let base: String
    private let key: AccountKey
    private var nonces = NoncePool()
    /// A server that answers the pending challenge.
    private var server: StubOrigin?
    private let port: Int
    /// Tells the authority where that is.
    private let publish: (Int) -> Void

    init(_ base: String, port: Int, key: SampleKey, publish: @escaping (Int) -> Void) throws {
        http = try HTTPSClient(port: port)
        try http.handshake()
        (self.base, self.port, self.publish) = (base, port, publish)
        guard let account = AccountKey(try key.privateKey()) else { throw TestFailure("no key") }
        self.key = account
    }

    private var now: Moment { Moment(wall: SampleSite.now, uptime: .seconds(Waiting.seconds)) }

    private func answer(_ request: ACMERequest) throws -> ACMEResponse {
        let (method, body): (String, [UInt8]) =
            switch request.method {
            case .get: ("GET", [])
            case .head: ("HEAD", [])
            case .post(let body): ("POST", body)
            }
        let type = body.isEmpty ? "" : "Content-Type: application/jose+json\r\nContent-Length: \(body.count)\r\n"
        http.send(
            """
            \(method) \(request.url.description.dropFirst(base.count)) HTTP/1.1\r
            Host: localhost:\(port)\r
            User-Agent: aasa/1.0.0\r
            \(type)\r
            \(String(decoding: body, as: UTF8.self))
            """)
        let answer = try http.answer(isHead: method == "HEAD")
        let fields = answer.lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return (name: String(name), value: String(line.dropFirst(name.count + 2)))
        }
        return ACMEResponse(status: answer.status, fields: fields, body: answer.body)
    }

    private func pause(until end: Duration) {
        let seconds = end - now.uptime
        Waiting.idle(milliseconds: max(1, Int(seconds / .milliseconds(1)) + 1))
    }

    func account(_ directory: String, externalAccount: ExternalAccountBinding? = nil) throws -> (Directory, ACMEAccount)
    {
        guard let url = SecureURL(directory) else { throw TestFailure("no URL") }
        var machine = AccountMachine(
            settings: AccountMachine.Settings(
                directory: url, contact: ["ops@example.com"], externalAccount: externalAccount),
            key: key, stored: nil)
        var event = AccountMachine.Event.start
        while true {
            guard let action = machine.handle(event, at: now, nonces: &nonces).last else {
                throw TestFailure("there is nothing to do")
            }
            switch action {
            case .send(let request): event = .response(try answer(request), to: request.id)
            case .wait(let end):
                pause(until: end)
                event = .time
            case .ready(let directory, let account): return (directory, account)
            case .fail(let error): throw error
            }
        }
    }

    func order(_ task: OrderTask, _ directory: Directory, _ account: ACMEAccount) throws -> OrderedCertificate {
        var machine = OrderMachine(task: task, directory: directory, account: account, key: key)
        var events = [OrderMachine.Event.start]
        while !events.isEmpty {
            for action in machine.handle(events.removeFirst(), at: now, nonces: &nonces) {
                switch action {
                case .prepareKey: events.append(.keyStored(try SampleKey.p256(820).privateKey()))
                case .send(let request): events.append(.response(try answer(request), to: request.id))
                case .wait(let end):
                    pause(until: end)
                    events.append(.time)
                case .publish(let answer):
                    let authorization = answer.keyAuthorization.description
                    let server =
                        answer.type == .http01
                        ? try ChallengeServer.http(authorization)
                        : try ChallengeServer.tls(
                            ChallengeServer.certificate(answer.domain.identifier, authorization))
                    publish(server.port)
                    self.server = server
                    events.append(.challengePublished)
                case .withdraw: server = nil
                case .install(let certificate): return certificate
                case .fail(let failure): throw failure.error
                case .renewAccount, .restart: throw TestFailure("\(action)")
                case .recordNewOrder, .recordIssuance, .storeOrder, .noteRecord, .report: continue
                }
            }
        }
        throw TestFailure("the order has no end")
    }
}
