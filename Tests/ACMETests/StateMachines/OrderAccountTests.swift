import ACME
import Testing

@Suite("Orders and their account")
struct OrderAccountTests {
    @Test("an account that the CA does not know is renewed once, and the request repeated under it")
    func accountDoesNotExist() throws {
        var run = try OrderRun()
        try run.advance(to: .ordering)
        try run.answer(400, Samples.problem("accountDoesNotExist"))
        #expect(run.names == ["renewAccount"])
        var failing = run
        failing.handle(.accountFailed(IssuanceError(.acmeAccount, "the account is deactivated")))
        #expect(failing.failure?.error.type == .acmeAccount && failing.failure?.error.scope == .authority)
        let renewed = ACMEAccount(
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
}
