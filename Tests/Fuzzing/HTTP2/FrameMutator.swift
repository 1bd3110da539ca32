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
        // One wrong frame ends most connections, so many have to be right.
        let badness = random.pick([0, 1, 5, 40])
        for _ in 0..<random.pick([3, 10, 40, 300]) {
            var frames = random.chance(badness) ? badStep(&next, &random) : goodStep(&next, &random)
            if random.chance(badness) { mutate(&frames, &random) }
            for frame in frames {
                var text = frame.bytes
                if random.chance(badness / 4) { damage(&text, &random) }
                bytes += text
            }
        }
        if random.chance(10) { bytes.removeLast(random.number(0...min(20, bytes.count))) }
        return bytes
    }

    private static func recent(_ next: UInt32, _ random: inout SplitMix64) -> UInt32 {
        next > 2 ? next - 2 * UInt32(random.number(1...min(5, Int(next / 2)))) : 1
    }

    /// Frames that a client may send, whatever was before.
    private static func goodStep(_ next: inout UInt32, _ random: inout SplitMix64) -> [Frame] {
        let stream = recent(next, &random)
        switch next == 1 ? 0 : random.number(below: 16) {
        case 0...8:
            defer { next += 2 }
            let method = random.pick(["GET", "GET", "HEAD", "POST", "OPTIONS"])
            let fields =
                HeaderEncoder.pseudo(method: method, path: random.pick(goodPaths), host: random.pick(goodHosts))
                + random.list(of: goodFields, upTo: 4)
            return request(fields, next, &random)
        case 9: return [.windowUpdate(random.pick([1, 1_000, 65_535]), stream: random.pick([0, stream]))]
        case 10:
            let settings = [
                (1, [0, 100, 4_096]), (3, [0, 100]), (4, [0, 1, 1_000, 65_535]), (5, [16_384, 65_536]), (9, [1]),
            ]
            let (setting, values) = random.pick(settings)
            return [.settings([(setting, random.pick(values))])]
        case 11: return [.ping(flags: random.pick([0, 1]))]
        case 12: return [.resetStream(stream, code: random.number(0...14))]
        case 13: return [Frame(0x20 + random.byte() & 0x1F, flags: random.byte(), stream: stream, bytes(20, &random))]
        case 14: return [Frame(Frame.Kind.priority, stream: stream, [0, 0, 0, 1, 16])]
        default: return [.settingsAcknowledgement]
        }
    }

    /// Frames that are wrong, or seldom right.
    private static func badStep(_ next: inout UInt32, _ random: inout SplitMix64) -> [Frame] {
        let stream = recent(next, &random)
        switch random.number(below: 8) {
        case 0...2:
            defer { next += 2 }
            return badRequest(next, &random)
        case 3: return [.windowUpdate(random.pick([0, 0x7FFF_FFFF]), stream: random.pick([0, stream]))]
        case 4:
            let value = random.pick([0, 1, 2, 100, 4_096, 16_384, 65_535, 0x7FFF_FFFF])
            return [.settings([(random.number(0...10), value)])]
        case 5: return [.data(random.pick([0, 1, 100, 16_384]), stream: stream, flags: random.pick([0, 1]))]
        case 6: return [Frame(random.byte(), flags: random.byte(), stream: stream, bytes(20, &random))]
        default: return [Frame(Frame.Kind.goAway, [0, 0, 0, 0, 0, 0, 0, random.byte() & 15])]
        }
    }

    private static func badRequest(_ stream: UInt32, _ random: inout SplitMix64) -> [Frame] {
        var fields = HeaderEncoder.pseudo(
            method: random.pick(["GET", "CONNECT", "g\t", ""]), scheme: random.pick(["https", "https", "http"]),
            path: random.pick(["/", "/%2e#", "*", "", "/\u{0}", "/a b"]), host: random.pick(["localhost", "a@b", ""]))
        if random.chance(20) { fields.remove(at: random.number(below: fields.count)) }
        for _ in 0..<random.number(0...4) {
            fields.insert(
                random.pick(self.fields), at: random.chance(95) ? fields.count : random.number(0...fields.count))
        }
        return request(fields, stream, &random)
    }

    private static func request(
        _ fields: [(String, String)], _ stream: UInt32, _ random: inout SplitMix64
    ) -> [Frame] {
        let large = random.chance(2) ? [("x", String(repeating: "y", count: random.pick([4_000, 8_190, 16_000])))] : []
        var block =
            random.chance(50) ? HeaderEncoder.encode(fields + large) : HeaderEncoder.encodeIndexed(fields + large)
        // A size of the table, or an index of it that may not be there.
        if random.chance(3) { block.insert(random.pick([0x20, 0xBE, 0xC5, 0x80, 0x3F]), at: 0) }
        let ends: UInt8 = random.chance(80) ? Frame.Flag.endStream : 0
        guard random.chance(20) else {
            return [Frame(Frame.Kind.headers, flags: ends | Frame.Flag.endHeaders, stream: stream, block)]
        }
        let cut = random.number(0...block.count)
        return [
            Frame(Frame.Kind.headers, flags: ends, stream: stream, Array(block[..<cut])),
            Frame(Frame.Kind.continuation, flags: Frame.Flag.endHeaders, stream: stream, Array(block[cut...])),
        ]
    }

    private static let goodPaths = ["/", "/.well-known/apple-app-site-association", "/a?b", "/%2e", "/#"]
    private static let goodHosts = ["localhost", "example.com:443", "[::1]", "a@b"]
    private static let goodFields = [
        ("user-agent", "AASA-Bot"), ("content-length", "0"), ("te", "trailers"), ("if-none-match", "*"),
        ("expect", "x"),
        ("priority", "u=1, i"), ("cookie", "a=b"), ("x", ""), ("accept", "*/*"),
    ]
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
