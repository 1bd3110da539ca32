import ACME
import Foundation
import PushSamples
import TLSSamples
import Testing

@Suite("DNS records and chains of orders")
struct OrderChainTests {
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
        #expect(record.value == "ca.example.net; accounturi=\(Samples.base)/account/7; policy=wildcard")
        try other.answer(200, Samples.authorization("pending", domain: domain, [("dns-01", "pending")]))
        #expect(other.failure?.error.type == .acmeWildcard)
        #expect(other.failure?.error.message.contains("dns-persist-01") == true)
    }

    @Test("a challenge dns-persist-01 of draft 02, which asks for another record, counts as not offered")
    func laterDraft() throws {
        let domain = Samples.domain("*.example.com")
        var run = try OrderRun(OrderTask(domain: domain, challenges: [.dnsPersist01]))
        try run.advance(to: .ordering)
        try run.answer(201, Samples.order("pending", domain: domain), ["Location": Samples.base + "/order/1"])
        let authorization = Samples.authorization("pending", domain: domain, [("dns-persist-01", "pending")])
        let later = authorization.replacingOccurrences(of: "issuer-domain-names", with: "issuerDomainNames")
        #expect(later != authorization)
        try run.answer(200, later)
        #expect(run.failure?.error.type == .acmeWildcard)
        #expect(run.failure?.error.message.contains("before draft 02") == true)
    }

    private func withPreferredChain(_ name: String) throws -> OrderRun {
        var task = OrderTask(domain: Samples.domain, challenges: [.tlsALPN01])
        task.configuration.preferredChain = name
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
            try unreachable.letPauseEnd()
            if unreachable.names == ["send /nonce"] { try unreachable.answer(200, "") }
        }
        try unreachable.fail()
        while unreachable.request?.method == .head { try unreachable.answer(200, "") }
        let last = try unreachable.sentRequest()
        #expect(last.url.description.hasSuffix("/a2"))
        unreachable.handle(.transportFailure(.tooLarge(limit: last.limit), of: last.id))
        #expect(unreachable.installed?.chain.issuer == "Sample Intermediate")
    }
}
