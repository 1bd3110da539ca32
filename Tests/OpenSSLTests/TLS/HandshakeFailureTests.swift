import OpenSSL
import TLSSamples
import Testing

@Suite("Why handshakes fail")
struct HandshakeFailureTests {
    private func handshake(
        _ offer: SampleOffer, minimum: TLSContext.Version = .tls12, knowsNames: Bool = true
    ) throws -> (TLSSession.Progress, alert: UInt8?) {
        let context = try TLSContext(
            certificates: [SampleIdentity.certificate()], minimumVersion: minimum, ticketKeys: TicketKeys { 0 })
        let server = try SampleServer(context)
        server.knowsNames = knowsNames
        let client = try SampleClient(offer)
        var fromServer: [UInt8] = []
        for _ in 0..<4 {
            _ = client.handshake(fromServer)
            let progress = server.handshake(client.takeOutput())
            fromServer = server.takeOutput()
            if progress != .needsInput {
                return (progress, fromServer.count == 7 && fromServer[0] == 21 ? fromServer[6] : nil)
            }
        }
        return (.needsInput, nil)
    }

    @Test("a client with which all is well")
    func none() throws {
        #expect(try handshake(SampleOffer()).0 == .done)
        #expect(try handshake(SampleOffer { $0.newest = .tls12 }).0 == .done)
    }

    @Test("a name without a certificate")
    func unknownName() throws {
        #expect(try handshake(SampleOffer(), knowsNames: false) == (.failed(.unknownName), 112))
        #expect(try handshake(SampleOffer { $0.serverName = nil }, knowsNames: false) == (.failed(.unknownName), 112))
    }

    @Test("a version that is not spoken, or a fallback to an older one")
    func version() throws {
        let old = SampleOffer {
            $0.oldest = .tls10
            $0.newest = .tls10
            $0.ciphers = "ALL:@SECLEVEL=0"
        }
        #expect(try handshake(old) == (.failed(.version), 70))
        #expect(try handshake(SampleOffer { $0.newest = .tls12 }, minimum: .tls13) == (.failed(.version), 70))
        let fallback = SampleOffer {
            $0.newest = .tls12
            $0.isFallback = true
        }
        #expect(try handshake(fallback) == (.failed(.version), 86))
        #expect(try handshake(SampleOffer { $0.isFallback = true }).0 == .done)
    }

    @Test(
        "nothing in common",
        arguments: [
            SampleOffer {
                $0.newest = .tls12
                $0.ciphers = "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA256:AES128-GCM-SHA256"
            },
            SampleOffer {
                $0.newest = .tls12
                $0.ciphers = "ECDHE-RSA-AES128-GCM-SHA256"
            },
            SampleOffer {
                $0.oldest = .tls13
                $0.suites = "TLS_AES_128_CCM_SHA256"
            },
            SampleOffer { $0.groups = "P-521" },
            SampleOffer {
                $0.newest = .tls12
                $0.groups = "P-521"
            },
            SampleOffer { $0.signatureAlgorithms = "RSA+SHA256" },
            SampleOffer { $0.signatureAlgorithms = "ECDSA+SHA1" },
            SampleOffer {
                $0.newest = .tls12
                $0.signatureAlgorithms = "ECDSA+SHA1:RSA+SHA1"
            },
        ])
    func parameters(offer: SampleOffer) throws {
        #expect(try handshake(offer) == (.failed(.parameters), 40))
    }

    @Test("only other protocols")
    func protocolName() throws {
        #expect(try handshake(SampleOffer { $0.protocols = ["h2", "http/1.0"] }) == (.failed(.protocolName), 120))
        #expect(try handshake(SampleOffer { $0.protocols = ["h2", "http/1.1"] }).0 == .done)
    }

    @Test("a client that does not trust the certificate", arguments: [SampleOffer.Version.tls12, .tls13])
    func alert(version: SampleOffer.Version) throws {
        let offer = SampleOffer {
            $0.newest = version
            $0.verifies = true
        }
        #expect(try handshake(offer).0 == .failed(.alert))
    }

    @Test("a client that says goodbye, or no, in clear", arguments: [SampleOffer.Version.tls12, .tls13])
    func alertsInClear(version: SampleOffer.Version) throws {
        let context = try TLSContext(
            certificates: [SampleIdentity.certificate()], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
        for (alert, expected) in [([1, 0], .closed), ([2, 40], .alert)] as [([UInt8], HandshakeFailure)] {
            let server = try SampleServer(context)
            let client = try SampleClient(SampleOffer { $0.newest = version })
            _ = client.handshake()
            #expect(server.handshake(client.takeOutput()) == .needsInput)
            #expect(server.handshake([21, 3, 3, 0, 2] + alert) == .failed(expected))
        }
    }

    @Test("bytes that are no handshake")
    func bytes() throws {
        let context = try TLSContext(
            certificates: [SampleIdentity.certificate()], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
        let inputs: [([UInt8], HandshakeFailure)] = [
            ([22, 3, 3, 0, 5, 1, 0, 0, 1, 0], .malformed), ([22, 9, 9, 0, 5, 1, 0, 0, 1, 0], .malformed),
            ([22, 3, 3, 0xFF, 0xFF, 1], .malformed), ([23, 3, 3, 0, 1, 1], .malformed),
            ([20, 3, 3, 0, 1, 1], .malformed),
        ]
        for (input, expected) in inputs {
            #expect(try SampleServer(context).handshake(input) == .failed(expected), "\(input)")
        }
    }

    @Test("each reason has an index of its own")
    func indices() {
        #expect(HandshakeFailure.allCases.map(\.index) == Array(0..<HandshakeFailure.allCases.count))
    }
}
