import ACME
import TestSupport
import Testing

@Suite("Orders")
struct OrderMachineTests {
    private static let accountURL = Samples.base + "/account/7"

    @Test("an order goes from the key to the certificate, one request at a time")
    func issuance() throws {
        var run = try OrderRun()
        try run.advance(to: .ended)
        #expect(
            run.actions.map(\.name) == [
                "prepareKey", "send /nonce", "recordNewOrder true", "send /order", "storeOrder",
                "send /authorization/1", "publish tls-alpn-01", "send /challenge/tls-alpn-01", "wait",
                "send /authorization/1", "withdraw tls-alpn-01", "recordIssuance", "send /finalize/1", "wait",
                "send /order/1",
                "send /certificate/1", "install",
            ])
        let installed = try #require(run.installed)
        #expect(installed.domain == Samples.domain && installed.chain.issuer == "Sample Intermediate")
        #expect(!installed.chain.pem.isEmpty)
        #expect(run.machine.hasEnded)
    }

    @Test("every signed request has the account, its URL and a fresh nonce, and asks with an empty payload")
    func messages() throws {
        var run = try OrderRun()
        var count = 0
        for step in OrderStep.allCases.dropFirst() {
            let previous = try #require(OrderStep(rawValue: step.rawValue - 1))
            try run.advance(to: step, from: previous)
            guard let request = run.request, case .post = request.method else { continue }
            let message = try SentMessage(request)
            #expect(message.account == Self.accountURL && message.header["jwk"] == nil)
            #expect(message.header["url"] as? String == request.url.description)
            #expect(message.header["alg"] as? String == "ES256" && message.nonce == "nonce")
            count += 1
            switch step {
            case .ordering: #expect(message.payload == #"{"identifiers":[{"type":"dns","value":"shop.example.com"}]}"#)
            case .answering: #expect(message.payload == "{}")
            case .finalizing:
                let text = try #require(message.object["csr"] as? String)
                #expect(try #require(StubAuthorityBase64URL.bytes(text)).first == 0x30)
            default: #expect(message.payload.isEmpty)
            }
        }
        #expect(count == 7)
    }

    @Test("the answer to publish is the token with the account's thumbprint")
    func keyAuthorization() throws {
        var run = try OrderRun()
        try run.advance(to: .publishing)
        guard case .publish(let answer) = run.last.last else {
            Issue.record("\(run.names)")
            return
        }
        #expect(answer.domain == Samples.domain && answer.type == .tlsALPN01 && answer.token == Samples.token)
        let thumbprint = try Samples.accountKey().thumbprint
        #expect(answer.keyAuthorization.description == "\(Samples.token).\(thumbprint)")
    }

    private static let events: [(String, OrderMachine.Event)] = [
        ("start", .start), ("keyNotStored", .keyNotStored("disk full")), ("published", .challengePublished),
        ("time", .time), ("stale", .response(.json(200, "{}"), to: 99)),
        ("staleFailure", .transportFailure(.unreachable("x"), of: 99)), ("account", .account(Samples.account)),
        ("accountFailed", .accountFailed(IssuanceError(.acmeAccount, "x"))), ("cancel", .cancel),
    ]

    @Test("an event that means nothing in a state has no consequences there", arguments: OrderStep.allCases)
    func everyEvent(step: OrderStep) throws {
        var run = try OrderRun()
        try run.advance(to: step)
        for (name, event) in Self.events {
            var copy = run
            copy.handle(event)
            let expected: [String]
            switch (name, step) {
            case (_, .ended): expected = []
            case ("start", .idle): expected = ["prepareKey"]
            case ("keyNotStored", .preparingKey): expected = ["fail storage"]
            case ("published", .publishing): expected = ["send /challenge/tls-alpn-01"]
            // Not yet over.
            case ("time", .validating), ("time", .issuing): expected = ["wait"]
            case ("cancel", .publishing), ("cancel", .answering), ("cancel", .validating), ("cancel", .polling):
                expected = ["withdraw tls-alpn-01", "fail other"]
            case ("cancel", _): expected = ["fail other"]
            default: expected = []
            }
            #expect(copy.names == expected, "\(name) in \(step)")
        }
    }

    @Test("whatever is answered in any state, the machine ends or goes on, and takes back what it has published")
    func everyAnswer() throws {
        let bodies =
            [
                "", "{}", "[]", "x", Samples.order("pending"), Samples.order("ready"), Samples.order("processing"),
                Samples.order("invalid"), Samples.order("valid", certificate: "/certificate/1"),
                Samples.order("valid"), Samples.authorization("pending"), Samples.authorization("valid"),
                Samples.authorization("invalid"), Samples.authorization("pending", [("dns-01", "pending")]),
                try Samples.chain(),
            ]
            + ["accountDoesNotExist", "badNonce", "malformed", "orderNotReady", "rateLimited", "unauthorized"]
            .map { Samples.problem($0) }
        for step in OrderStep.allCases {
            var start = try OrderRun()
            try start.advance(to: step)
            guard start.request != nil else { continue }
            for status in [200, 201, 302, 400, 403, 404, 409, 429, 500, 503] {
                for body in bodies {
                    var run = start
                    let wasPublished = [.answering, .validating, .polling].contains(step)
                    try run.answer(status, body, ["Location": Samples.base + "/order/1", "Retry-After": "3"])
                    let isOver = run.names.contains { $0.hasPrefix("fail") || $0 == "install" || $0 == "restart" }
                    #expect(run.machine.hasEnded == isOver)
                    #expect(run.names.filter { $0.hasPrefix("send") }.count <= 1)
                    #expect(isOver || !run.last.isEmpty, "\(step), \(status): \(body)")
                    if isOver, wasPublished { #expect(run.names.first == "withdraw tls-alpn-01") }
                    if let message = run.failure?.error.message { #expect(!message.isEmpty) }
                }
            }
        }
    }

    @Test("an order that is ready is finalized at once, and one that is valid is downloaded")
    func shortcuts() throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        var valid = run
        try run.answer(201, Samples.order("ready"), ["Location": Samples.base + "/order/1"])
        #expect(run.names == ["storeOrder", "recordIssuance", "send /finalize/1"])
        try valid.answer(201, Samples.order("valid", certificate: "/c"), ["Location": Samples.base + "/order/1"])
        #expect(valid.names == ["storeOrder", "recordIssuance", "send /c"])
    }

    @Test("an authorization that is valid skips the challenge")
    func validAuthorization() throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        try run.answer(200, Samples.authorization("valid", []))
        #expect(run.names == ["recordIssuance", "send /finalize/1"])
    }

    @Test("an order that is finalized too early is asked for until it is ready")
    func notReady() throws {
        var run = try OrderRun()
        try run.advance(to: .finalizing)
        try run.answer(403, Samples.problem("orderNotReady"))
        #expect(run.names == ["wait"])
        try run.letPauseEnd()
        try run.answer(200, Samples.order("pending"))
        try run.letPauseEnd()
        try run.answer(200, Samples.order("ready"))
        #expect(run.names == ["send /finalize/1"])
    }

    @Test("a CA that says for ever that the order is ready is left")
    func readyForEver() throws {
        var run = try OrderRun()
        try run.advance(to: .finalizing)
        for _ in 0..<2 { try run.answer(200, Samples.order("ready")) }
        try run.answer(200, Samples.order("ready"))
        #expect(run.names == ["fail protocol"])
    }
}
