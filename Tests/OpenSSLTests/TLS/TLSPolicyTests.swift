import OpenSSL
import Synchronization
import TLSSamples
import Testing

/// The rules of server.md, section 4, for handshakes, as a client in memory sees them.
@Suite("The policy of TLS")
struct TLSPolicyTests {
    private final class ManualClock: Sendable {
        private let seconds = Atomic<Int64>(1_000)

        var now: Int64 { seconds.load(ordering: .relaxed) }
        func advance(_ by: Int64) { seconds.add(by, ordering: .relaxed) }
    }

    private let clock = ManualClock()
    private let keys: TicketKeys

    init() throws {
        let clock = clock
        keys = try TicketKeys { clock.now }
    }

    private func context(_ names: [String] = ["localhost"]) throws -> TLSContext {
        try TLSContext(
            certificates: [SampleIdentity.certificate(names)], minimumVersion: .tls12, ticketKeys: keys)
    }

    static let versions = [SampleOffer.Version.tls12, .tls13]

    private func offer(_ version: SampleOffer.Version) -> SampleOffer { SampleOffer { $0.newest = version } }

    /// Shakes hands and gives the session that can be resumed, and whether this one was.
    private func connect(
        _ context: TLSContext, _ version: SampleOffer.Version, resuming session: SampleSession? = nil
    ) throws -> (session: SampleSession?, isResumed: Bool) {
        let connection = try SampleConnection(context, offer(version), resuming: session)
        #expect(connection.client.isResumed == connection.server.isResumed)
        return (connection.client.session, connection.server.isResumed)
    }

    @Test("a session is resumed for two hours at least, and not after three", arguments: versions)
    func rotation(version: SampleOffer.Version) throws {
        let context = try context()
        let session = try connect(context, version).session
        #expect(try connect(context, version, resuming: session).isResumed)
        clock.advance(2 * TicketKeys.lifetime)
        #expect(try connect(context, version, resuming: session).isResumed)
        clock.advance(TicketKeys.lifetime)
        #expect(try !connect(context, version, resuming: session).isResumed)
    }

    @Test("whoever comes back each hour is given a ticket of the new key", arguments: versions)
    func renewal(version: SampleOffer.Version) throws {
        let context = try context()
        var session = try connect(context, version).session
        for _ in 0..<6 {
            clock.advance(TicketKeys.lifetime)
            let (next, isResumed) = try connect(context, version, resuming: session)
            #expect(isResumed)
            session = next
        }
    }

    @Test("contexts of one certificate share their tickets, as those of two loops or of a reload", arguments: versions)
    func sharing(version: SampleOffer.Version) throws {
        let (one, other) = (try context(), try context())
        let session = try connect(one, version).session
        #expect(try connect(other, version, resuming: session).isResumed)
    }

    @Test("other names, or another server's keys, do not resume a session", arguments: versions)
    func strangers(version: SampleOffer.Version) throws {
        let session = try connect(try context(), version).session
        #expect(try !connect(try context(["localhost", "b.example"]), version, resuming: session).isResumed)
        let stranger = try TLSContext(
            certificates: [SampleIdentity.certificate()], minimumVersion: .tls12, ticketKeys: TicketKeys { 0 })
        #expect(try !connect(stranger, version, resuming: session).isResumed)
    }

    @Test("there is no compression and no early data; renegotiation is secure, and refused", arguments: versions)
    func switchedOff(version: SampleOffer.Version) throws {
        let (client, server) = {
            ($0.client, $0.server)
        }(try SampleConnection(context(), offer(version)))
        #expect(!client.isCompressed)
        #expect(client.earlyData == 0)
        guard version == .tls12 else { return }
        #expect(client.hasSecureRenegotiation)
        #expect(client.renegotiate() == .needsInput)
        var output: [UInt8] = []
        let (plain, last) = server.read(client.takeOutput(), output: &output)
        #expect(plain.isEmpty && last == .needsInput)
        // A warning, encrypted: the client may go on without.
        #expect(server.takeOutput().first == 21)
    }

    @Test(
        "the order of suites is the server's, but for a client that puts ChaCha20 first",
        arguments: [
            ("TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"),
            ("TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256", "TLS_CHACHA20_POLY1305_SHA256"),
            ("TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"),
            ("TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"),
        ])
    func suites(offered: String, chosen: String) throws {
        let offer = SampleOffer {
            $0.oldest = .tls13
            $0.suites = offered
        }
        #expect(try SampleConnection(context(), offer).client.cipher == chosen)
    }

    @Test("of the lists of groups the first is taken that the library knows as a whole")
    func groupLists() throws {
        let context = try context()
        #expect(context.setGroups(of: ["X25519:NoSuchGroup", "P-384", "P-256"]) == "P-384")
        #expect(try SampleConnection(context, offer(.tls13)).client.group == "secp384r1")
        // Nothing changes, and no error is left for the handshakes that follow.
        #expect(context.setGroups(of: ["NoSuchGroup"]) == nil)
        #expect(try SampleConnection(context, offer(.tls13)).client.group == "secp384r1")
    }

    @Test("the hybrid group with ML-KEM is agreed on where the library has it, and X25519 by older ones")
    func hybridGroup() throws {
        let hybrid = SampleOffer { $0.groups = "X25519MLKEM768:X25519" }
        let isKnown = (try? SampleClient(hybrid)) != nil
        let offer = isKnown ? hybrid : SampleOffer { $0.groups = "X25519:P-256" }
        let group = try SampleConnection(context(), offer).client.group
        #expect(group.lowercased() == (isKnown ? "x25519mlkem768" : "x25519"))
    }
}
