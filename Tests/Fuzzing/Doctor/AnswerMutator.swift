import DomainDoctor
import DomainNames
import FuzzingSupport
import HTTPClient

/// Makes answers that are almost right.
struct AnswerMutator {
    static let headerLimit = 32_768

    /// Who answers.
    enum Sender {
        case origin, copy, assetLinks, google

        var bodies: [[UInt8]] {
            switch self {
            case .origin, .copy: AnswerSeeds.bodies
            case .assetLinks: AnswerSeeds.androidBodies
            case .google: AnswerSeeds.views
            }
        }
    }

    private let json = JSONMutator(
        seeds: AnswerSeeds.bodies + AnswerSeeds.androidBodies + AnswerSeeds.views, pieces: AnswerSeeds.pieces)

    /// A block of header lines for their reader; there may be several answers in it, or more lines after them.
    func header(_ random: inout SplitMix64) -> [UInt8] {
        var block: [UInt8] = []
        for _ in 0..<random.number(1...2) {
            block += header(of: random.chance(50) ? .origin : .copy, &random)
        }
        for _ in 0..<random.number(0...6) { mutate(&block, &random) }
        if random.chance(1) {
            let filling = Array(random.pick(["X: y\r\n", " \r\n", "\tz\n", "\r\n", "a"]).utf8)
            let place = random.number(0...block.count)
            block.insert(contentsOf: (0..<8_000).flatMap { _ in filling }, at: place)
        }
        return block
    }

    private func header(of sender: Sender, _ random: inout SplitMix64) -> [UInt8] {
        var block = Array("\(random.chance(97) ? "HTTP/1.1" : random.pick(["HTTP/2", "HTTP/", "HTP", " "])) ".utf8)
        block += random.pick(AnswerSeeds.statuses).utf8
        block += "\r\n".utf8
        let fields = sender == .copy ? AnswerSeeds.copyFields : AnswerSeeds.originFields
        for field in random.list(of: fields, upTo: 5) { block += "\(field)\r\n".utf8 }
        return block + "\r\n".utf8
    }

    private func mutate(_ block: inout [UInt8], _ random: inout SplitMix64) {
        guard !block.isEmpty else { return }
        let offset = random.number(below: block.count)
        switch random.number(below: 8) {
        case 0: block[offset] = random.byte()
        case 1: block[offset] ^= 1 << UInt8(random.number(below: 8))
        case 2: block.removeSubrange(offset..<min(block.count, offset + 1 + random.number(below: 12)))
        case 3: block.insert(contentsOf: random.pick(AnswerSeeds.hostile), at: offset)
        case 4: block.insert(contentsOf: random.pick(["\r\n ", "\n\t", "\r\n", "\n", ":", " ", "\r"]).utf8, at: offset)
        case 5:
            let end = min(block.count, offset + 1 + random.number(below: 40))
            block.insert(contentsOf: block[offset..<end], at: random.number(0...block.count))
        case 6: insert(random.pick(AnswerSeeds.hostile), intoValueAfter: offset, &block)
        default: if random.chance(20) { block.removeSubrange(offset...) }
        }
    }

    /// After the next colon, where it ends up in what is shown.
    private func insert(_ text: [UInt8], intoValueAfter offset: Int, _ block: inout [UInt8]) {
        guard let colon = block[offset...].firstIndex(of: UInt8(ascii: ":")) else { return }
        block.insert(contentsOf: text, at: colon + 1)
    }

    /// An answer as its reader hands it on, and what comes of a header that it refuses.
    func exchange(
        of sender: Sender, from address: IPAddress, _ random: inout SplitMix64
    ) -> Result<Response, Failure> {
        if random.chance(4) { return .failure(failure(at: address, &random)) }
        var block = header(of: sender, &random)
        for _ in 0..<random.number(0...3) { mutate(&block, &random) }
        let reading = HeaderReading(block, limit: Self.headerLimit)
        guard let head = reading.head else {
            let reason: Failure.Reason =
                switch reading.problem {
                case .tooLarge?: .headerTooLarge
                case .malformed?: .malformedHeader
                case nil: .closed
                }
            return .failure(Failure(reason, phase: .header, address: address, headerBytes: reading.bytes))
        }
        var body = random.pick(sender.bodies)
        for _ in 0..<random.number(0...3) { json.mutate(&body, &random) }
        return .success(
            Response(
                head: head, body: body, isTruncated: !body.isEmpty && random.chance(2), address: address,
                times: times(&random)))
    }

    private func times(_ random: inout SplitMix64) -> TransferTimes {
        let header = Duration.milliseconds(random.pick([0, 1, 84, 999, 3_000, 60_000]))
        return TransferTimes(header: random.chance(95) ? header : nil, total: header)
    }

    func failure(at address: IPAddress, _ random: inout SplitMix64) -> Failure {
        let text = String(decoding: random.pick(AnswerSeeds.hostile), as: UTF8.self)
        let reasons: [Failure.Reason] = [
            .notConnected(.refused), .notConnected(.other(110)), .tls(.alert(random.byte())), .tls(.other(text)),
            .certificateRefused(10), .nameMismatch, .timedOut, .closed, .reset, .notHTTP, .malformedHeader,
            .incompleteBody(expected: 9, received: 3), .incompleteBody(expected: nil, received: 0), .headerTooLarge,
            .tooMuchReceived, .undecodableBody, .proxyRefused(status: 407), .cancelled, .outOfResources(24), .other(56),
        ]
        let phases: [Failure.Phase] = [.queued, .connecting, .handshaking, .waiting, .header, .body]
        let head = HeaderReading(header(of: .origin, &random), limit: Self.headerLimit).head
        return Failure(
            random.pick(reasons), phase: random.pick(phases), address: address, headerBytes: random.number(0...900),
            bodyBytes: random.number(0...900), head: random.chance(50) ? head : nil, times: times(&random)
        )
    }
}
