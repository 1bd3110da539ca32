import FuzzingSupport
import OpenSSL
import TLSSamples

/// Leads a server's TLS through handshakes and records of clients that are changed on their way to it.
///
/// Whatever happens to them, what the server reads is the beginning of what the client has written: that is what TLS is for.
final class TLSFuzzer {
    private let server: SampleServer
    /// One with little room for what it wants to send.
    private let narrow: SampleServer
    /// The first flights of several clients, and sessions that can be resumed.
    private let hellos: [[UInt8]]
    private let sessions: [SampleSession]
    private(set) var outcomes: [String: Int] = [:]

    init() throws {
        guard SampleRandom.install() else { throw SampleTLSError("OpenSSL's random numbers cannot be repeated") }
        SampleRandom.seed(1)
        let keys = try TicketKeys { 0 }
        let context = try TLSContext(
            certificates: [SampleIdentity.certificate()], minimumVersion: .tls12, ticketKeys: keys)
        server = try SampleServer(context)
        narrow = try SampleServer(context, room: 300)
        var hellos: [[UInt8]] = []
        var sessions: [SampleSession] = []
        for offer in Self.offers {
            let client = try SampleClient(offer)
            guard try Self.handshake(client, server), let session = client.session else { continue }
            sessions.append(session)
        }
        for offer in Self.offers {
            for session in [nil] + sessions {
                let client = try SampleClient(offer, resuming: session)
                _ = client.handshake()
                hellos.append(client.takeOutput())
            }
        }
        (self.hellos, self.sessions) = (hellos, sessions)
    }

    private static let offers = [
        SampleOffer(), SampleOffer { $0.newest = .tls12 }, SampleOffer { $0.oldest = .tls13 },
        SampleOffer { $0.protocols = ["h2", "http/1.1"] },
        // The server asks for another hello.
        SampleOffer { $0.groups = "P-521:P-384" },
        SampleOffer {
            $0.serverName = nil
            $0.groups = "P-256"
        },
    ]

    private static func handshake(_ client: SampleClient, _ server: SampleServer) throws -> Bool {
        try server.reset()
        var bytes: [UInt8] = []
        for _ in 0..<5 {
            let progress = client.handshake(bytes)
            let answer = server.handshake(client.takeOutput())
            bytes = server.takeOutput()
            if progress == .failed { return false }
            if answer == .done {
                client.receive(bytes)
                _ = client.read()
                return true
            }
        }
        return false
    }

    /// Checks one more client; returns what is wrong with it.
    func check(_ random: inout SplitMix64) throws -> String? {
        SampleRandom.seed(random.next())
        switch random.number(0...9) {
        case 0...5: return try checkHello(&random)
        case 6, 7: return try checkHandshake(&random)
        default: return try checkRecords(&random)
        }
    }

    private func count(_ outcome: String) { outcomes[outcome, default: 0] += 1 }

    private func checkHello(_ random: inout SplitMix64) throws -> String? {
        var hello = random.pick(hellos)
        if random.chance(60) { HelloMutator.mutate(&hello, &random) }
        if random.chance(70) { FlightMutator.mutate(&hello, &random) }
        let server = random.chance(80) ? server : narrow
        server.knowsNames = random.chance(95)
        defer { server.knowsNames = true }
        try server.reset()
        let (progress, _) = feed(hello, to: server, &random)
        count("hello \(Self.name(progress))")
        // Nobody has proved to know any key yet.
        return progress == .done ? "a handshake of one flight" : nil
    }

    /// Feeds bytes in pieces, as a network does, and takes the output away.
    private func feed(
        _ bytes: [UInt8], to server: SampleServer, _ random: inout SplitMix64
    ) -> (TLSSession.Progress, output: [UInt8]) {
        var output: [UInt8] = []
        var rest = bytes[...]
        var progress = TLSSession.Progress.needsInput
        var pieces = random.pick([1, 1, 1, 2, 5, 40])
        while progress == .needsInput, !rest.isEmpty {
            let piece = pieces <= 1 ? rest : rest.prefix(random.number(1...max(1, rest.count / 2)))
            pieces -= 1
            rest = rest.dropFirst(piece.count)
            progress = server.handshake(Array(piece))
            output += server.takeOutput()
            while progress == .needsOutput {
                progress = server.handshakeAgain()
                output += server.takeOutput()
            }
        }
        return (progress, output)
    }

    private static func name(_ progress: TLSSession.Progress) -> String {
        switch progress {
        case .done: "done"
        case .needsInput, .needsOutput: "open"
        case .failed(let reason): reason.rawValue
        }
    }

    private func checkHandshake(_ random: inout SplitMix64) throws -> String? {
        let client = try SampleClient(random.pick(Self.offers), resuming: random.pick([nil, nil] + sessions))
        let server = random.chance(80) ? server : narrow
        try server.reset()
        let mutated = random.number(0...2)
        var bytes: [UInt8] = []
        var progress = TLSSession.Progress.needsInput
        for flight in 0..<4 where progress == .needsInput {
            guard client.handshake(bytes) != .failed else { break }
            var flightBytes = client.takeOutput()
            if flight == mutated {
                for _ in 0..<random.number(1...3) { FlightMutator.mutate(&flightBytes, &random) }
            }
            (progress, bytes) = feed(flightBytes, to: server, &random)
        }
        count("handshake \(Self.name(progress))")
        guard progress == .done else { return nil }
        let text = Array("GET / HTTP/1.1\r\n\r\n".utf8)
        client.receive(bytes)
        guard client.handshake() == .done, client.write(text) else { return nil }
        var output: [UInt8] = []
        let (plain, _) = server.read(client.takeOutput(), output: &output)
        return text.starts(with: plain) ? nil : "read \(plain)"
    }

    private func checkRecords(_ random: inout SplitMix64) throws -> String? {
        let offer = random.chance(60) ? Self.offers[0] : Self.offers[1]
        let client = try SampleClient(offer, resuming: random.chance(50) ? random.pick(sessions) : nil)
        guard try Self.handshake(client, server) else { return "no handshake with a client of today" }
        var sealer = try SampleSealer(client)
        var (wire, written): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<random.number(1...12) {
            let (record, text) = RecordMaker.next(&sealer, isTLS13: server.isTLS13, &random)
            wire += record
            written += text
        }
        if random.chance(50) { FlightMutator.mutate(&wire, &random) }
        var (read, output): ([UInt8], [UInt8]) = ([], [])
        var last = SampleServer.Reading.needsInput
        while last == .needsInput, !wire.isEmpty {
            let piece = Array(wire.prefix(random.pick([1, 5, 100, 5_000, 40_000])))
            wire.removeFirst(piece.count)
            let (plain, reading) = server.read(piece, output: &output)
            read += plain
            last = reading
            if last == .needsInput, random.chance(10) { _ = server.write(Array("HTTP/1.1 200 OK\r\n".utf8)) }
            output += server.takeOutput()
            if output.count > 2 * 65_536 { return "\(output.count) bytes were sent to a client that asked for nothing" }
        }
        if last != .failed, random.chance(50) { server.close() }
        count("records \(last)")
        return written.starts(with: read) ? nil : "read \(read.count) bytes, not those of \(written.count) written"
    }
}
