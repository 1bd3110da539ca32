import Foundation
import FuzzingSupport
import OpenSSL
import TestSupport
import Testing

/// A session with buffers of its own, fed by hand.
private final class Server: TLSContextSelector {
    let context: TLSContext
    let buffers = TransportBuffers.allocate(outputCapacity: 65_536)
    var isNameKnown = true
    private(set) var names: [String?] = []

    init(_ folder: URL) throws {
        let certificate = try ServerCertificate(
            chain: Array(Data(contentsOf: folder.appendingPathComponent("fullchain.pem"))),
            key: Array(Data(contentsOf: folder.appendingPathComponent("privkey.pem"))))
        let keys = try TicketKeys { 0 }
        context = try TLSContext(certificates: [certificate], minimumVersion: .tls12, ticketKeys: keys)
        buffers.pointee.selector = self
    }

    deinit { TransportBuffers.deallocate(buffers) }

    func context(
        forServerName serverName: UnsafeBufferPointer<UInt8>?, of connection: UnsafeMutableRawPointer?
    ) -> TLSContext? {
        names.append(serverName.map { String(decoding: $0, as: UTF8.self) })
        return isNameKnown ? context : nil
    }

    /// Feeds the pieces one after the other; the last progress, and all output.
    func handshake(_ pieces: [[UInt8]]) throws -> (last: TLSSession.Progress, output: [UInt8]) {
        let session = try TLSSession(context: context, buffers: buffers)
        var last = TLSSession.Progress.needsInput
        var output: [UInt8] = []
        for piece in pieces {
            piece.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                buffers.pointee.input = start
                buffers.pointee.inputCount = bytes.count
                last = session.handshake()
            }
            output += UnsafeBufferPointer(start: buffers.pointee.output, count: buffers.pointee.outputCount)
            buffers.pointee.outputCount = 0
        }
        return (last, output)
    }
}

@Suite("TLS without I/O")
struct TLSSessionTests {
    private let folder: TemporaryFolder
    private let server: Server

    init() throws {
        folder = try TemporaryFolder()
        try TestCertificate.make(["DNS:localhost"], in: folder.url)
        server = try Server(folder.url)
    }

    /// An alert record: content type, version, length, level, description.
    private func alert(_ description: UInt8) -> [UInt8] { [21, 3, 3, 0, 2, 2, description] }

    @Test("a client hello is answered with a server hello")
    func hello() throws {
        let (last, output) = try server.handshake([ClientHello().bytes])
        #expect(last == .needsInput)
        #expect(output.starts(with: [22, 3, 3]))
        #expect(output[5] == 2)
        #expect(server.names == ["localhost"])
    }

    @Test("a client hello may come in any two pieces")
    func splits() throws {
        let hello = ClientHello().bytes
        for split in 1..<hello.count {
            let (last, output) = try server.handshake([Array(hello[..<split]), Array(hello[split...])])
            #expect(last == .needsInput && output.starts(with: [22, 3, 3]), "split at \(split)")
        }
    }

    @Test("an unknown name is refused as such")
    func unrecognizedName() throws {
        server.isNameKnown = false
        let (last, output) = try server.handshake([ClientHello().bytes])
        #expect(last == .failed(.unknownName))
        #expect(output == alert(112))
    }

    @Test("a client without a server name is told apart")
    func noName() throws {
        _ = try server.handshake([ClientHello(serverName: nil).bytes])
        #expect(server.names == [nil])
    }

    @Test(
        "a malformed server name extension is refused",
        arguments: [
            [], [0], [0, 0], [0, 1, 0], [0, 5, 0, 0, 1, 97, 98], [0, 4, 1, 0, 1, 97], [0, 4, 0, 0, 2, 97],
            [0, 3, 0, 0, 0],
        ] as [[UInt8]])
    func malformedName(data: [UInt8]) throws {
        let (last, output) = try server.handshake([ClientHello(rawServerName: data).bytes])
        #expect(last == .failed(.malformed))
        #expect(output == alert(50))
        #expect(server.names.isEmpty)
    }

    @Test(
        "a client that offers only other protocols is refused", arguments: [["h2"], ["h2", "http/1.0"], ["http/1.1x"]])
    func otherProtocols(offered: [String]) throws {
        let (last, output) = try server.handshake([ClientHello(protocols: offered).bytes])
        #expect(last == .failed(.protocolName))
        #expect(output == alert(120))
    }

    @Test("http/1.1 is chosen wherever it stands in the offer", arguments: [["http/1.1"], ["h2", "http/1.1"]])
    func knownProtocol(offered: [String]) throws {
        let (last, output) = try server.handshake([ClientHello(protocols: offered).bytes])
        #expect(last == .needsInput)
        #expect(output.starts(with: [22, 3, 3]))
    }

    @Test("bytes that are no TLS fail and leave the next session alone", arguments: TestSeeds.of(1...1))
    func garbage(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var bytes = ClientHello().bytes
            for _ in 0..<random.number(1...20) {
                bytes[random.number(below: bytes.count)] = random.byte()
            }
            _ = try server.handshake([bytes])
        }
        #expect(try server.handshake([ClientHello().bytes]).last == .needsInput)
    }
}
