import OpenSSL
import TLSSamples

/// A client and a server that have shaken hands.
struct SampleConnection {
    let client: SampleClient
    let server: SampleServer

    init(
        _ context: TLSContext, _ offer: SampleOffer = SampleOffer(), resuming session: SampleSession? = nil,
        room: Int = 4 * TransportBuffers.roomForRecord
    ) throws {
        client = try SampleClient(offer, resuming: session)
        server = try SampleServer(context, room: room)
        var bytes: [UInt8] = []
        var progress = TLSSession.Progress.needsInput
        while progress == .needsInput {
            _ = client.handshake(bytes)
            progress = server.handshake(client.takeOutput())
            bytes = server.takeOutput()
        }
        guard progress == .done else { throw HandshakeError(progress: progress) }
        // The last flight of TLS 1.2, or the ticket of 1.3.
        client.receive(bytes)
        _ = client.handshake()
        _ = client.read()
    }

    struct HandshakeError: Error {
        let progress: TLSSession.Progress
    }
}
