import AssociationServer
import TLSSamples
import TestSupport
import Testing

/// A client hello with the key of a hybrid group has more bytes than a TCP segment (draft-ietf-tls-ecdhe-mlkem), so it comes
/// in two.
@Suite("Client hellos longer than a segment", .waiting)
struct LongHelloTests {
    private static let request = "GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Names of protocols make it as long as a key does, with a library that has no such key.
    private static let offer = SampleOffer { offer in
        offer.protocols = (0..<6).map { "\($0)" + String(repeating: "x", count: 254) } + ["http/1.1"]
    }

    @Test("a hello in two pieces is waited for, wherever it is cut", arguments: [1, 4, 6, 100, 300, 1_000, 1_400, -1])
    func pieces(cut: Int) throws {
        for kind in [ListenerKind.https(proxyProtocol: false), .https(proxyProtocol: true)] {
            let served = try ServedListeners([kind])
            let client = try HTTPSClient(try served.connect(), Self.offer)
            let hello = client.hello()
            #expect(hello.count > 1_460)
            let end = cut > 0 ? cut : hello.count + cut
            let header = kind.expectsProxyHeader ? Array("PROXY TCP4 203.0.113.9 198.51.100.2 8080 443\r\n".utf8) : []
            client.socket.send(header + hello[..<end])
            // The loop has read the first piece when it has counted the connection: it accepts when there is something.
            #expect(Waiting.until { served.count(.connections) == 1 })
            client.socket.send(Array(hello[end...]))
            try client.handshake(andSend: Self.request)
            #expect(try client.answer().text == RunningServer.document)
        }
    }
}
