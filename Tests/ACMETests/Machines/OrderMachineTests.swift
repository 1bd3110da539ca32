import ACME
import FuzzingSupport
import OpenSSL
import PushSamples
import TLSSamples
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
                "send /authorization/1", "withdraw tls-alpn-01", "send /finalize/1", "wait", "send /order/1",
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
                #expect(try #require(Base64URL.bytes(text)).first == 0x30)
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

    // MARK: Every event in every state

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
            for status in [200, 201, 302, 400, 403, 404, 409, 429, 500, 503] {
                for body in bodies {
                    var run = try OrderRun()
                    try run.advance(to: step)
                    guard run.request != nil else { continue }
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

    // MARK: Short cuts

    @Test("an order that is ready is finalized at once, and one that is valid is downloaded")
    func shortcuts() throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        var valid = run
        try run.answer(201, Samples.order("ready"), ["Location": Samples.base + "/order/1"])
        #expect(run.names == ["storeOrder", "send /finalize/1"])
        try valid.answer(201, Samples.order("valid", certificate: "/c"), ["Location": Samples.base + "/order/1"])
        #expect(valid.names == ["storeOrder", "send /c"])
    }

    @Test("an authorization that is valid skips the challenge")
    func validAuthorization() throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        try run.answer(200, Samples.authorization("valid", []))
        #expect(run.names == ["send /finalize/1"])
    }

    @Test("an order that is finalized too early is asked for until it is ready")
    func notReady() throws {
        var run = try OrderRun()
        try run.advance(to: .finalizing)
        try run.answer(403, Samples.problem("orderNotReady"))
        #expect(run.names == ["wait"])
        try run.elapse()
        try run.answer(200, Samples.order("pending"))
        try run.elapse()
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

    // MARK: Continuing

    private func resumed() throws -> OrderRun {
        var run = try OrderRun(
            OrderTask(domain: Samples.domain, challenges: [.http01], resumes: Samples.url("/order/5")))
        run.handle(.start)
        run.handle(.keyStored(try Samples.orderKey.privateKey()))
        try run.answer(200, "")
        #expect(run.names == ["send /order/5"])
        return run
    }

    @Test(
        "an order of an earlier run is continued where it is",
        arguments: [
            ("pending", ["send /authorization/1"]), ("ready", ["send /finalize/1"]), ("processing", ["wait"]),
            ("valid", ["send /c"]), ("invalid", ["restart"]),
        ] as [(String, [String])])
    func resume(status: String, names: [String]) throws {
        var run = try resumed()
        #expect(run.actions.allSatisfy { !$0.name.hasPrefix("recordNewOrder") })
        try run.answer(200, Samples.order(status, certificate: status == "valid" ? "/c" : nil))
        #expect(run.names == names)
    }

    @Test("an order that the CA does not have any more makes room for another one", arguments: [403, 404, 410])
    func gone(status: Int) throws {
        var run = try resumed()
        try run.answer(status, Samples.problem("malformed", "no such order"))
        #expect(run.names == ["restart"] && run.machine.hasEnded)
    }

    @Test("an order that could not be asked for stays")
    func resumedWithoutAnswer() throws {
        var run = try resumed()
        for _ in 0..<3 {
            try run.fail()
            try run.elapse()
        }
        try run.fail()
        #expect(run.failure?.keepsOrder == true && run.failure?.error.type == .unavailable)
    }

    @Test("a challenge that was answered before is published again, and then waited for")
    func resumedChallenge() throws {
        var run = try resumed()
        try run.answer(200, Samples.order("pending"))
        try run.answer(200, Samples.authorization("pending", [("http-01", "processing")]))
        // The CA may ask once more.
        #expect(run.names == ["publish http-01"])
        run.handle(.challengePublished)
        #expect(run.names == ["wait"])
        try run.elapse()
        try run.answer(200, Samples.authorization("valid"))
        #expect(run.names == ["withdraw http-01", "send /finalize/1"])
    }

    @Test("an order of an account that the CA has forgotten is asked for under the new one, and then made anew")
    func resumedByAnotherAccount() throws {
        var run = try resumed()
        try run.answer(400, Samples.problem("accountDoesNotExist"))
        #expect(run.names == ["renewAccount"])
        run.handle(.account(Samples.account))
        #expect(run.names == ["send /order/5"])
        try run.answer(403, Samples.problem("unauthorized"))
        #expect(run.names == ["restart"])
    }

    // MARK: Nonces

    @Test("a refused nonce is replaced by that of the error, 20 times")
    func badNonce() throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        for number in 0..<20 {
            try run.answer(.json(400, Samples.problem("badNonce"), nonce: "fresh\(number)"))
            #expect(try run.message().nonce == "fresh\(number)")
        }
        try run.answer(400, Samples.problem("badNonce"))
        #expect(run.failure?.error.type == .badNonce)
    }

    @Test("an error without a nonce has one fetched; unusable ones are none")
    func missingNonce() throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        try run.answer(.json(400, Samples.problem("badNonce"), nonce: "no nonce"))
        #expect(run.names == ["send /nonce"])
        #expect(try run.sentRequest().method == .head)
        try run.answer(.json(200, "", nonce: nil))
        #expect(run.failure?.error.type == .protocol && run.failure?.error.scope == .authority)
    }

    @Test("nonces are shared, and each is used once")
    func pool() throws {
        var run = try OrderRun()
        try run.advance(to: .answering)
        // One came with each answer, and one was used by each request.
        #expect(run.nonces.count == 0)
        #expect(run.actions.filter { $0.name == "send /nonce" }.count == 1)
    }

    // MARK: Transport

    @Test("a request without an answer is repeated after 1, 2 and 4 seconds")
    func repetition() throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        for seconds in [1, 2, 4] {
            try run.fail()
            #expect(run.pause == .seconds(seconds))
            try run.elapse()
            #expect(run.names.last == "send /authorization/1" || run.names == ["send /nonce"])
            if run.names == ["send /nonce"] { try run.answer(200, "") }
        }
        try run.fail("proxy 10.0.0.1 refused\u{1B}[2J")
        let failure = try #require(run.failure)
        #expect(failure.error == IssuanceError(.unavailable, #"proxy 10.0.0.1 refused\x1B[2J"#))
        #expect(failure.keepsOrder)
    }

    @Test("a server's failure is repeated like that, unless it says when to come back")
    func serverFailure() throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        try run.answer(502, "<html>")
        #expect(run.pause == .seconds(1))
        try run.elapse()
        try run.answer(503, "", ["Retry-After": "30"])
        #expect(run.pause == .seconds(30))
        try run.elapse()
        try run.answer(429, Samples.problem("rateLimited"), ["Retry-After": "7200"])
        #expect(run.failure?.error.type == .rateLimited && run.failure?.error.retryAfter == 7_200)
        #expect(run.failure?.keepsOrder == true)
    }

    @Test("a time to come back that is none does not count", arguments: ["-5", "soon", ""])
    func badRetryAfter(field: String) throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        for seconds in [1, 2, 4] {
            try run.answer(503, "", ["Retry-After": field])
            #expect(run.pause == .seconds(seconds))
            try run.elapse()
        }
        try run.answer(503, "", ["Retry-After": field])
        #expect(run.failure?.error.type == .unavailable && run.failure?.error.retryAfter == nil)
    }

    @Test("a limit in the middle of an order does not end it for good")
    func limited() throws {
        var run = try OrderRun()
        try run.advance(to: .finalizing)
        try run.answer(429, Samples.problem("rateLimited"))
        #expect(run.failure?.error.type == .rateLimited && run.failure?.keepsOrder == true)
    }

    @Test("newOrder is never repeated: the CA may have made the order")
    func newOrder() throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        var failing = run
        try failing.answer(500, "")
        #expect(failing.failure?.error.type == .unavailable && failing.failure?.keepsOrder == false)
        try run.fail()
        #expect(run.names == ["fail unavailable"] && run.failure?.error.scope == .domain)
    }

    @Test("a nonce that cannot be had is a failure of the CA for all")
    func noNonce() throws {
        var run = try OrderRun()
        try run.advance(to: .fetchingNonce)
        for _ in 0..<3 {
            try run.fail()
            try run.elapse()
        }
        try run.fail()
        #expect(run.failure?.error.scope == .authority && run.failure?.error.type == .unavailable)
    }

    @Test("an answer that is too large is not asked for again")
    func tooLarge() throws {
        var run = try OrderRun()
        try run.advance(to: .downloading)
        let request = try run.sentRequest()
        #expect(request.limit == 1 << 20 && request.accept == "application/pem-certificate-chain")
        run.handle(.transportFailure(.tooLarge(limit: request.limit), of: request.id))
        #expect(run.failure?.error.type == .protocol)
    }

    @Test("a redirect is not followed", arguments: [301, 302, 307, 308])
    func redirect(status: Int) throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        try run.answer(status, "", ["Location": "https://other.example/"])
        #expect(
            run.failure?.error
                == IssuanceError(.protocol, "the order was answered with status \(status)"))
    }

    // MARK: The account

    @Test("an account that the CA does not know is renewed once, and the request repeated under it")
    func accountDoesNotExist() throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        try run.answer(400, Samples.problem("accountDoesNotExist"))
        #expect(run.names == ["renewAccount"])
        var failing = run
        failing.handle(.accountFailed(IssuanceError(.acmeAccount, "the account is deactivated")))
        #expect(failing.failure?.error.type == .acmeAccount && failing.failure?.error.scope == .authority)
        let renewed = Account(
            directory: Samples.directoryURL, url: Samples.url("/account/8"), contact: [], termsOfService: nil,
            caaIdentities: [])
        run.handle(.account(renewed))
        #expect(run.names == ["recordNewOrder true", "send /order"])
        #expect(try run.message().account == Samples.base + "/account/8")
        try run.answer(400, Samples.problem("accountDoesNotExist"))
        #expect(run.names == ["fail accountDoesNotExist"])
    }

    @Test("a CA that takes no order from the account is asked about the account")
    func deactivatedAccount() throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        try run.answer(403, Samples.problem("unauthorized", "account is deactivated"))
        #expect(run.names == ["renewAccount"])
        run.handle(.account(Samples.account))
        try run.answer(403, Samples.problem("unauthorized"))
        #expect(run.failure?.error.type == .unauthorized)
    }

    @Test(
        "what only somebody can change about the account is a failure for all domains",
        arguments: ["externalAccountRequired", "userActionRequired", "invalidContact", "unsupportedContact"])
    func accountProblem(type: String) throws {
        for step in [OrderStep.ordering, .finalizing] {
            var run = try OrderRun()
            try run.advance(to: step)
            try run.answer(403, Samples.problem(type, "agree first"), ["Retry-After": "60"])
            let error = try #require(run.failure?.error)
            #expect(error.type == .acmeAccount && error.scope == .authority)
            #expect(error.message == "the CA does not accept the account: \(type): agree first")
            #expect(run.failure?.keepsOrder == (step == .finalizing))
        }
    }

    // MARK: Replacing

    private func replacing() throws -> OrderRun {
        var task = OrderTask(domain: Samples.domain, challenges: [.tlsALPN01], profile: "short")
        task.replaces = CertificateID(keyIdentifier: [1], serialNumber: [2])
        var run = try OrderRun(task)
        try run.advance(to: .ordering)
        return run
    }

    @Test("an order names its profile and the certificate that it replaces, and then does not count")
    func replaces() throws {
        let run = try replacing()
        #expect(run.actions.map(\.name).contains("recordNewOrder false"))
        let object = try run.message().object
        #expect(object["replaces"] as? String == "AQ.Ag" && object["profile"] as? String == "short")
    }

    @Test(
        "a certificate that was replaced already is ordered once more without it",
        arguments: [(409, "alreadyReplaced"), (400, "malformed"), (409, "conflict"), (403, "unauthorized")]
            as [(Int, String)])
    func alreadyReplaced(status: Int, type: String) throws {
        var run = try replacing()
        try run.answer(status, Samples.problem(type))
        #expect(run.names == ["recordNewOrder true", "send /order"])
        #expect(try run.message().object["replaces"] == nil)
        try run.answer(status, Samples.problem(type))
        switch type {
        // What the account may not do at all.
        case "unauthorized": #expect(run.names == ["renewAccount"])
        case "conflict": #expect(run.names == ["fail other"])
        default: #expect(run.names == ["fail \(type)"])
        }
    }

    @Test("another refusal does not concern the certificate that is replaced")
    func refusedReplacement() throws {
        var run = try replacing()
        try run.answer(403, Samples.problem("rejectedIdentifier"))
        #expect(run.names == ["fail rejectedIdentifier"])
    }

    // MARK: Polling

    @Test("the pauses grow from half a second by half to ten seconds")
    func polling() throws {
        var run = try OrderRun()
        try run.advance(to: .validating)
        var pauses: [Duration] = []
        for _ in 0..<10 {
            pauses.append(try #require(run.pause))
            try run.elapse()
            try run.answer(200, Samples.authorization("pending"))
        }
        #expect(pauses[0] == .milliseconds(500) && pauses[1] == .milliseconds(750))
        #expect(pauses[2] == .milliseconds(1_125) && pauses.last == .seconds(10))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test(
        "the CA says when to ask again, up to an hour; nonsense and zero are no pause of its own",
        arguments: [("7", 7_000), ("0", 750), ("-5", 750), ("soon", 750), ("99999", 594_500)] as [(String, Int)])
    func retryAfter(field: String, milliseconds: Int) throws {
        var run = try OrderRun()
        try run.advance(to: .polling)
        try run.answer(200, Samples.authorization("pending"), ["Retry-After": field])
        // Never beyond the end of all patience.
        let expected: Duration = milliseconds > 500_000 ? .milliseconds(599_500) : .milliseconds(milliseconds)
        #expect(run.pause == expected)
    }

    @Test("a name is waited for for ten minutes, and then another challenge is used")
    func validationTimeout() throws {
        var run = try OrderRun()
        try run.advance(to: .validating)
        let start = run.now.uptime
        while run.failure == nil {
            try run.elapse()
            if run.request != nil { try run.answer(200, Samples.authorization("pending")) }
        }
        #expect(run.now.uptime - start == .seconds(600))
        let failure = try #require(run.failure)
        #expect(failure.error.type == .timeout && !failure.keepsOrder && failure.challenge == .tlsALPN01)
        #expect(run.names.first == "withdraw tls-alpn-01")
    }

    @Test("the CA is asked once more when all patience is over: the last pause may have been a long one")
    func lastQuestion() throws {
        var run = try OrderRun()
        try run.advance(to: .polling)
        try run.answer(200, Samples.authorization("pending"), ["Retry-After": "3600"])
        #expect(run.pause == .milliseconds(599_500))
        try run.elapse()
        #expect(run.names == ["send /authorization/1"])
        try run.answer(200, Samples.authorization("valid"))
        #expect(run.names == ["withdraw tls-alpn-01", "send /finalize/1"])
    }

    @Test("a CA that wants to be left alone for longer than it may take has taken too long")
    func patience() throws {
        var run = try OrderRun()
        try run.advance(to: .polling)
        try run.answer(503, "", ["Retry-After": "3600"])
        #expect(run.pause == .milliseconds(599_500))
        try run.elapse()
        #expect(run.names == ["withdraw tls-alpn-01", "fail timeout"])
        var late = try OrderRun()
        try late.advance(to: .polling)
        late.now.uptime += .seconds(700)
        try late.answer(502, "")
        #expect(late.failure?.error.type == .timeout)
    }

    @Test("a certificate is waited for for half an hour, and the order is kept")
    func issuanceTimeout() throws {
        var run = try OrderRun()
        try run.advance(to: .issuing)
        let start = run.now.uptime
        while run.failure == nil {
            try run.elapse()
            if run.request != nil {
                try run.answer(200, Samples.order("processing"), ["Retry-After": "3600"])
            }
        }
        #expect(run.now.uptime - start == .seconds(1_800))
        #expect(run.failure?.error.type == .timeout && run.failure?.keepsOrder == true)
        #expect(run.failure?.challenge == nil)
    }

    // MARK: Failures

    @Test("a name that is not validated says why, and uses up its challenge")
    func invalidAuthorization() throws {
        var run = try OrderRun()
        try run.advance(to: .polling)
        let problem = Samples.problem("connection", "refused\\u001b[31m \\\"x\\\"")
        try run.answer(
            200, Samples.authorization("invalid", [("tls-alpn-01", "invalid")], more: #","error":\#(problem)"#))
        let failure = try #require(run.failure)
        #expect(failure.error == IssuanceError(.connection, #"refused\x1B[31m \x22x\x22"#))
        #expect(failure.challenge == .tlsALPN01 && !failure.keepsOrder)
        #expect(run.names == ["withdraw tls-alpn-01", "fail connection"])
    }

    @Test(
        "an authorization that cannot become valid any more ends the order",
        arguments: ["invalid", "deactivated", "expired", "revoked"])
    func deadAuthorization(status: String) throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        try run.answer(200, Samples.authorization(status))
        #expect(run.failure?.error.type == .unauthorized)
    }

    @Test("an order that becomes invalid says why")
    func invalidOrder() throws {
        var run = try OrderRun()
        try run.advance(to: .asking)
        try run.answer(200, Samples.order("invalid", more: #","error":\#(Samples.problem("serverInternal"))"#))
        #expect(run.failure?.error.type == .serverInternal && run.failure?.keepsOrder == false)
    }

    @Test("nothing usable among the challenges names what was offered")
    func noChallenge() throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        try run.answer(200, Samples.authorization("pending", [("dns-01", "pending"), ("x\\u001b", "pending")]))
        let error = try #require(run.failure?.error)
        #expect(error.type == .acmeChallenges)
        #expect(
            error.message
                == #"the CA offers dns-01, x\x1B for 'shop.example.com', but only tls-alpn-01, http-01 can be answered here"#
        )
    }

    @Test("a challenge that has failed is not answered again, and if all have the order has failed")
    func failedChallenges() throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        var failing = run
        try run.answer(200, Samples.authorization("pending", [("tls-alpn-01", "invalid"), ("http-01", "pending")]))
        #expect(run.names == ["publish http-01"])
        let problem = #","error":\#(Samples.problem("tls", "no certificate"))"#
        try failing.answer(200, Samples.authorization("pending", [("tls-alpn-01", "invalid")], more: problem))
        #expect(failing.failure?.error == IssuanceError(.tls, "no certificate"))
    }

    @Test("an order that is not wanted any more uses up no challenge")
    func cancelled() throws {
        var run = try OrderRun()
        try run.advance(to: .validating)
        run.handle(.cancel)
        #expect(run.failure?.challenge == nil && run.failure?.keepsOrder == false)
    }

    @Test("the preferred challenge of those that the CA offers is used")
    func preference() throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        try run.answer(200, Samples.authorization("pending", [("dns-01", "pending"), ("http-01", "pending")]))
        #expect(run.names == ["publish http-01"])
    }

    @Test("an order for something else is none", arguments: ["other.example.com", "*.shop.example.com"])
    func otherName(name: String) throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        try run.answer(
            201, Samples.order("pending", domain: Samples.domain(name)), ["Location": Samples.base + "/order/1"])
        #expect(run.failure?.error.type == .protocol)
    }

    @Test("an order without a usable location is none", arguments: ["http://ca.example.net/order/1", "/order/1", ""])
    func location(text: String) throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        try run.answer(201, Samples.order("pending"), ["Location": text])
        #expect(run.failure?.error.type == .protocol)
    }

    @Test(
        "a certificate that is not what was asked for is not installed",
        arguments: ["key", "name", "expired", "future", "text", "order"])
    func badCertificate(what: String) throws {
        var run = try OrderRun()
        try run.advance(to: .downloading)
        let leaf = try SampleSite.leaf([Samples.domain.identifier], key: Samples.orderKey).pem()
        let chain =
            switch what {
            case "key": try Samples.chain(key: .p256(302))
            case "name": try Samples.chain(["shop.example.com", "www.example.com"])
            case "expired": try Samples.chain(notBefore: -10, notAfter: -1)
            case "future": try Samples.chain(notBefore: 1)
            case "order": try leaf + SampleSite.otherRoot.certificate.pem()
            default: "<html>"
            }
        try run.answer(200, chain)
        #expect(run.failure?.error.type == (what == "text" ? .protocol : .badCertificate))
        #expect(run.failure?.keepsOrder == false)
    }

    // MARK: DNS records and chains

    @Test("a wildcard is proved by a TXT record, which is noted, and nothing is published")
    func wildcard() throws {
        let domain = Samples.domain("*.example.com")
        var run = try OrderRun(OrderTask(domain: domain, challenges: [.dnsPersist01]))
        try run.advance(to: .ordering)
        try run.answer(201, Samples.order("pending", domain: domain), ["Location": Samples.base + "/order/1"])
        var other = run
        try run.answer(200, Samples.authorization("pending", domain: domain, [("dns-persist-01", "pending")]))
        #expect(run.names == ["noteRecord", "send /challenge/dns-persist-01"])
        guard case .noteRecord(let record) = run.last.first else { return }
        #expect(record.name == "_validation-persist.example.com")
        #expect(record.value == "ca.example.net; accounturi=\(Self.accountURL); policy=wildcard")
        try other.answer(200, Samples.authorization("pending", domain: domain, [("dns-01", "pending")]))
        #expect(other.failure?.error.type == .acmeWildcard)
        #expect(other.failure?.error.message.contains("dns-persist-01") == true)
    }

    private func withPreferredChain(_ name: String) throws -> OrderRun {
        var task = OrderTask(domain: Samples.domain, challenges: [.tlsALPN01])
        task.preferredChain = name
        var run = try OrderRun(task)
        try run.advance(to: .downloading)
        return run
    }

    private static let links = #"<\#(Samples.base)/a1>;rel="alternate", <\#(Samples.base)/a2>; rel=alternate"#

    @Test("an alternate chain with the preferred issuer is taken")
    func alternate() throws {
        var run = try withPreferredChain("Other Root")
        try run.answer(200, Samples.chain(), ["Link": Self.links])
        #expect(run.names == ["send /a1"])
        try run.answer(200, Samples.chain())
        #expect(run.names == ["send /a2"])
        try run.answer(200, Samples.chain(issuer: SampleSite.otherRoot))
        #expect(run.installed?.chain.issuer == "Other Root")
    }

    @Test("without the preferred issuer anywhere the default chain is taken, whatever became of the others")
    func defaultChain() throws {
        var run = try withPreferredChain("Nobody")
        try run.answer(200, Samples.chain(), ["Link": Self.links])
        try run.answer(200, "<html>")
        try run.answer(404, Samples.problem("malformed"))
        #expect(run.installed?.chain.issuer == "Sample Intermediate")
        var preferred = try withPreferredChain("Sample Root")
        try preferred.answer(200, Samples.chain(), ["Link": Self.links])
        #expect(preferred.names == ["install"])
    }

    @Test("an alternate chain that cannot be had is left out, and no certificate is lost with it")
    func lostAlternate() throws {
        var run = try withPreferredChain("Other Root")
        try run.answer(200, Samples.chain(), ["Link": Self.links])
        var unreachable = run
        try run.answer(404, Samples.problem("accountDoesNotExist"))
        #expect(run.names == ["send /a2"])
        try run.answer(200, Samples.chain(issuer: SampleSite.otherRoot))
        #expect(run.installed?.chain.issuer == "Other Root")
        for _ in 0..<3 {
            try unreachable.fail()
            try unreachable.elapse()
            if unreachable.names == ["send /nonce"] { try unreachable.answer(200, "") }
        }
        try unreachable.fail()
        while unreachable.request?.method == .head { try unreachable.answer(200, "") }
        let last = try unreachable.sentRequest()
        #expect(last.url.description.hasSuffix("/a2"))
        unreachable.handle(.transportFailure(.tooLarge(limit: last.limit), of: last.id))
        #expect(unreachable.installed?.chain.issuer == "Sample Intermediate")
    }

    @Test("a challenge that was answered twice is waited for")
    func repeatedAnswer() throws {
        var run = try OrderRun()
        try run.advance(to: .answering)
        var first = run
        try first.answer(400, Samples.problem("malformed"))
        #expect(first.failure?.error.type == .malformed)
        try run.fail()
        try run.elapse()
        if run.names == ["send /nonce"] { try run.answer(200, "") }
        try run.answer(400, Samples.problem("malformed"))
        #expect(run.names == ["wait"])
    }
}
