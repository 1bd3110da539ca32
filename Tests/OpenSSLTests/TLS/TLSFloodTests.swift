import OpenSSL
import TLSSamples
import Testing

/// Clients that send much of what costs them little: libssl has bounds of its own, which we rely on.
@Suite("Floods in TLS")
struct TLSFloodTests {
    private let context: TLSContext

    init() throws {
        context = try TLSContext(
            certificates: [SampleIdentity.certificate()], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
    }

    private func connect(_ version: SampleOffer.Version, room: Int = 65_536) throws -> (SampleServer, SampleSealer) {
        let connection = try SampleConnection(context, SampleOffer { $0.newest = version }, room: room)
        return (connection.server, try SampleSealer(connection.client))
    }

    private func read(_ server: SampleServer, _ bytes: [UInt8]) -> (plain: [UInt8], last: SampleServer.Reading) {
        var output: [UInt8] = []
        return server.read(bytes, output: &output)
    }

    @Test("records made by hand are read", arguments: TLSPolicyTests.versions)
    func sealer(version: SampleOffer.Version) throws {
        var (server, sealer) = try connect(version)
        let bytes = sealer.seal([1, 2]) + sealer.seal([]) + sealer.seal([3])
        #expect(read(server, bytes) == ([1, 2, 3], .needsInput))
        #expect(read(server, sealer.seal([1, 0], type: 21)) == ([], .closed))
    }

    @Test("empty records end the connection after a few", arguments: TLSPolicyTests.versions)
    func emptyRecords(version: SampleOffer.Version) throws {
        var (server, sealer) = try connect(version)
        #expect(read(server, (0..<30).flatMap { _ in sealer.seal([]) }) == ([], .needsInput))
        #expect(read(server, sealer.seal([7])) == ([7], .needsInput))
        #expect(read(server, (0..<40).flatMap { _ in sealer.seal([]) }) == ([], .failed))
    }

    @Test("warnings end the connection after a few", arguments: TLSPolicyTests.versions)
    func warnings(version: SampleOffer.Version) throws {
        var (server, sealer) = try connect(version)
        // 90 is 'user canceled', the one warning that both versions have.
        #expect(read(server, (0..<10).flatMap { _ in sealer.seal([1, 90], type: 21) }).last == .failed)
    }

    @Test("changes of the cipher in clear, which TLS 1.3 ignores, end the handshake after a few")
    func cipherChanges() throws {
        let server = try SampleServer(context)
        let client = try SampleClient()
        _ = client.handshake()
        #expect(server.handshake(client.takeOutput()) == .needsInput)
        #expect(server.handshake((0..<40).flatMap { _ in [20, 3, 3, 0, 1, 1] }) == .failed(.malformed))
    }

    @Test("a hello without end is refused before it is held")
    func longHello() throws {
        let server = try SampleServer(context)
        // 16 MB are announced.
        #expect(server.handshake([22, 3, 1, 0, 5, 1, 0xFF, 0xFF, 0xFF, 3]) == .failed(.malformed))
        // 128 KB are the most; in records of their own, each one is held until the message is whole.
        #expect(server.takeOutput().count == 7)
    }

    @Test("a client may take new keys now and then, but not again and again", arguments: [0, 1] as [UInt8])
    func keyUpdates(request: UInt8) throws {
        var (server, sealer) = try connect(.tls13)
        func updates(_ count: Int) -> [UInt8] {
            (0..<count).flatMap { _ in
                defer { sealer.updateKeys() }
                return sealer.seal([24, 0, 0, 1, request], type: 22)
            }
        }
        #expect(read(server, updates(30) + sealer.seal([5])) == ([5], .needsInput))
        #expect(server.write([1]) == 1)
        #expect(read(server, updates(10) + sealer.seal([5])) == ([], .closed))
    }

    @Test("renegotiations that are refused again and again fill no memory")
    func renegotiations() throws {
        var (server, sealer) = try connect(.tls12, room: 2_000)
        // The beginning of a client hello is enough.
        let flood = (0..<100).flatMap { _ in sealer.seal([1, 0, 0, 2, 3, 3], type: 22) }
        #expect(server.readOnce(flood) != .bytes)
        #expect(server.takeOutput().count <= 2_000)
    }
}
