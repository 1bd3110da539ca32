import ACME
import DomainNames
import OpenSSL
import PushSamples
import TLSSamples
import TestSupport
import Testing

@Suite("Chains of a stub authority", .waiting)
struct StubAuthorityChainTests {
    private static let domain = "a.example.com"

    private func issued(
        _ change: (inout StubAuthority.Settings) -> Void = { _ in }
    ) throws -> (authority: StubAuthority, client: AuthorityClient, order: String) {
        let authority = try StubAuthority(
            StubAuthority.Settings {
                $0.validator = { _ in nil }
                change(&$0)
            })
        let client = try AuthorityClient(authority)
        try client.register()
        let order = try client.order(Self.domain)
        try client.validate(try client.challenge("http-01", of: order), of: order)
        return (authority, client, order)
    }

    private func check(_ pem: [UInt8], _ key: SampleKey = .p256(802)) throws {
        try check(pem, key.privateKey())
    }

    private func check(_ pem: [UInt8], _ key: PrivateKey) throws {
        let chain = try IssuedChain(pem: pem, in: LibraryContext())
        let domain = try #require(Domain(Self.domain))
        try chain.check(for: domain, key: key, now: SampleSite.now)
    }

    @Test(
        "a chain is right for any key",
        arguments: [SampleKey.p256(802), .rsa(2_048, 803)])
    func keys(_ key: SampleKey) throws {
        let (authority, client, order) = try issued()
        let chain = try client.certificate(of: order, Self.domain, key: key)
        try check(chain.body, key)
        let certificate = try #require(authority.certificates.first)
        #expect(SampleVerifier.isSigned(certificate.der, by: try intermediate(chain.body)))
        #expect(certificate.notAfter - certificate.notBefore == 90 * 86_400)
        #expect(authority.violations == [])
    }

    @Test("a chain is right for a key on P-384")
    func p384() throws {
        let (authority, client, order) = try issued { $0.processesOrders = false }
        let key = try PrivateKey.makeP384(in: LibraryContext())
        let answer = try client.finalize(order, CertificateRequest.make(dnsName: Self.domain, key: key))
        try check(client.post(answer[member: "certificate"] ?? "").body, key)
        #expect(authority.violations == [])
    }

    private func intermediate(_ pem: [UInt8]) throws -> [UInt8] {
        let certificates = try PEMText.certificates(pem)
        return try #require(certificates.count == 2 ? certificates[1] : nil)
    }

    @Test(
        "a chain with a fault is not right",
        arguments: StubAuthority.ChainFault.allCases)
    func faults(_ fault: StubAuthority.ChainFault) throws {
        let (authority, client, order) = try issued()
        authority.script(.certificate, .chain(fault))
        let chain = try client.certificate(of: order, Self.domain)
        #expect(chain.status == 200)
        #expect(throws: IssuanceError.self) { try check(chain.body) }
        // The next answer is the right one.
        let url = try client.post(order)[member: "certificate"] ?? ""
        try check(client.post(url).body)
    }

    @Test("there may be other chains")
    func alternates() throws {
        let (authority, client, order) = try issued { $0.alternateRoots = ["Old Root", "New Root"] }
        let chain = try client.certificate(of: order, Self.domain)
        let links = chain.lines.filter { $0.hasPrefix("Link: ") && $0.contains("rel=\"alternate\"") }
        #expect(links.count == 2)
        var issuers: [String?] = []
        for link in links {
            let url = String(link.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
            let alternate = try client.post(url)
            try check(alternate.body)
            let certificate = try X509Certificate(der: intermediate(alternate.body)[...], in: LibraryContext())
            issuers.append(certificate.issuerCommonName)
        }
        #expect(issuers == ["Old Root", "New Root"])
        #expect(authority.violations == [])
    }

    @Test("lifetimes may be seconds, and differ by profile")
    func lifetimes() throws {
        let clock: Int64 = 1_800_000_000
        let authority = try StubAuthority(
            StubAuthority.Settings {
                $0.validator = { _ in nil }
                $0.clock = { clock }
                $0.notBeforeOffset = -5
                $0.lifetime = 20
                $0.lifetimes = ["long": 1_000]
                $0.profiles = ["long": "", "short": ""]
            })
        let client = try AuthorityClient(authority)
        try client.register()
        for profile in ["short", "long"] { try client.issue(Self.domain, more: ",\"profile\":\"\(profile)\"") }
        #expect(authority.certificates.map(\.notBefore) == [clock - 5, clock - 5])
        #expect(authority.certificates.map(\.notAfter) == [clock + 15, clock + 995])
        #expect(authority.certificates.map(\.profile) == ["short", "long"])
    }
}
