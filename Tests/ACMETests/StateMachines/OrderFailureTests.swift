import ACME
import DomainNames
import PushSamples
import TLSSamples
import Testing

@Suite("Orders that fail")
struct OrderFailureTests {
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
}
