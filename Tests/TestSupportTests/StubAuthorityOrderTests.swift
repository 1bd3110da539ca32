import PushSamples
import SystemSupport
import TLSSamples
import TestSupport
import Testing

@Suite("Orders at a stub authority", .waiting)
struct StubAuthorityOrderTests {
    private static let domain = "shop.example.com"

    /// An order with a challenge that nobody has answered yet.
    private func order(
        _ type: String, _ authority: StubAuthority, _ domain: String = domain
    ) throws -> (client: AuthorityClient, order: String, challenge: AuthorityClient.Challenge) {
        let client = try AuthorityClient(authority)
        try client.register()
        let order = try client.order(domain)
        return (client, order, try client.challenge(type, of: order))
    }

    @Test("it issues a certificate after a handshake")
    func handshake() throws {
        let authority = try StubAuthority()
        let (client, order, challenge) = try order("tls-alpn-01", authority)
        let server = try ChallengeServer.tls(
            ChallengeServer.certificate(Self.domain, client.keyAuthorization(challenge.token)))
        authority.configure { $0.tlsPort = server.port }
        let authorization = try client.validate(challenge, of: order)
        #expect(authorization[member: "status"] == "valid", "\(authorization.text)")
        #expect(authority.ordersInProgress == [Self.domain])
        let chain = try client.certificate(of: order, Self.domain)
        #expect(chain["Content-Type"] == "application/pem-certificate-chain")
        #expect(chain.text.components(of: "BEGIN CERTIFICATE") == 2)
        #expect(authority.violations == [])
        #expect(authority.newOrders == [Self.domain: 1])
        #expect((authority.ordersInProgress, authority.maximumOrdersInProgress) == ([], 1))
        #expect((authority.connections, authority.handshakes) == (1, 1))
        #expect(authority.certificates.map(\.domain) == [Self.domain])
        #expect(authority.requests(.newOrder).map(\.account) == [client.account])
    }

    @Test(
        "it does not take another certificate for an answer",
        arguments: [
            "not self-signed", "other hash", "not critical", "no identifier", "two identifiers", "two names",
            "other name",
            "not pending", "nobody",
        ])
    func wrongCertificate(_ fault: String) throws {
        let authority = try StubAuthority()
        let (client, order, challenge) = try order("tls-alpn-01", authority)
        let right = ChallengeServer.certificate(Self.domain, try client.keyAuthorization(challenge.token))
        let certificate = right.with { certificate in
            switch fault {
            case "not self-signed": certificate.issuer = SampleSite.root
            case "other hash": certificate.extensions[1] = ChallengeServer.identifier(SampleVerifier.sha256([1]))
            case "not critical": certificate.extensions[1].isCritical = false
            case "no identifier": certificate.extensions.removeLast()
            case "two identifiers": certificate.extensions.append(certificate.extensions[1])
            case "two names": certificate.extensions[0] = ChallengeServer.names(Self.domain, "example.com")
            case "other name": certificate.extensions[0] = ChallengeServer.names("example.com")
            default: break
            }
        }
        let server = try ChallengeServer.tls(certificate, isPending: fault != "not pending")
        if fault != "nobody" { authority.configure { $0.tlsPort = server.port } }
        let authorization = try client.validate(challenge, of: order)
        #expect(authorization[member: "status"] == "invalid")
        #expect(try client.post(order)[member: "status"] == "invalid")
        #expect(authority.ordersInProgress == [])
        #expect(authority.violations == [])
    }

    @Test("it issues a certificate after a request")
    func request() throws {
        let authority = try StubAuthority()
        let (client, order, challenge) = try order("http-01", authority)
        let server = try ChallengeServer.http(client.keyAuthorization(challenge.token))
        authority.configure { $0.httpPort = server.port }
        #expect(try client.validate(challenge, of: order)[member: "status"] == "valid")
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("GET /.well-known/acme-challenge/\(challenge.token) HTTP/1.1\r\n"))
        #expect(request.contains("\r\nHost: \(Self.domain):\(server.port)\r\n"))
        #expect(try client.certificate(of: order, Self.domain).status == 200)
        #expect(authority.violations == [])
    }

    @Test(
        "it does not take another page for an answer",
        arguments: [
            (200, "application/octet-stream", "x"), (200, "text/html", ""), (404, "application/octet-stream", ""),
            (302, "application/octet-stream", ""),
        ])
    func wrongPage(_ status: Int, _ type: String, _ suffix: String) throws {
        let authority = try StubAuthority()
        let (client, order, challenge) = try order("http-01", authority)
        let server = try ChallengeServer.http(
            client.keyAuthorization(challenge.token) + suffix, status: status, type: type)
        authority.configure { $0.httpPort = server.port }
        #expect(try client.validate(challenge, of: order)[member: "status"] == "invalid")
    }

    @Test(
        "it looks for records",
        arguments: [
            ("shop.example.com", "", "valid"), ("*.example.com", "; policy=wildcard", "valid"),
            ("*.example.com", "", "invalid"),
        ])
    func records(_ domain: String, _ policy: String, _ status: String) throws {
        let authority = try StubAuthority(StubAuthority.Settings { $0.challenges = ["http-01", "dns-persist-01"] })
        let (client, order, challenge) = try order("dns-persist-01", authority, domain)
        #expect(try client.challenges(order).count == (domain.hasPrefix("*") ? 1 : 2))
        let account = try #require(client.account)
        let base = domain.hasPrefix("*.") ? String(domain.dropFirst(2)) : domain
        authority.setRecord(
            "_validation-persist.\(base)", ["v=1", "ca.example.net; accounturi=\(account)\(policy)"])
        let authorization = try client.validate(challenge, of: order)
        #expect(authorization[member: "status"] == status)
        #expect(authorization.members["wildcard"] as? Bool == (domain.hasPrefix("*") ? true : nil))
        if status == "valid" { #expect(try client.certificate(of: order, domain).status == 200) }
        #expect(authority.violations == [])
    }

    @Test("a record of another account is none")
    func wrongRecord() throws {
        let authority = try StubAuthority(StubAuthority.Settings { $0.challenges = ["dns-persist-01"] })
        let (client, order, challenge) = try order("dns-persist-01", authority)
        let name = "_validation-persist.\(Self.domain)"
        authority.setRecord(name, ["ca.example.net; accounturi=\(client.account ?? "")0"])
        #expect(try client.validate(challenge, of: order)[member: "status"] == "invalid")
    }

    @Test("it uses an authorization again if it may")
    func reuse() throws {
        let authority = try StubAuthority(StubAuthority.Settings { $0.validator = { _ in nil } })
        let client = try AuthorityClient(authority)
        try client.register()
        try client.issue(Self.domain)
        #expect(try client.newOrder(Self.domain)[member: "status"] == "pending")
        authority.configure { $0.reusesAuthorizations = true }
        #expect(try client.newOrder(Self.domain)[member: "status"] == "ready")
        #expect(authority.attempts.count == 1)
    }

    @Test("it says why there is no certificate")
    func issuanceProblem() throws {
        let authority = try StubAuthority(
            StubAuthority.Settings {
                $0.validator = { _ in nil }
                $0.issuanceProblem = { StubAuthority.Problem("caa", "\($0) is forbidden") }
            })
        let client = try AuthorityClient(authority)
        try client.register()
        #expect(throws: TestFailure.self) { try client.issue(Self.domain) }
        #expect((authority.ordersInProgress, authority.certificates.count) == ([], 0))
    }

    @Test("it knows accounts by their key")
    func accounts() throws {
        let authority = try StubAuthority()
        let client = try AuthorityClient(authority)
        let only = try client.register(#"{"onlyReturnExisting":true}"#)
        #expect(only.problem == "accountDoesNotExist")
        #expect(try client.register().status == 201)
        let first = try #require(client.account)
        let again = try client.register(#"{"onlyReturnExisting":true}"#)
        #expect((again.status, again["Location"]) == (200, first))
        try client.post(first, #"{"contact":["mailto:other@example.com"]}"#)
        #expect(authority.accounts == [first: ["mailto:other@example.com"]])
        authority.deactivateAccounts()
        #expect(try client.newOrder(Self.domain).problem == "unauthorized")
        #expect(authority.violations == [])
    }

    @Test("it wants an external account if it has some")
    func externalAccount() throws {
        let authority = try StubAuthority(StubAuthority.Settings { $0.externalAccounts = ["customer": [1, 2, 3]] })
        let client = try AuthorityClient(authority)
        #expect(try client.register().problem == "externalAccountRequired")
        let terms = #"{"termsOfServiceAgreed":true,"externalAccountBinding":"#
        let wrong = try client.register(terms + client.binding("customer", key: [1, 2]) + "}")
        #expect(wrong.problem == "unauthorized")
        #expect(authority.violations == [])
        let other = try client.register(
            terms + client.binding("customer", key: [1, 2, 3], url: "https://localhost/") + "}")
        #expect(other.problem == "malformed")
        #expect(authority.violations.count == 1)
        let right = try client.register(terms + client.binding("customer", key: [1, 2, 3]) + "}")
        #expect(right.status == 201)
    }
}

extension String {
    /// The number of pieces between the occurrences of a text.
    func components(of text: String) -> Int { split(separator: text, omittingEmptySubsequences: false).count - 1 }
}
