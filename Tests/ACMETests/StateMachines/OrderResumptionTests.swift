import ACME
import PushSamples
import Testing

@Suite("Orders of an earlier run")
struct OrderResumptionTests {
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
            ("pending", ["send /authorization/1"]), ("ready", ["recordIssuance", "send /finalize/1"]),
            ("processing", ["recordIssuance", "wait"]),
            ("valid", ["recordIssuance", "send /c"]), ("invalid", ["restart"]),
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
            try run.letPauseEnd()
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
        try run.letPauseEnd()
        try run.answer(200, Samples.authorization("valid"))
        #expect(run.names == ["withdraw http-01", "recordIssuance", "send /finalize/1"])
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
}
