import FrameSamples
import FuzzingSupport
import HTTP2

/// Makes sequences of frames that a client might send, and damages some of them.
enum FrameMutator {
    static let commands: [ServerSession.Command] = [.announceEnd, .refuseStreams, .cancelAnswers, .end, .endStalled]

    /// The bytes of a connection.
    static func sequence(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = random.chance(98) ? Frame.preface + Frame.settings().bytes : []
        if random.chance(80) { bytes += Frame.settingsAcknowledgement.bytes }
        var next: UInt32 = 1
        let steadiness = random.pick([100, 95, 60])
        for _ in 0..<random.pick([3, 10, 40, 300]) {
            var frames = step(&next, &random)
            if !random.chance(steadiness) { mutate(&frames, &random) }
            for frame in frames {
                var text = frame.bytes
                if !random.chance(steadiness), random.chance(20) { damage(&text, &random) }
                bytes += text
            }
        }
        if random.chance(10) { bytes.removeLast(random.number(0...min(20, bytes.count))) }
        return bytes
    }

    private static func step(_ next: inout UInt32, _ random: inout SplitMix64) -> [Frame] {
        let recent = next > 2 ? next - 2 * UInt32(random.number(1...min(5, Int(next / 2)))) : 1
        switch random.number(below: 16) {
        case 0...6:
            defer { next += 2 }
            return request(next, &random)
        case 7:
            return [.windowUpdate(random.pick([1, 1_000, 65_535, 0x7FFF_FFFF, 0]), stream: random.pick([0, recent]))]
        case 8:
            let setting = random.number(0...10)
            return [.settings([(setting, random.pick([0, 1, 2, 100, 4_096, 16_384, 65_535, 0x7FFF_FFFF]))])]
        case 9: return [.ping(flags: random.pick([0, 1]))]
        case 10: return [.resetStream(recent, code: random.number(0...14))]
        case 11: return [.data(random.pick([0, 1, 100, 16_384]), stream: recent, flags: random.pick([0, 1]))]
        case 12: return [Frame(Frame.Kind.priority, stream: recent, [0, 0, 0, 1, 16])]
        case 13: return [Frame(random.byte(), flags: random.byte(), stream: recent, bytes(20, &random))]
        case 14: return [.settingsAcknowledgement]
        default: return [Frame(Frame.Kind.goAway, [0, 0, 0, 0, 0, 0, 0, random.byte() & 15])]
        }
    }

    private static func request(_ stream: UInt32, _ random: inout SplitMix64) -> [Frame] {
        let method = random.pick(["GET", "GET", "HEAD", "POST", "CONNECT", "OPTIONS", "g\t", ""])
        var fields = HeaderEncoder.pseudo(
            method: method, scheme: random.pick(["https", "https", "https", "http"]),
            path: random.pick(["/", "/.well-known/apple-app-site-association", "/%2e#", "*", "", "/\u{0}", "/a b"]),
            host: random.pick(["localhost", "example.com:443", "a@b", "[::1]", ""]))
        if random.chance(20) { fields.remove(at: random.number(below: fields.count)) }
        for _ in 0..<random.number(0...4) {
            fields.insert(
                random.pick(self.fields), at: random.chance(95) ? fields.count : random.number(0...fields.count))
        }
        if random.chance(2) {
            fields.append(("x", String(repeating: "y", count: random.pick([4_000, 8_190, 16_000]))))
        }
        var block = random.chance(50) ? HeaderEncoder.encode(fields) : HeaderEncoder.encodeIndexed(fields)
        if random.chance(10) { block.insert(random.pick([0x80, 0xBE, 0xC5, 0x20, 0x3F, 0xFF]), at: 0) }
        if random.chance(5) { damage(&block, &random) }
        let ends: UInt8 = random.chance(80) ? Frame.Flag.endStream : 0
        guard random.chance(20), block.count > 4 else {
            return [Frame(Frame.Kind.headers, flags: ends | Frame.Flag.endHeaders, stream: stream, block)]
        }
        let cut = random.number(0...block.count)
        return [
            Frame(Frame.Kind.headers, flags: ends, stream: stream, Array(block[..<cut])),
            Frame(Frame.Kind.continuation, flags: Frame.Flag.endHeaders, stream: stream, Array(block[cut...])),
        ]
    }

    private static let fields = [
        ("user-agent", "AASA-Bot"), ("content-length", "0"), ("content-length", "5"), ("te", "trailers"),
        ("te", "gzip"),
        ("connection", "close"), ("host", "localhost"), ("host", "other"), ("if-none-match", "*"), ("expect", "x"),
        ("priority", "u=1, i"), ("cookie", "a=b"), ("Upper", "x"), ("x", "a\r\nGET / HTTP/1.1"), ("x", "\u{0}"),
        (":status", "1"),
        (":protocol", "websocket"), ("", ""), ("transfer-encoding", "chunked"), ("x", ""), ("x", " y"),
    ]

    private static func mutate(_ frames: inout [Frame], _ random: inout SplitMix64) {
        let index = random.number(below: frames.count)
        switch random.number(below: 7) {
        case 0: frames[index].type = random.byte() & 15
        case 1: frames[index].flags = random.byte()
        case 2: frames[index].stream = random.pick([0, 1, 2, 5, 0x7FFF_FFFF, 0xFFFF_FFFF])
        case 3: frames[index].payload = bytes(random.number(0...20), &random)
        case 4: frames.append(frames[index])
        case 5: frames.remove(at: index)
        default: damage(&frames[index].payload, &random)
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = random.number(below: bytes.count)
        switch random.number(below: 3) {
        case 0: bytes[index] = random.byte()
        case 1: bytes.remove(at: index)
        default: bytes.insert(random.byte(), at: index)
        }
    }

    private static func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in random.byte() }
    }
}
