import DomainNames
import HTTPClient
import OpenSSL
import PushSamples
import SystemSupport
import TLSSamples
import TestSupport
import Testing

@Suite("Probes of chains", .waitingApart)
struct ChainProbeTests {
    private func probe(
        _ port: Int, host: String = "localhost", versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        seconds: Double? = nil, prepareTLS: (@Sendable (UnsafeMutableRawPointer) -> Bool)? = nil
    ) async throws -> Result<Chain, Failure> {
        let client = try Client()
        let probe = ChainProbe(
            host: host, port: port, address: Client.loopback, versions: versions,
            timeLimit: .seconds(seconds ?? Double(Patience.seconds)), prepareTLS: prepareTLS)
        return await Cancellation.result { client.transport.start(probe, completion: $0) }
    }

    private func origin(_ leaf: SampleCertificate = SampleSite.leaf(), chain: [SampleAuthority]) throws -> StubOrigin {
        try StubOrigin(SampleSite.identity(leaf, chain: chain)) { $0.waitForEnd() }
    }

    @Test("whatever a server presents is handed over as it was sent, and judged afterwards")
    func presented() async throws {
        let trust = try SampleSite.trust()
        func verdict(_ leaf: SampleCertificate, _ chain: [SampleAuthority]) async throws -> ChainVerdict {
            let text = try leaf.pem() + chain.map { try $0.certificate.pem() }.joined()
            let origin = try StubOrigin(SampleSite.identity(pem: text)) { $0.waitForEnd() }
            let sent = try await probe(origin.port).get()
            #expect(sent.address == Client.loopback)
            #expect(
                String(decoding: sent.certificates, as: UTF8.self).split(separator: "\n") == text.split(separator: "\n")
            )
            return try PresentedChain(pem: sent.certificates).verdict(
                for: "localhost", at: SampleSite.now, trust: trust)
        }
        let intermediate = [SampleSite.intermediate]
        #expect(try await verdict(SampleSite.leaf(), intermediate) == .good)
        #expect(try await verdict(SampleSite.leaf(), []) == .missingIntermediate("Sample Intermediate"))
        #expect(try await verdict(SampleSite.leaf(issuer: nil), []) == .untrusted(.selfSigned))
        #expect(try await verdict(SampleSite.leaf(["a.example.com"]), intermediate) == .nameMismatch(["a.example.com"]))
        let old = SampleSite.leaf(notBefore: -60, notAfter: -3)
        #expect(try await verdict(old, intermediate) == .expired(SampleSite.now - 3 * SampleSite.day))
    }

    @Test("the versions of TLS that are offered are these only")
    func versions() async throws {
        let origin = try origin(chain: [SampleSite.intermediate])
        for version in [TLSVersion.tls12, .tls13] {
            #expect(try await probe(origin.port, versions: version...version).value != nil, "\(version)")
        }
        let old = try await probe(origin.port, versions: .tls10 ... .tls11).problem
        #expect(old?.reason == .tls(.alert(70)))
        let only = try OpenSSLServer(SampleSite.leaf(), arguments: ["-tls1_2"])
        #expect(try await probe(only.port).value != nil)
        #expect(try await probe(only.port, versions: .tls13 ... .tls13).problem?.reason == .tls(.alert(70)))
    }

    @Test("a server with an old version only is recognized as one")
    func oldVersion() async throws {
        let old = try OpenSSLServer(SampleSite.leaf(), arguments: ["-tls1", "-cipher", "DEFAULT:@SECLEVEL=0"])
        let refused = try await probe(old.port).problem
        // It answers with an alert, or with a version that was not offered.
        #expect([.tls(.alert(70)), .tls(.versionNotOffered)].contains(refused?.reason))
        let chain = try await probe(old.port, versions: .tls10 ... .tls11).get()
        #expect(try PresentedChain(pem: chain.certificates).leaf.names == ["localhost"])
    }

    @Test("faults of a handshake are those of a request")
    func faults() async throws {
        let mute = try StubOrigin { while $0.receiveRaw() != nil {} }
        let silent = try await Patience.withLimit {
            try await probe(mute.port, seconds: $0).problem
        } until: {
            $0?.phase == .handshaking
        }
        #expect(silent?.reason == .timedOut)
        #expect(silent?.phase == .handshaking)
        let closed = try BoundSocket(isListening: false)
        #expect(try await probe(closed.port).problem?.reason == .notConnected(.refused))
        let plain = try StubOrigin { connection in
            _ = connection.receiveRaw()
            connection.sendRaw(Array("220 mail.example.com ESMTP\r\n".utf8))
            connection.waitForEnd()
        }
        #expect(try await probe(plain.port).problem?.reason == .tls(.notTLS))
    }

    @Test("the application protocols that are offered are these only", arguments: [TLSVersion.tls12, .tls13])
    func protocols(version: TLSVersion) async throws {
        let hellos = Locked<[[UInt8]]>([])
        let origin = try StubOrigin { connection in
            if let bytes = connection.receiveRaw() { hellos.withLock { $0.append(bytes) } }
        }
        let negotiation = ProtocolNegotiation(offering: ["acme-tls/1"])
        let result = try await probe(origin.port, versions: version...version) { negotiation.install(inTLSContext: $0) }
        #expect(result.problem?.reason == .tls(.closed) && negotiation.selectedProtocol == nil)
        #expect(try await probe(origin.port).problem != nil)
        // The extension's number, its length, and the list with its one entry (RFC 7301, section 3.1).
        let only = [0, 16, 0, 13, 0, 11, 10] + Array("acme-tls/1".utf8)
        let offered = hellos.withLock { $0.map { $0.firstRange(of: only) != nil } }
        #expect(offered == [true, false])
        let hasOthers = hellos.withLock { $0.map { $0.firstRange(of: Array("http/1.1".utf8)) != nil } }
        #expect(hasOthers == [false, true])
    }

    @Test("the protocol that the server has chosen is known, or that it has chosen none")
    func chosenProtocol() async throws {
        let leaf = SampleSite.leaf()
        for version in [TLSVersion.tls12, .tls13] {
            for (arguments, chosen) in [(["-alpn", "x,acme-tls/1"], "acme-tls/1"), ([], nil)] {
                let server = try OpenSSLServer(leaf, arguments: arguments)
                let negotiation = ProtocolNegotiation(offering: ["acme-tls/1", "y"])
                let chain = try await probe(server.port, versions: version...version) {
                    negotiation.install(inTLSContext: $0)
                }.get()
                #expect(negotiation.selectedProtocol == chosen, "\(version) \(arguments)")
                #expect(try PresentedChain(pem: chain.certificates).leaf.names == ["localhost"])
            }
        }
        let ordinary = try origin(chain: [SampleSite.intermediate])
        let negotiation = ProtocolNegotiation(offering: ["acme-tls/1"])
        let refused = try await probe(ordinary.port) { negotiation.install(inTLSContext: $0) }
        #expect(refused.problem?.reason == .tls(.alert(120)) && negotiation.selectedProtocol == nil)
    }

    @Test("a handshake that cannot be set up is not begun")
    func notSetUp() async throws {
        let received = Locked<[UInt8]?>(nil)
        let origin = try StubOrigin { connection in
            let bytes = connection.receiveRaw()
            received.withLock { $0 = bytes ?? [] }
        }
        for protocols in [[], [""], [String(repeating: "x", count: 256)]] {
            let negotiation = ProtocolNegotiation(offering: protocols)
            let result = try await probe(origin.port) { negotiation.install(inTLSContext: $0) }
            // CURLE_SSL_CERTPROBLEM
            #expect(result.problem?.reason == .other(58))
            #expect(Waiting.until { received.withLock { $0 } == [] })
            received.withLock { $0 = nil }
        }
    }

    @Test("what a handshake was set up with is let go with it")
    func lifetime() async throws {
        let server = try OpenSSLServer(SampleSite.leaf())
        weak var kept: ProtocolNegotiation?
        do {
            let negotiation = ProtocolNegotiation(offering: ["acme-tls/1"])
            kept = negotiation
            _ = try await probe(server.port) { [negotiation] in negotiation.install(inTLSContext: $0) }.get()
        }
        #expect(Waiting.until { kept == nil })
    }
}
