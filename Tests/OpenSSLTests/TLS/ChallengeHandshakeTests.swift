import OpenSSL
import TLSSamples
import Testing

/// Which hellos ask for a challenge (RFC 8737, section 4), byte by byte.
@Suite("Hellos that ask for a challenge")
struct ChallengeHandshakeTests {
    private let server: SampleServer

    init() throws {
        let keys = try TicketKeys { 0 }
        let (site, challenge) = (
            try SampleIdentity.certificate(["localhost"]), try SampleIdentity.certificate(["other"])
        )
        server = try SampleServer(
            TLSContext(certificates: [site], minimumVersion: .tls12, ticketKeys: keys))
        server.challenge = try TLSChallenge(challenge)
    }

    /// The extension with `acme-tls/1` alone: the list's length, the entry's, the entry.
    private static let asked: [UInt8] = [0, 11, 10] + Array("acme-tls/1".utf8)

    private func progress(_ change: (inout ClientHello) -> Void) throws -> TLSSession.Progress {
        var hello = ClientHello()
        change(&hello)
        try server.reset()
        return server.handshake(hello.bytes)
    }

    @Test("the protocol alone is answered, for a client that names a host")
    func answered() throws {
        #expect(try progress { $0.rawProtocols = Self.asked } == .needsInput)
        server.knowsNames = false
        #expect(try progress { $0.rawProtocols = Self.asked } == .needsInput)
        #expect(
            try progress {
                $0.rawProtocols = Self.asked
                $0.serverName = nil
            } == .failed(.unknownName))
        server.challenge = nil
        #expect(try progress { $0.rawProtocols = Self.asked } == .failed(.unknownName))
        server.knowsNames = true
        #expect(try progress { $0.rawProtocols = Self.asked } == .failed(.protocolName))
    }

    @Test("no other byte in the extension is, and none of them harms", arguments: asked.indices)
    func otherBytes(index: Int) throws {
        for byte in UInt8.min...UInt8.max where byte != Self.asked[index] {
            let progress = try progress {
                $0.rawProtocols = Self.asked
                $0.rawProtocols?[index] = byte
            }
            guard case .failed = progress else {
                Issue.record("byte \(byte) is taken")
                continue
            }
        }
    }

    @Test("nor is a longer or shorter one", arguments: 0...16)
    func otherLengths(count: Int) throws {
        let bytes = Array((Self.asked + [UInt8](repeating: 0, count: 8)).prefix(count))
        guard count != Self.asked.count else { return }
        let progress = try progress { $0.rawProtocols = bytes }
        guard case .failed = progress else {
            Issue.record("\(count) bytes are taken")
            return
        }
    }

    @Test("beside another protocol it counts for nothing")
    func several() throws {
        #expect(try progress { $0.protocols = ["acme-tls/1", "http/1.1"] } == .needsInput)
        #expect(try progress { $0.protocols = ["acme-tls/1", "h2"] } == .failed(.protocolName))
    }
}
