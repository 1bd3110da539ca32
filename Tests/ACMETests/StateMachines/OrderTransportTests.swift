import ACME
import Testing

@Suite("Orders over a bad line")
struct OrderTransportTests {
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

    @Test("a request without an answer is repeated after 1, 2 and 4 seconds")
    func repetition() throws {
        var run = try OrderRun()
        try run.advance(to: .authorizing)
        for seconds in [1, 2, 4] {
            try run.fail()
            #expect(run.pause == .seconds(seconds))
            try run.letPauseEnd()
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
        try run.letPauseEnd()
        try run.answer(503, "", ["Retry-After": "30"])
        #expect(run.pause == .seconds(30))
        try run.letPauseEnd()
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
            try run.letPauseEnd()
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
            try run.letPauseEnd()
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

    @Test("a challenge that was answered twice is waited for")
    func repeatedAnswer() throws {
        var run = try OrderRun()
        try run.advance(to: .answering)
        var first = run
        try first.answer(400, Samples.problem("malformed"))
        #expect(first.failure?.error.type == .malformed)
        try run.fail()
        try run.letPauseEnd()
        if run.names == ["send /nonce"] { try run.answer(200, "") }
        try run.answer(400, Samples.problem("malformed"))
        #expect(run.names == ["wait"])
    }
}
