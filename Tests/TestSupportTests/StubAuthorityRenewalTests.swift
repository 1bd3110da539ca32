import ACME
import OpenSSL
import PushSamples
import TestSupport
import Testing

@Suite("Renewals at a stub authority", .waiting)
struct StubAuthorityRenewalTests {
    private static let domain = "a.example.com"

    private func issued(
        _ change: (inout StubAuthority.Settings) -> Void = { _ in }
    ) throws -> (authority: StubAuthority, client: AuthorityClient, certificate: StubAuthority.Certificate) {
        let authority = try StubAuthority(
            StubAuthority.Settings {
                $0.validator = { _ in nil }
                change(&$0)
            })
        let client = try AuthorityClient(authority)
        try client.register()
        try client.issue(Self.domain)
        return (authority, client, try #require(authority.certificates.first))
    }

    @Test("a certificate is identified by its issuer's key and its number")
    func identifier() throws {
        // Half of the numbers begin with a zero.
        for _ in 1...6 {
            let certificate = try issued().certificate
            let parsed = try X509Certificate(der: certificate.der[...], in: LibraryContext())
            let parts = [try #require(parsed.authorityKeyIdentifier), parsed.serialNumberContent]
            #expect(certificate.identifier == parts.map(StubAuthorityBase64URL.text).joined(separator: "."))
        }
    }

    @Test("it says when to renew")
    func window() throws {
        let (authority, client, certificate) = try issued {
            $0.clock = { 1_795_000_000 }
            $0.lifetime = 3_000
        }
        let url = "\(client.directory["renewalInfo"] ?? "")/\(certificate.identifier)"
        let answer = try client.get(url)
        #expect(
            answer.members["suggestedWindow"] as? [String: String] == [
                "start": SampleTime.text(1_795_002_000), "end": SampleTime.text(1_795_002_300),
            ])
        #expect(answer["Retry-After"] == "21600")
        authority.configure {
            $0.renewalWindow = { ($0.notBefore, $0.notBefore) }
            $0.explanationURL = "https://ca.example.net/why"
            $0.renewalRetryAfter = nil
        }
        let changed = try client.get(url)
        #expect(changed[member: "explanationURL"] == "https://ca.example.net/why")
        #expect(changed["Retry-After"] == nil)
        #expect(authority.requests(.renewalInfo).map(\.domain) == [Self.domain, Self.domain])
        #expect(try client.get(url + "AAAA").status == 404)
        #expect(authority.violations == [])
    }

    @Test("a certificate is replaced once")
    func replacement() throws {
        let (authority, client, certificate) = try issued()
        let member = ",\"replaces\":\"\(certificate.identifier)\""
        let first = try client.newOrder(Self.domain, more: member)
        #expect((first.status, first[member: "replaces"]) == (201, certificate.identifier))
        let second = try client.newOrder(Self.domain, more: member)
        #expect((second.status, second.problem) == (409, "alreadyReplaced"))
        #expect(authority.violations == [])
        #expect(
            authority.requests(.newOrder).compactMap(\.replaces) == [certificate.identifier, certificate.identifier])
        #expect(try client.newOrder("b.example.com", more: member).status == 400)
        #expect(authority.violations.count == 1)
        authority.forgetOrders()
        #expect(try client.newOrder(Self.domain, more: member).problem == "malformed")
        #expect(authority.violations.count == 1)
    }

    @Test("an order that failed replaces nothing")
    func failedReplacement() throws {
        let (authority, client, certificate) = try issued()
        let member = ",\"replaces\":\"\(certificate.identifier)\""
        authority.configure { $0.validator = { _ in StubAuthority.Problem("unauthorized", "no") } }
        let order = try client.order(Self.domain, more: member)
        let authorization = try client.validate(try client.challenge("http-01", of: order), of: order)
        #expect(authorization[member: "status"] == "invalid")
        authority.configure { $0.validator = { _ in nil } }
        try client.issue(Self.domain, more: member)
        #expect(authority.certificates.map(\.replaces) == [nil, certificate.identifier])
    }
}
