import ACME
import OpenSSL
import PushSamples
import TestSupport

/// A machine of an order, and the test in place of everything around it.
struct OrderRun {
    var machine: OrderMachine
    var nonces = NoncePool()
    var now = Moment(wall: Samples.now, uptime: .seconds(1_000))
    /// All that was to be done so far.
    private(set) var actions: [OrderMachine.Action] = []
    /// The actions after the last event.
    private(set) var last: [OrderMachine.Action] = []

    init(_ task: OrderTask = OrderTask(domain: Samples.domain, challenges: [.tlsALPN01, .http01]), meta: String = "{}")
        throws
    {
        machine = OrderMachine(
            task: task, directory: try Samples.directory(meta), account: Samples.account,
            key: try Samples.accountKey())
    }

    mutating func handle(_ event: OrderMachine.Event) {
        last = machine.handle(event, at: now, nonces: &nonces)
        actions += last
    }

    /// The request that the last event has led to.
    var request: ACMERequest? {
        for case .send(let request) in last { return request }
        return nil
    }

    func sentRequest() throws -> ACMERequest {
        guard let request else { throw TestFailure("nothing was sent, but: \(last)") }
        return request
    }

    func message() throws -> SentMessage { try SentMessage(sentRequest()) }

    var pause: Duration? {
        for case .wait(let end) in last { return end - now.uptime }
        return nil
    }

    mutating func answer(_ response: ACMEResponse) throws {
        handle(.response(response, to: try sentRequest().id))
    }

    mutating func answer(_ status: Int = 200, _ body: String, _ fields: [String: String] = [:]) throws {
        try answer(.json(status, body, fields))
    }

    mutating func fail(_ reason: String = "connection refused") throws {
        handle(.transportFailure(.unreachable(reason), of: try sentRequest().id))
    }

    /// Lets the pause go by that the last event has led to.
    mutating func letPauseEnd() throws {
        guard let pause else { throw TestFailure("there is no pause, but: \(last)") }
        now.uptime += pause
        handle(.time)
    }

    var failure: OrderFailure? {
        for case .fail(let failure) in last { return failure }
        return nil
    }

    var installed: OrderedCertificate? {
        for case .install(let certificate) in last { return certificate }
        return nil
    }

    /// The names of the actions of the last event.
    var names: [String] { last.map(\.name) }
}

extension OrderMachine.Action {
    var name: String {
        switch self {
        case .prepareKey: "prepareKey"
        case .send(let request): "send \(request.url.description.dropFirst(Samples.base.utf8.count))"
        case .wait: "wait"
        case .recordNewOrder(let counts): "recordNewOrder \(counts)"
        case .recordIssuance: "recordIssuance"
        case .storeOrder: "storeOrder"
        case .noteRecord: "noteRecord"
        case .report: "report"
        case .publish(let answer): "publish \(answer.type.rawValue)"
        case .withdraw(let answer): "withdraw \(answer.type.rawValue)"
        case .renewAccount: "renewAccount"
        case .install: "install"
        case .restart: "restart"
        case .fail(let failure): "fail \(failure.error.type.rawValue)"
        }
    }
}

/// The step that an order reaches without a problem.
enum OrderStep: Int, CaseIterable {
    case idle, preparingKey, fetchingNonce, ordering, authorizing, publishing, answering, validating, polling
    case finalizing, issuing, asking, downloading, ended
}

extension OrderRun {
    /// Leads an order up to a step, with the answers that are expected.
    mutating func advance(to step: OrderStep, from start: OrderStep = .idle) throws {
        guard start.rawValue < step.rawValue else { return }
        for step in OrderStep.allCases[(start.rawValue + 1)...step.rawValue] { try take(step) }
    }

    private mutating func take(_ step: OrderStep) throws {
        switch step {
        case .idle: return
        case .preparingKey: handle(.start)
        case .fetchingNonce: handle(.keyStored(try Samples.orderKey.privateKey()))
        case .ordering: try answer(200, "")
        case .authorizing:
            try answer(201, Samples.order("pending"), ["Location": Samples.base + "/order/1"])
        case .publishing: try answer(200, Samples.authorization("pending"))
        case .answering: handle(.challengePublished)
        case .validating: try answer(200, #"{"status":"processing"}"#)
        case .polling: try letPauseEnd()
        case .finalizing: try answer(200, Samples.authorization("valid"))
        case .issuing: try answer(200, Samples.order("processing"), ["Location": Samples.base + "/order/1"])
        case .asking: try letPauseEnd()
        case .downloading: try answer(200, Samples.order("valid", certificate: "/certificate/1"))
        case .ended: try answer(200, try Samples.chain())
        }
    }
}
