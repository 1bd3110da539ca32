import OpenSSL
import PushSamples
import TestSupport
import Testing

/// A thing that a client must not do.
struct Misdeed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A part of what is recorded.
    let reason: String
    let commit: @Sendable (AuthorityClient) throws -> HTTPAnswer

    init(_ name: String, _ reason: String, _ commit: @escaping @Sendable (AuthorityClient) throws -> HTTPAnswer) {
        (testDescription, self.reason, self.commit) = (name, reason, commit)
    }

    /// A message to the client's account that is not what it should be.
    init(
        _ name: String, _ reason: String,
        _ change: @escaping @Sendable (inout AuthorityClient.Message, AuthorityClient) throws -> Void
    ) {
        self.init(name, reason) { client in
            try client.send(client.account ?? "") { try change(&$0, client) }
            return try client.receive()
        }
    }

    static let all: [Misdeed] = [
        Misdeed("another type", "Content-Type") { message, _ in message.fields["Content-Type"] = "application/json" },
        Misdeed("GET of an account", "GET is not for") { message, _ in message.method = "GET" },
        Misdeed("not JSON", "flattened") { message, _ in message.body = "hello" },
        Misdeed("a further member", "flattened") { message, _ in
            message.body = #"{"protected":"","payload":"","signature":"","header":{}}"#
        },
        Misdeed("padding", "base64url") { message, _ in
            message.body = #"{"protected":"e30=","payload":"","signature":"AA"}"#
        },
        Misdeed("another algorithm", "'alg'") { message, _ in message.header["alg"] = "RS256" },
        Misdeed("another URL", "'url'") { message, _ in message.header["url"]? += "/" },
        Misdeed("a further header", "protected header") { message, _ in message.header["typ"] = "JOSE" },
        Misdeed("a nonce of its own", "nonce") { message, _ in message.header["nonce"] = "AAAAAAAA" },
        Misdeed("a key for an account", "protected header") { message, client in
            message.header["kid"] = nil
            message.jwk = try client.jwkText()
        },
        Misdeed("an account that never was", "never was") { message, _ in message.header["kid"]? += "0" },
        Misdeed("a signature of something else", "signature") { message, client in
            message.signature = AuthorityClient.raw(try client.key.signature(of: [1, 2, 3]))
        },
        Misdeed("a signature in DER", "signature") { message, client in
            message.signature = try client.key.signature(of: [1, 2, 3])
        },
        Misdeed("another key", "signature") { message, _ in
            message.signature = AuthorityClient.raw(try SampleKey.p256(899).signature(of: [1]))
        },
        Misdeed("another agent", "User-Agent") { client in
            client.userAgent = "curl/8"
            return try client.post(client.account ?? "")
        },
        Misdeed("a nonce used twice", "nonce") { client in
            let nonce = client.nonce
            try client.post(client.account ?? "")
            client.nonce = nonce
            try client.send(client.account ?? "")
            return try client.receive()
        },
        Misdeed("an account for newAccount", "protected header") { client in
            try client.post(client.directory["newAccount"] ?? "", #"{"termsOfServiceAgreed":true}"#) {
                $0.jwk = nil
                $0.header["kid"] = client.account
            }
        },
        Misdeed("no such resource", "no such resource") { try $0.get("\($0.base)/robots.txt") },
        Misdeed("two names", "not one name") { client in
            try client.post(
                client.directory["newOrder"] ?? "",
                #"{"identifiers":[{"type":"dns","value":"a.com"},{"type":"dns","value":"b.com"}]}"#)
        },
        Misdeed("a name in capitals", "not a name") { try $0.newOrder("Shop.example.com") },
        Misdeed("a profile that is not there", "profile") {
            try $0.newOrder("shop.example.com", more: #","profile":"x""#)
        },
        Misdeed("a wish for a time", "notAfter") {
            try $0.newOrder("shop.example.com", more: #","notAfter":"2030-01-01T00:00:00Z""#)
        },
        Misdeed("finalizing too early", "the order is pending") { client in
            let order = try client.order("shop.example.com")
            return try client.finalize(
                order, try CertificateRequest.make(dnsName: "a.com", key: client.key.privateKey()))
        },
        Misdeed("a request for another name", "'shop.example.com' alone") {
            try $0.finalizeValidated { try CertificateRequest.make(dnsName: "a.com", key: $0.privateKey()) }
        },
        Misdeed("a request for two names", "'shop.example.com' alone") {
            try $0.finalizeValidated {
                try CertificationRequestSample.request(
                    for: ["shop.example.com", "a.com"], isStapled: false, key: $0)
            }
        },
        Misdeed("a request for a further extension", "one extension") {
            try $0.finalizeValidated {
                try CertificationRequestSample.request(for: ["shop.example.com"], isStapled: true, key: $0)
            }
        },
        Misdeed("a request with a subject", "subject") {
            try $0.finalizeValidated { try SampleRequest(key: $0).der() }
        },
        Misdeed("a request with a wrong signature", "not signed") {
            try $0.finalizeValidated { key in
                var request = try CertificateRequest.make(dnsName: "shop.example.com", key: key.privateKey())
                request[request.count - 1] ^= 1
                return request
            }
        },
        Misdeed("a payload for a question", "should be empty") { client in
            try client.post(try client.order("shop.example.com"), "{}")
        },
        Misdeed("a challenge with a member", "keyAuthorization") { client in
            let challenge = try client.challenge("http-01", of: client.order("shop.example.com"))
            return try client.post(challenge.url, #"{"keyAuthorization":"x"}"#)
        },
        Misdeed("a question without a certificate", "does not identify") {
            try $0.get("\($0.directory["renewalInfo"] ?? "")/abc")
        },
    ]
}

extension AuthorityClient {
    func finalize(_ order: String, _ request: [UInt8]) throws -> HTTPAnswer {
        let url = try post(order)[member: "finalize"] ?? ""
        return try post(url, #"{"csr":"\#(StubAuthorityBase64URL.text(request))"}"#)
    }

    func finalizeValidated(_ request: (SampleKey) throws -> [UInt8]) throws -> HTTPAnswer {
        let order = try order("shop.example.com")
        try validate(try challenge("http-01", of: order), of: order)
        return try finalize(order, try request(key))
    }
}

@Suite("Violations at a stub authority", .waiting)
struct StubAuthorityViolationTests {
    @Test(
        "it refuses and records what breaks the rules",
        arguments: Misdeed.all)
    func violations(_ misdeed: Misdeed) throws {
        let authority = try StubAuthority(StubAuthority.Settings { $0.validator = { _ in nil } })
        let client = try AuthorityClient(authority)
        try client.register()
        #expect(authority.violations == [])
        let answer = try misdeed.commit(client)
        #expect(answer.status >= 400)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(authority.violations.count == 1)
        #expect(authority.violations.first?.contains(misdeed.reason) == true, "\(authority.violations)")
    }

    @Test(
        "it refuses accounts that do not agree, or cannot be reached",
        arguments: [
            #"{"contact":[]}"#, #"{"termsOfServiceAgreed":true,"contact":["ops@example.com"]}"#,
            #"{"termsOfServiceAgreed":true,"contact":["mailto:a@b.com,c@d.com"]}"#,
            #"{"termsOfServiceAgreed":true,"status":"valid"}"#,
        ])
    func wrongAccounts(_ payload: String) throws {
        let authority = try StubAuthority()
        #expect(try AuthorityClient(authority).register(payload).status >= 400)
        #expect(authority.violations.count == 1)
        #expect(authority.accounts.isEmpty)
    }

    @Test("whoever has got no answer may finalize once more")
    func repeatedFinalize() throws {
        let authority = try StubAuthority(StubAuthority.Settings { $0.validator = { _ in nil } })
        let client = try AuthorityClient(authority)
        try client.register()
        let order = try client.order("shop.example.com")
        try client.validate(try client.challenge("http-01", of: order), of: order)
        let request = try CertificationRequestSample.request(
            for: ["shop.example.com"], isStapled: false, key: client.key)
        #expect(try client.finalize(order, request).status == 200)
        #expect(try client.finalize(order, request).problem == "orderNotReady")
        #expect(authority.certificates.count == 1)
        #expect(authority.violations == [])
    }

    @Test("nobody sees what is another's")
    func strangers() throws {
        let authority = try StubAuthority()
        let (client, other) = (try AuthorityClient(authority), try AuthorityClient(authority, key: .p256(803)))
        try client.register()
        try other.register()
        let order = try client.order("shop.example.com")
        #expect(try other.post(order).problem == "unauthorized")
        #expect(try other.post(client.account ?? "").problem == "unauthorized")
        #expect(authority.violations.count == 2)
    }
}
