import TestSupport
import Testing

@Suite("Pebble", .waiting, .needs(.pebble, .pebbleChallengeServer))
struct PebbleTests {
    private func pebble(_ change: (inout Pebble.Settings) -> Void = { _ in }) throws -> Pebble {
        var settings = Pebble.Settings(httpPort: try FreePort.reserve(), tlsPort: try FreePort.reserve())
        change(&settings)
        return try Pebble(settings, in: TemporaryFolder())
    }

    @Test("a client that trusts its file finds the directory")
    func trust() async throws {
        let pebble = try pebble()
        let answer = try await TrustingClient(caFile: pebble.caFile).get(pebble.directory)
        #expect(answer.status == 200)
        #expect(answer.text.contains("newOrder"))
        #expect(Waiting.until { pebble.requests(of: "/dir") >= 1 })
        let root = try await TrustingClient(caFile: pebble.caFile).get(pebble.rootURL)
        #expect(root.text.hasPrefix("-----BEGIN CERTIFICATE"))
        pebble.end()
        #expect(throws: TestFailure.self) { try RawSocket(port: pebble.port) }
    }

    @Test("it rejects as many nonces as it should")
    func nonces() throws {
        let patient = try pebble { $0.rejectedNonces = 0 }
        let client = try AuthorityClient(patient.directory, port: patient.port)
        try client.register()
        let account = try #require(client.account)
        for _ in 1...20 {
            try client.send(account)
            #expect(try client.receive().problem == nil)
        }
        let strict = try pebble { $0.rejectedNonces = 100 }
        let other = try AuthorityClient(strict.directory, port: strict.port)
        try other.send(other.directory["newAccount"] ?? "", "{}")
        #expect(try other.receive().problem == "badNonce")
    }

    @Test("it wants an external account if it has some")
    func externalAccount() throws {
        let secret = "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W"
        let pebble = try pebble { $0.externalAccounts = ["customer-7": secret] }
        let client = try AuthorityClient(pebble.directory, port: pebble.port)
        #expect(try client.register().status == 403)
        let binding = try client.binding(
            "customer-7", key: #require(StubAuthorityBase64URL.bytes(secret)))
        let answer = try client.register(
            #"{"termsOfServiceAgreed":true,"externalAccountBinding":\#(binding)}"#)
        #expect(answer.status == 201, "\(answer.text)")
    }

    @Test("it pauses and goes on")
    func pause() throws {
        let pebble = try pebble()
        let client = try HTTPSClient(port: pebble.port)
        try client.handshake()
        let request = "GET /dir HTTP/1.1\r\nHost: localhost\r\n\r\n"
        pebble.pause()
        client.send(request)
        #expect(!client.read(within: 300))
        pebble.resume()
        #expect(try client.answer().status == 200)
    }

    @Test("it loses its database at the same port")
    func restart() throws {
        let pebble = try pebble { $0.rejectedNonces = 0 }
        let client = try AuthorityClient(pebble.directory, port: pebble.port)
        try client.register()
        // What it writes comes through a pipe.
        #expect(Waiting.until { pebble.requests(of: "/sign-me-up") == 1 })
        pebble.goDown()
        #expect(throws: TestFailure.self) { try RawSocket(port: pebble.port) }
        try pebble.goUp()
        let again = try AuthorityClient(pebble.directory, port: pebble.port)
        again.account = client.account
        #expect(try again.post(client.account ?? "").problem == "accountDoesNotExist")
        try pebble.restart()
        #expect(pebble.requests(of: "/sign-me-up") == 1)
    }
}
