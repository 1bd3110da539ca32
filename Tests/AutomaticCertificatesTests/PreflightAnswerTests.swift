import ACME
import AssociationServer
import AutomaticCertificates
import DomainNames
import HTTPClient
import OpenSSL
import PushSamples
import TLSSamples
import TestSupport
import Testing

/// Answers from addresses (acme.md, section 4), over real connections.
@Suite("Answers to pre-flights", .waitingApart)
struct PreflightAnswerTests {
    private static let domain = PreflightWorld.domain
    private static let tlsRemedy = "point the DNS of '\(domain)' to this server, or pass TLS through"
    private static let httpRemedy =
        "point the DNS of '\(domain)' to this server, or forward '/.well-known/acme-challenge/' to it"

    /// The text of the mistake, which must be the only thing that there is, and no challenge may be left.
    private func mistake(_ type: ChallengeType, _ port: Int) async throws -> String {
        let host = FakeHost()
        let outcome = try await PreflightWorld(host).outcome(type, port: port)
        #expect(host.isTidy)
        return try #require(outcome.mistake, "\(outcome)").replacing("127.0.0.1:\(port)", with: "ADDRESS")
    }

    private func mistake(_ type: ChallengeType, _ origin: StubOrigin) async throws -> String {
        try await mistake(type, origin.port)
    }

    private func mistake(_ type: ChallengeType, _ site: StubSite) async throws -> String {
        try await mistake(type, site.port)
    }

    /// The remark of a pre-flight that was passed.
    private func remark(_ type: ChallengeType, _ port: Int, seconds: Double = 20) async throws -> String? {
        let host = FakeHost()
        var world = try PreflightWorld(host)
        world.answer = .seconds(seconds)
        let outcome = try await world.outcome(type, port: port)
        #expect(host.isTidy)
        #expect(outcome.mistake == nil)
        return outcome.remark?.replacing("127.0.0.1:\(port)", with: "ADDRESS")
    }

    /// A server without TLS that gives one answer to everybody.
    private func http(_ answer: StubAnswer) throws -> StubSite {
        let site = try StubSite([Self.domain], [("127.0.0.1", .clear)])
        site.answer(with: answer)
        return site
    }

    @Test(
        "the server that asks is right, and answers the question no more afterwards",
        arguments: [ChallengeType.tlsALPN01, .http01])
    func right(type: ChallengeType) async throws {
        let served = try AnsweringServer()
        let port = try #require(served.ports[type])
        for _ in 0..<3 {
            let host = FakeHost(served.server)
            #expect(try await PreflightWorld(host).outcome(type, port: port) == .passed(remark: nil))
            #expect(host.isTidy)
        }
        // With a host that publishes nothing the same server is wrong.
        let outcome = try await PreflightWorld().outcome(type, port: port)
        #expect(outcome.mistake != nil)
    }

    @Test("another server's certificate is named")
    func otherCertificate() async throws {
        func mistake(_ names: [String]) async throws -> String {
            // It takes no notice of application protocols.
            let server = try OpenSSLServer(SampleSite.leaf(names))
            return try await self.mistake(.tlsALPN01, server.port)
        }
        #expect(
            try await mistake(["www.other.example"])
                == "ADDRESS answers with a certificate for 'www.other.example' instead of this server's challenge; "
                + Self.tlsRemedy)
        #expect(
            try await mistake(["a.example", "b.example", "c.example"]).hasPrefix(
                "ADDRESS answers with a certificate for 'a.example' and 2 other names instead of"))
        func nameless(_ subject: SampleName) async throws -> String {
            let server = try OpenSSLServer(
                SampleCertificate(subject: subject, issuer: nil, extensions: [], key: .p256(210)))
            return try await self.mistake(.tlsALPN01, server.port)
        }
        #expect(try await nameless([.commonName("fritz.box")]).contains(" a certificate for 'fritz.box' instead of "))
        #expect(try await nameless([]).contains(" a certificate without names instead of "))
        #expect(try await mistake(["evil\u{1B}[31m\n.example"]).contains(#"'evil\x1B[31m\x0A.example'"#))
    }

    @Test("the challenge of another server is recognized, and of this one only with the protocol")
    func otherChallenge() async throws {
        let context = try LibraryContext()
        let other = try ChallengeCertificate.make(
            name: Self.domain, keyAuthorization: "token.thumbprint", at: SampleSite.now, in: context)
        let tls = try TLSContext(certificates: [other], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
        let origin = try StubOrigin { connection in
            if connection.startTLS(tls, challenge: try? TLSChallenge(other)) { connection.waitForEnd() }
        }
        #expect(
            try await mistake(.tlsALPN01, origin)
                == "ADDRESS answers with the challenge of another server instead of this server's challenge; "
                + Self.tlsRemedy)
        let host = FakeHost()
        var world = try PreflightWorld(host)
        world.transport = MirrorTransport(host)
        let outcome = try await world.outcome(.tlsALPN01, port: 443)
        #expect(outcome.mistake?.contains("answers without choosing the protocol 'acme-tls/1'; ") == true)
    }

    @Test("an alert, and what is not TLS, is an answer of somebody else")
    func noHandshake() async throws {
        // It knows the name, and offers HTTP only.
        let ordinary = try StubOrigin(SampleSite.identity(SampleSite.leaf([Self.domain]))) { $0.waitForEnd() }
        #expect(
            try await mistake(.tlsALPN01, ordinary)
                == "ADDRESS answers with the TLS alert no_application_protocol instead of this server's challenge; "
                + Self.tlsRemedy)
        let plain = try StubOrigin { connection in
            _ = connection.receiveRaw()
            connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            connection.waitForEnd()
        }
        #expect(try await mistake(.tlsALPN01, plain) == "ADDRESS answers without TLS; \(Self.tlsRemedy)")
    }

    @Test("another body or status is shown, escaped and cut")
    func otherBody() async throws {
        #expect(
            try await mistake(.http01, http(.status(404, [], "<p>not found")))
                == "ADDRESS answers with status 404 instead of this server's challenge; \(Self.httpRemedy)")
        #expect(
            try await mistake(.http01, http(.status(200, [], "<p>\u{1B}[31mhello\"\n\n")))
                == #"ADDRESS answers with the text '<p>\x1B[31mhello\x22' instead of this server's challenge; "#
                + Self.httpRemedy)
        #expect(
            try await mistake(.http01, http(.status(200, [], " \r\n"))).hasPrefix(
                "ADDRESS answers with an empty body instead"))
        let long = try await mistake(.http01, http(.status(200, [], String(repeating: "\u{7F}", count: 100_000))))
        #expect(long.contains(String(repeating: #"\x7F"#, count: 80) + "...'"))
        #expect(try await mistake(.http01, http(.status(503))).hasPrefix("ADDRESS answers with status 503 instead"))
        #expect(try await mistake(.http01, http(.status(302))).hasPrefix("ADDRESS answers with status 302 instead"))
        #expect(
            try await mistake(.http01, http(.garbage))
                == "ADDRESS answers with something that is not HTTP; \(Self.httpRemedy)")
        #expect(try await mistake(.http01, http(.shortBody)).hasPrefix("ADDRESS answers with a body that ends too"))
        #expect(try await mistake(.http01, http(.largeHeader)).hasPrefix("ADDRESS answers with a header that is"))
        #expect(try await mistake(.http01, http(.damagedGzip)).hasPrefix("ADDRESS answers with a body that cannot"))
    }

    @Test("the question is the one of a CA, and white space after the answer does not matter")
    func question() async throws {
        let host = FakeHost()
        let origin = try StubOrigin { connection in
            guard connection.request() != nil, case .http01(_, let answer)? = host.record.published.first?.answer
            else { return }
            connection.answer("\(answer)\r\n \t\n")
        }
        #expect(try await PreflightWorld(host).outcome(.http01, port: origin.port) == .passed(remark: nil))
        let challenge = try #require(host.record.published.first)
        guard case .http01(let token, let answer) = challenge.answer else { throw TestFailure("\(challenge)") }
        #expect(challenge.name == Self.domain && token.utf8.count == 43 && answer.hasPrefix("\(token)."))
        let request = try #require(origin.requests.first)
        #expect(request.hasPrefix("GET /.well-known/acme-challenge/\(token) HTTP/1.1\r\n"))
        #expect(request.contains("\r\nHost: \(Self.domain):\(origin.port)\r\n"))
    }

    @Test("where a redirect leads is not found out, but mentioned", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let site = try http(.redirect(to: "https://\(Self.domain)/\u{1B}x", status))
        #expect(
            try await remark(.http01, site.port)
                == #"ADDRESS redirects to 'https://shop.example.com/\x1Bx', which the pre-flight did not follow"#)
    }

    @Test("no answer proves nothing", arguments: [ChallengeType.tlsALPN01, .http01])
    func silence(type: ChallengeType) async throws {
        let mute = try StubOrigin { while $0.receiveRaw() != nil {} }
        let missing = type == .tlsALPN01 ? "no TLS handshake in time" : "no answer in time"
        #expect(
            try await remark(type, mute.port, seconds: 2)
                == "the pre-flight got no answer from ADDRESS (\(missing))")
        let closed = try BoundSocket(isListening: false)
        #expect(
            try await remark(type, closed.port) == "the pre-flight got no answer from ADDRESS (connection refused)")
        let closing = try StubOrigin { _ = $0.receiveRaw() }
        let reason = type == .tlsALPN01 ? "closed during the TLS handshake" : "closed without an answer"
        #expect(try await remark(type, closing.port) == "the pre-flight got no answer from ADDRESS (\(reason))")
    }

    @Test("one wrong address among right ones is enough, and it is that one that is named")
    func oneOfTwo() async throws {
        let served = try AnsweringServer()
        let port = try #require(served.ports[.http01])
        let wrong = try StubOrigin(address: "127.0.0.2", port: port) { connection in
            if connection.request() != nil { connection.answer("<!doctype html>\n<title>Shop</title>") }
        }
        let outcome = try await PreflightWorld(FakeHost(served.server), "127.0.0.1", "127.0.0.2").outcome(
            .http01, port: port)
        let mistake = try #require(outcome.mistake)
        #expect(mistake.hasPrefix("127.0.0.2:\(port) answers with the text '<!doctype html>"))
        #expect(
            mistake.hasSuffix(
                "; remove this address from the DNS of '\(Self.domain)', whose other addresses point to this server, "
                    + "or forward '/.well-known/acme-challenge/' to it"))
        withExtendedLifetime(wrong) {}
        // The others are right, and that one has no server.
        let reserved = try await PreflightWorld(FakeHost(served.server), "127.0.0.1", "127.0.0.3").outcome(
            .http01, port: port)
        #expect(
            reserved == .passed(remark: "the pre-flight got no answer from 127.0.0.3:\(port) (connection refused)"))
    }

    @Test("addresses with the same answer share a clause, and IPv6 addresses have brackets")
    func several() async throws {
        let site = try StubSite(
            [Self.domain], [("127.0.0.1", .httpOnTLSPort), ("127.0.0.2", .garbage), ("::1", .tls(.good))])
        let outcome = try await PreflightWorld(FakeHost(), "127.0.0.1", "127.0.0.2", "::1").outcome(
            .tlsALPN01, port: site.port)
        #expect(
            outcome.mistake
                == "127.0.0.1:\(site.port) and 127.0.0.2:\(site.port) answer without TLS and [::1]:\(site.port) answers "
                + "with the TLS alert no_application_protocol instead of this server's challenge; \(Self.tlsRemedy)")
    }
}

/// Has every server present the right certificate, and choose no protocol.
private final class MirrorTransport: HTTPTransport {
    private let host: FakeHost

    init(_ host: FakeHost) { self.host = host }

    func start(_ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) -> Cancellation
    {
        Cancellation {}
    }

    func start(_ probe: ChainProbe, completion: @escaping @Sendable (Result<Chain, Failure>) -> Void) -> Cancellation {
        guard case .tlsALPN01(let certificate)? = host.record.published.first?.answer else { return Cancellation {} }
        let pem = PEMText.block("CERTIFICATE", certificate.leaf)?.withBytes { $0 } ?? []
        completion(.success(Chain(certificates: pem, address: probe.address)))
        return Cancellation {}
    }
}
