import FrameSamples
import HTTP1
import HTTP2
import Testing

/// Frames that cost a peer little, and are bounded for that (docs/spec/http2.md, section 4).
struct FrameFloodTests {
    struct Flood: CustomTestStringConvertible, Sendable {
        let name: String
        /// The number that is allowed at once, and the number a second after that.
        let burst: Int
        let perSecond: Int
        let fault: StreamFault
        /// The frames of one, by its number from 0.
        let frames: @Sendable (Int) -> [Frame]

        var testDescription: String { name }
    }

    private static func stream(_ number: Int) -> UInt32 { UInt32(2 * number + 1) }

    /// SETTINGS of the peer and its acknowledgement of ours are two frames already.
    private static let controls: [(String, @Sendable (Int) -> [Frame])] = [
        ("PING", { _ in [.ping()] }), ("acknowledgements of PING", { _ in [.ping(flags: 1)] }),
        ("SETTINGS", { _ in [.settings([(4, 1_000)])] }),
        ("PRIORITY", { _ in [Frame(2, stream: 1, [0, 0, 0, 0, 1])] }),
        ("WINDOW_UPDATE", { _ in [.windowUpdate(1)] }), ("unknown frames", { _ in [Frame(0xEE, stream: 3, [1])] }),
        ("PRIORITY_UPDATE", { _ in [Frame(0x10, [0, 0, 0, 1, 0x75])] }),
    ]

    private static let floods =
        controls.map { Flood(name: $0.0, burst: 998, perSecond: 100, fault: .frames, frames: $0.1) } + [
            // The answer gives back what SETTINGS took.
            Flood(name: "HEADERS on a lower stream", burst: 1_000, perSecond: 100, fault: .frames) {
                $0 == 0 ? [.get(stream: 5), .get(stream: 3)] : [.get(stream: 3)]
            },
            Flood(name: "rapid reset", burst: 200, perSecond: 20, fault: .resets) {
                [.get(stream: stream($0)), .resetStream(stream($0))]
            },
            Flood(name: "resets that are provoked: a window that overflows", burst: 200, perSecond: 20, fault: .resets)
            {
                [
                    .request(HeaderEncoder.pseudo(method: "POST"), stream: stream($0), flags: Frame.Flag.endHeaders),
                    .windowUpdate(0x7FFF_FFFF, stream: stream($0)),
                ]
            },
            Flood(name: "resets that are provoked: malformed requests", burst: 200, perSecond: 20, fault: .resets) {
                [.get(stream: stream($0), [("connection", "close")])]
            },
        ]

    @Test("A flood ends the connection with ENHANCE_YOUR_CALM, and no less does", arguments: floods)
    func flood(example: Flood) throws {
        let peer = try SessionPeer()
        var number = 0
        func send() -> Int? {
            defer { number += 1 }
            return SessionPeer.code(
                of: Frame.Kind.goAway, in: peer.send(bytes: example.frames(number).flatMap(\.bytes)))
        }
        for _ in 0..<example.burst { #expect(send() == nil) }
        peer.now += 1_000
        for _ in 0..<example.perSecond { #expect(send() == nil) }
        #expect(send() == Code.calm)
        #expect(peer.isDone)
        #expect(peer.buffers.pointee[example.fault] == 1)
        // Nobody looks at what follows.
        let heads = peer.heads.count
        #expect(peer.send(.get(stream: 99_999)).isEmpty && peer.heads.count == heads)
    }

    @Test("Empty DATA on a stream that waits is bounded")
    func emptyData() throws {
        let peer = try SessionPeer()
        peer.send(.settings([(4, 0)]), .request(HeaderEncoder.pseudo(method: "POST"), flags: Frame.Flag.endHeaders))
        var count = 0
        while count < 2_000, !peer.isDone {
            peer.send(.data(0))
            count += 1
        }
        #expect((900...1_000).contains(count))
        #expect(peer.buffers.pointee[.frames] == 1)
    }

    @Test("A flood in one piece of input is bounded, too: acknowledgements do not pile up")
    func onePiece() throws {
        for frame in [Frame.ping(), .settings([(4, 1_000)])] {
            let peer = try SessionPeer()
            let sent = peer.send(bytes: [[UInt8]](repeating: frame.bytes, count: 10_000).flatMap { $0 })
            #expect(SessionPeer.code(of: Frame.Kind.goAway, in: sent) == Code.calm)
            #expect(sent.count <= 101)
        }
    }

    @Test("A hundred acknowledgements wait, and no more", arguments: [Frame.ping(), .settings([(4, 1_000)])])
    func acknowledgements(frame: Frame) throws {
        for (count, isAllowed) in [(100, true), (101, false), (900, false)] {
            let peer = try SessionPeer()
            let sent = peer.send(bytes: [[UInt8]](repeating: frame.bytes, count: count).flatMap { $0 })
            #expect(peer.isDone != isAllowed)
            #expect(isAllowed ? sent.count == count : sent.count <= 101)
        }
    }

    @Test("A SETTINGS frame may have 32 entries", arguments: [(32, true), (33, false), (2_000, false)])
    func settings(count: Int, isAllowed: Bool) throws {
        let peer = try SessionPeer()
        let sent = peer.send(.settings(Array(repeating: (4, 1_000), count: count)))
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: sent) == (isAllowed ? nil : Code.calm))
        #expect(peer.isDone != isAllowed)
    }

    @Test("A peer may send two WINDOW_UPDATE frames for each answer with a body")
    func honestPeer() throws {
        let peer = try SessionPeer()
        peer.send(.settings([(4, 65_535)]))
        for number in 0..<5_000 {
            let stream = Self.stream(number)
            let sent = peer.send(.get(stream: stream), .windowUpdate(16), .windowUpdate(16, stream: stream))
            #expect(sent.contains { $0.endsStream })
        }
        #expect(!peer.isDone && peer.heads.count == 5_000)
    }

    @Test("Endless CONTINUATION frames are bounded by frames and by bytes (CVE-2024-28182)")
    func continuation() throws {
        let begun = Frame(Frame.Kind.headers, flags: 1, stream: 1, HeaderEncoder.encode(HeaderEncoder.pseudo()))
        func more(_ payload: [UInt8], flags: UInt8 = 0) -> Frame {
            Frame(Frame.Kind.continuation, flags: flags, stream: 1, payload)
        }
        let frames = try SessionPeer()
        frames.send(begun)
        for _ in 0..<8 { #expect(frames.send(more([])).isEmpty) }
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: frames.send(more([]))) == Code.calm)
        #expect(frames.buffers.pointee[.headerBlock] == 1)
        let bytes = try SessionPeer()
        bytes.send(begun)
        let field = HeaderEncoder.encode([("x", String(repeating: "y", count: 8_100))])
        #expect(bytes.send(more(field)).isEmpty)
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: bytes.send(more(field + field))) == Code.calm)
        let whole = try SessionPeer()
        whole.send(begun)
        for _ in 0..<7 { whole.send(more([])) }
        #expect(whole.send(more([], flags: 4)).contains { $0.endsStream })
    }

    @Test(
        "A header list that decompresses to many times its size is refused, and ends the connection if it is far too large"
    )
    func compressionBomb() throws {
        let peer = try SessionPeer()
        let large = HeaderEncoder.encodeIndexed([("x", String(repeating: "y", count: 3_900))])
        let pseudo = HeaderEncoder.encode(HeaderEncoder.pseudo())
        peer.send(Frame(Frame.Kind.headers, flags: 5, stream: 1, pseudo + large))
        #expect(peer.refusals.isEmpty)
        // Each byte stands for 3,933.
        func send(_ count: Int, on stream: UInt32) -> [Frame] {
            peer.send(
                Frame(Frame.Kind.headers, flags: 5, stream: stream, pseudo + [UInt8](repeating: 0xBE, count: count)))
        }
        for stream in stride(from: UInt32(3), to: 43, by: 2) { #expect(send(8, on: stream).count == 2) }
        #expect(peer.refusals == [Status](repeating: .requestHeaderFieldsTooLarge, count: 20))
        #expect(peer.send(.get(stream: 43)).contains { $0.endsStream })
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: send(16_000, on: 45)) == Code.calm)
        #expect(peer.buffers.pointee[.headerBlock] == 1)
    }

    /// Each byte of the block stands for a whole field, which costs a server memory that joins or keeps fields; windows of
    /// zero have it keep them (CVE-2026-49975, CVE-2026-47774: "HTTP/2 Bomb").
    @Test(
        "Many small repeated fields hold no more memory than none while windows are closed",
        arguments: [("cookie", "a"), ("x", ""), ("a", "b")])
    func repeatedFields(name: String, value: String) throws {
        func held(_ count: Int) throws -> (open: Int, closed: Int) {
            let peer = try SessionPeer()
            peer.send(.settings([(4, 0)]))
            let pseudo = HeaderEncoder.encode(HeaderEncoder.pseudo())
            let first = HeaderEncoder.encodeIndexed([(name, value)])
            let streams = (0..<100).map(Self.stream)
            for stream in streams {
                let fields = (stream == 1 ? first : [0xBE]) + [UInt8](repeating: 0xBE, count: count)
                peer.send(Frame(Frame.Kind.headers, flags: 5, stream: stream, pseudo + fields))
            }
            // The answers to all of them wait; a head of more than 100 fields is refused.
            #expect(peer.heads.count == 100 && !peer.isDone)
            #expect(peer.refusals.count == (count > 100 ? 100 : 0))
            let open = peer.heldBytes
            peer.now += 60_000
            for stream in streams { peer.send(.resetStream(stream)) }
            return (open, peer.heldBytes)
        }
        let few = try held(0)
        for many in [try held(90), try held(190)] {
            #expect(many.open < few.open + 4_096)
            // docs/spec/http2.md, section 4: of 100 open streams.
            #expect(20_000...150_000 ~= many.open)
            // Streams that are closed are forgotten but for a few that the library keeps.
            #expect(many.closed < 32_768)
        }
    }
}
