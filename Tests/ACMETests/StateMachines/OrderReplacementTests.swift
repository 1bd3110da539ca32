import ACME
import Testing

@Suite("Orders that replace a certificate")
struct OrderReplacementTests {
    private func replacing() throws -> OrderRun {
        var task = OrderTask(domain: Samples.domain, challenges: [.tlsALPN01])
        task.configuration.profile = "short"
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
}
