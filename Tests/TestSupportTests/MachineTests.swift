import ACME
import DomainNames
import OpenSSL
import PushSamples
import TestSupport
import Testing

/// Whether our machines and the authorities of the tests understand each other.
@Suite("Machines against a stub authority", .waiting)
struct MachineTests {
    private func domain(_ text: String) throws -> Domain { try #require(Domain(text)) }

    @Test(
        "an order of ours breaks no rule",
        arguments: [ChallengeType.tlsALPN01, .http01])
    func ownOrder(_ type: ChallengeType) throws {
        let authority = try StubAuthority(
            StubAuthority.Settings {
                $0.rejectedNonces = 30
                $0.externalAccounts = ["customer": [1, 2, 3, 4]]
                $0.profiles = ["classic": ""]
                $0.alternateRoots = ["Old Root"]
            })
        let run = try MachineRun("https://localhost:\(authority.port)", port: authority.port, key: .p256(821)) { port in
            authority.configure { ($0.httpPort, $0.tlsPort) = (port, port) }
        }
        let binding = ExternalAccountBinding(keyIdentifier: "customer", hmacKey: SecretBytes([1, 2, 3, 4]))
        let (directory, account) = try run.account(authority.directory, externalAccount: binding)
        #expect(authority.accounts == [account.url.description: ["mailto:ops@example.com"]])
        var task = OrderTask(
            domain: try domain("a.example.com"), challenges: [type], profile: "classic", preferredChain: "Old Root")
        let first = try run.order(task, directory, account)
        #expect(first.chain.leaf.issuerCommonName == "Stub Intermediate")
        let identifier = try #require(CertificateID(first.chain.leaf))
        #expect(authority.certificates.map(\.identifier) == [identifier.description])
        task.replaces = identifier
        for _ in 1...2 { _ = try run.order(task, directory, account) }
        // The second renewal found that there is one already, and did without.
        #expect(authority.certificates.map(\.replaces) == [nil, identifier.description, nil])
        #expect(authority.requests(.newOrder).map(\.status).filter { $0 == 409 }.count == 1)
        #expect(authority.attempts.allSatisfy { $0.type == type.rawValue })
        #expect(authority.violations == [])
    }
}
