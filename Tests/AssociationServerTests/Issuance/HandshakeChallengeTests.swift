import AssociationServer
import Foundation
import OpenSSL
import TLSSamples
import TestSupport
import Testing

/// TLS-ALPN-01 (RFC 8737; acme.md, section 4).
@Suite("Challenges in handshakes", .waiting)
struct HandshakeChallengeTests {
    private static let https = ListenerKind.https(proxyProtocol: false)

    @Test(
        "the challenge's certificate is presented, and then the server says goodbye",
        arguments: SampleOffer.versions, ["localhost", "new.example", "NEW.example"])
    func answered(version: SampleOffer.Version, name: String) throws {
        let served = try ServedListeners([Self.https])
        try served.addSite("new.example")
        try served.publish([try SampleChallenge.tls("localhost"), try SampleChallenge.tls("new.example")])
        for _ in 0..<4 {
            let client = try HTTPSClient(port: served.port(), SampleChallenge.offer(name, version))
            // What is sent after the handshake is not answered.
            try client.handshake(andSend: "GET /apple-app-site-association HTTP/1.1\r\nHost: \(name)\r\n\r\n")
            #expect(try SampleChallenge.isAnswer(client.presented, for: name.lowercased()))
            #expect(client.selectedProtocol == SampleChallenge.alpn)
            #expect(client.remainingAnswers().isEmpty && client.hasGoodbye && client.ending == .orderly)
            #expect(!client.hasTicket && !client.isResumed)
        }
        #expect(served.count(.challenge(.tlsALPN01, isAnswered: true)) == 4)
        #expect(served.count(.challenge(.tlsALPN01, isAnswered: false)) == 0)
        #expect(served.count(.handshake(isTLS13: version == .tls13, isResumed: false)) == 4)
        #expect(try served.accessLog().isEmpty)
    }

    @Test("openssl's client is content, too", arguments: ["-tls1_2", "-tls1_3"])
    func openssl(version: String) throws {
        let served = try ServedListeners([Self.https])
        try served.publish([try SampleChallenge.tls("localhost")])
        let outcome = try Shell.run(
            [
                "openssl", "s_client", "-connect", "127.0.0.1:\(served.port())", "-servername", "localhost", "-alpn",
                SampleChallenge.alpn, version, "-showcerts",
            ])
        #expect(outcome.text.contains("ALPN protocol: \(SampleChallenge.alpn)"), "\(outcome.text)\(outcome.errors)")
        let begin = "-----BEGIN CERTIFICATE-----"
        let pem = try #require(outcome.text.firstRange(of: begin).map { outcome.text[$0.lowerBound...] })
        let text = try Shell.run(["openssl", "x509", "-noout", "-text"], input: Data(pem.utf8)).text
        #expect(text.contains("1.3.6.1.5.5.7.1.31: critical") && text.contains("DNS:localhost\n"))
    }

    @Test("without a pending challenge a known name gets an alert of its own, and an unknown one its usual one")
    func refused() throws {
        let served = try ServedListeners([Self.https])
        try served.addSite("new.example")
        for pending in [[], ["other.example"]] {
            try served.publish(try pending.map(SampleChallenge.tls))
            for version in SampleOffer.versions {
                let offer = { SampleChallenge.offer($0, version) }
                #expect(try served.alert(offer("localhost")) == SampleChallenge.noApplicationProtocol)
                #expect(try served.alert(offer("new.example")) == SampleChallenge.unrecognizedName)
                #expect(try served.alert(offer("x.other.example")) == SampleChallenge.unrecognizedName)
                #expect(try served.alert(offer(nil)) == SampleChallenge.unrecognizedName)
            }
        }
        #expect(served.count(.challenge(.tlsALPN01, isAnswered: true)) == 0)
        #expect(served.count(.challenge(.tlsALPN01, isAnswered: false)) == 4)
        #expect(served.count(.handshakeFailed(.protocolName)) == 4)
    }

    @Test(
        "beside other protocols it is ignored: ordinary clients get the certificate in use, or none",
        arguments: SampleOffer.versions)
    func ordinary(version: SampleOffer.Version) throws {
        let served = try ServedListeners([Self.https])
        try served.addSite("new.example")
        try served.publish([try SampleChallenge.tls("localhost"), try SampleChallenge.tls("new.example")])
        for protocols in [[], ["http/1.1"], [SampleChallenge.alpn, "http/1.1"], ["http/1.1", SampleChallenge.alpn]] {
            let offer = SampleChallenge.offer("localhost", version, protocols: protocols)
            let client = try HTTPSClient(port: served.port(), offer)
            try client.handshake()
            #expect(try !SampleChallenge.isAnswer(client.presented, for: "localhost"))
            #expect(client.selectedProtocol == (protocols.isEmpty ? nil : "http/1.1"))
            #expect(try client.get().status == 200)
            let other = SampleChallenge.offer("new.example", version, protocols: protocols)
            #expect(try served.alert(other) == SampleChallenge.unrecognizedName)
        }
        for protocols in [[SampleChallenge.alpn, SampleChallenge.alpn], ["h3", SampleChallenge.alpn], ["acme-tls/2"]] {
            let offer = SampleChallenge.offer("localhost", version, protocols: protocols)
            #expect(try served.alert(offer) == SampleChallenge.noApplicationProtocol)
        }
        #expect(served.count(.challenge(.tlsALPN01, isAnswered: true)) == 0)
        // Who offers something else, too, did not ask for a challenge.
        #expect(served.count(.challenge(.tlsALPN01, isAnswered: false)) == 0)
    }

    @Test("neither side of a challenge can be resumed", arguments: SampleOffer.versions)
    func resumption(version: SampleOffer.Version) throws {
        let served = try ServedListeners([Self.https])
        try served.publish([try SampleChallenge.tls("localhost")])
        let ordinary = SampleChallenge.offer("localhost", version, protocols: [])
        let first = try HTTPSClient(port: served.port(), ordinary)
        try first.handshake()
        try first.get()
        #expect(first.hasTicket)
        let challenge = SampleChallenge.offer("localhost", version)
        let second = try HTTPSClient(port: served.port(), challenge, resuming: first.session)
        try second.handshake()
        while second.read() {}
        #expect(!second.isResumed && second.selectedProtocol == SampleChallenge.alpn)
        #expect(try SampleChallenge.isAnswer(second.presented, for: "localhost"))
        for offer in [ordinary, challenge] {
            let third = try HTTPSClient(port: served.port(), offer, resuming: second.session)
            try third.handshake()
            #expect(!third.isResumed)
        }
        // The ordinary session is as good as before.
        let fourth = try HTTPSClient(port: served.port(), ordinary, resuming: first.session)
        try fourth.handshake()
        #expect(fourth.isResumed)
    }

    @Test("a group that the server does not have at first makes a second hello, which is answered as well")
    func secondHello() throws {
        let served = try ServedListeners([Self.https])
        try served.publish([try SampleChallenge.tls("localhost")])
        var offer = SampleChallenge.offer("localhost", .tls13)
        offer.groups = "P-521:P-384"
        let client = try HTTPSClient(port: served.port(), offer)
        try client.handshake()
        #expect(try SampleChallenge.isAnswer(client.presented, for: "localhost"))
        #expect(!client.read() && client.hasGoodbye && !client.hasTicket)
    }

    @Test("a challenge is answered until it is withdrawn, and another one takes its place")
    func withdrawn() throws {
        let served = try ServedListeners([Self.https])
        let challenges = try (0..<2).compactMap { _ in try SampleChallenge.tls("localhost") }
        let offer = SampleChallenge.offer("localhost", .tls13)
        func presented() throws -> [UInt8] {
            let client = try HTTPSClient(port: served.port(), offer)
            try client.handshake()
            return client.presented
        }
        try served.publish([challenges[0]])
        let first = try presented()
        try served.publish([challenges[1]])
        let second = try presented()
        #expect(first != second)
        // What was replaced is gone already.
        served.server.withdraw([challenges[0]])
        try served.publish([])
        #expect(try presented() == second)
        served.server.withdraw([challenges[1]])
        try served.publish([])
        #expect(try served.alert(offer) == SampleChallenge.noApplicationProtocol)
    }

    @Test("a reload neither drops a challenge nor brings one back")
    func reload() throws {
        let served = try ServedListeners([Self.https])
        let challenge = try #require(try SampleChallenge.tls("localhost"))
        let offer = SampleChallenge.offer("localhost", .tls13)
        try served.publish([challenge])
        served.reload { $0.cacheMaxAge = 7 }
        let client = try HTTPSClient(port: served.port(), offer)
        try client.handshake()
        #expect(try SampleChallenge.isAnswer(client.presented, for: "localhost"))
        served.server.withdraw([challenge])
        served.reload { $0.cacheMaxAge = 8 }
        #expect(try served.alert(offer) == SampleChallenge.noApplicationProtocol)
    }

    @Test("a thousand are pending at a time, and each is answered with its own certificate")
    func thousand() throws {
        let served = try ServedListeners([Self.https])
        let names = (0..<1_000).map { "site-\($0).example" }
        try served.publish(try names.map(SampleChallenge.tls))
        for name in stride(from: 0, to: 1_000, by: 37).map({ names[$0] }) {
            let client = try HTTPSClient(port: served.port(), SampleChallenge.offer(name, .tls13))
            try client.handshake()
            #expect(try SampleChallenge.isAnswer(client.presented, for: name))
        }
        let client = try HTTPSClient(port: served.port())
        try client.handshake()
        #expect(try client.get().status == 200)
        #expect(
            try served.alert(SampleChallenge.offer("site-1000.example", .tls13)) == SampleChallenge.unrecognizedName)
    }

    @Test("a challenge that is published before the start is answered from the start on")
    func beforeStart() throws {
        let folder = try RunningServer.layOut()
        var configuration = ServerConfiguration()
        configuration.sites = "\(folder.path)/sites"
        configuration.certs = "\(folder.path)/certs"
        configuration.listen = ["127.0.0.1:0"]
        configuration.threads = 2
        configuration.log.access = .none
        let server = try LinkServer(configuration, logger: RecordedLog().logger)
        server.publish([try #require(try SampleChallenge.tls("localhost"))]) {}
        let port = try #require(try server.start().https.first?.split(separator: ":").last.flatMap { Int($0) })
        let client = try HTTPSClient(port: port, SampleChallenge.offer("localhost", .tls13))
        try client.handshake()
        #expect(try SampleChallenge.isAnswer(client.presented, for: "localhost"))
        server.stop()
        server.stop()
        server.waitUntilStopped()
    }

    @Test(
        "names and answers that break the rules make no challenge",
        arguments: [
            ("", "t", "a"), ("*.example.com", "t", "a"), (".example.com", "t", "a"), ("a b", "t", "a"), ("a", "", "a"),
            ("a", "../../etc", "a"), ("a", "a b", "a"), ("a", "t+", "a"), ("a", "t=", "a"), ("a", "t\u{E9}", "a"),
            ("a", "t", ""), ("a", "t", "a\r\nSet-Cookie: x"), ("a", "t", "a b"), ("a", "t", "\u{0}"),
            ("a", String(repeating: "t", count: 513), "a"), ("a", "t", String(repeating: "a", count: 1_025)),
            (String(repeating: "a", count: 256), "t", "a"),
        ])
    func invalid(name: String, token: String, keyAuthorization: String) {
        #expect(PendingChallenge(name: name, .http01(token: token, keyAuthorization: keyAuthorization)) == nil)
    }
}
