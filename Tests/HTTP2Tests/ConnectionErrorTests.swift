import FrameSamples
import HTTP2
import Testing

/// Frames that end a connection, and frames like them that do not (RFC 9113, sections 3.4 to 6.10).
struct ConnectionErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let rule: String
        let frames: [Frame]
        /// The error code of the GOAWAY; nil if there must be none.
        let code: Int?

        init(_ rule: String, _ frames: Frame..., code: Int?) {
            (self.rule, self.frames, self.code) = (rule, frames, code)
        }

        var testDescription: String { rule }
    }

    private static let padded: UInt8 = Frame.Flag.padded
    private static let ends = Frame.Flag.endHeaders | Frame.Flag.endStream
    private static let open = Frame.request(HeaderEncoder.pseudo(method: "POST"), flags: Frame.Flag.endHeaders)
    private static let block = HeaderEncoder.encode(HeaderEncoder.pseudo())
    private static let begun = Frame(Frame.Kind.headers, flags: Frame.Flag.endStream, stream: 1, block)

    private static let frameCases = [
        Case("4.2: a frame of 16,384 bytes", Frame(0xEE, [UInt8](repeating: 0, count: 16_384)), code: nil),
        Case("4.2: a larger frame", Frame(0xEE, [UInt8](repeating: 0, count: 16_385)), code: Code.frameSize),
        Case("4.2: a larger frame on a stream", .get(), .data(16_385), code: Code.frameSize),
        Case("4.1, 5.5: an unknown type", Frame(0xEE, flags: 0xFF, stream: 7, [1, 2, 3]), code: nil),
        Case("4.1: unknown flags", Frame(Frame.Kind.ping, flags: 0xFE, Array("12345678".utf8)), code: nil),
        Case("4.1: the reserved bit", Frame.get(stream: 0x8000_0001), code: nil),
        Case("4.3: a frame within a header block", begun, .ping(), code: Code.protocolError),
        Case("4.3: an unknown frame within a header block", begun, Frame(0xEE), code: Code.protocolError),
        Case("4.3: HEADERS within a header block", begun, .get(stream: 3), code: Code.protocolError),
        Case("6.10: CONTINUATION alone", Frame(Frame.Kind.continuation, flags: 4, stream: 1), code: Code.protocolError),
        Case(
            "6.10: CONTINUATION after a whole block", .get(), Frame(Frame.Kind.continuation, flags: 4, stream: 1),
            code: Code.protocolError),
        Case(
            "6.10: CONTINUATION of another stream", begun, Frame(Frame.Kind.continuation, flags: 4, stream: 3),
            code: Code.protocolError),
        Case(
            "6.10: CONTINUATION on stream 0", begun, Frame(Frame.Kind.continuation, flags: 4, stream: 0),
            code: Code.protocolError),
    ]

    private static let streamCases = [
        Case("5.1.1: an even stream", .get(stream: 2), code: Code.protocolError),
        Case("5.1.1: streams may be left out", .get(stream: 7), .get(stream: 9), code: nil),
        Case("5.1: DATA on an idle stream", .data(1, stream: 5), code: Code.protocolError),
        Case("5.1: WINDOW_UPDATE on an idle stream", .windowUpdate(1, stream: 5), code: Code.protocolError),
        Case("6.4: RST_STREAM on an idle stream", .resetStream(5), code: Code.protocolError),
        Case("5.1: PRIORITY on an idle stream", Frame(Frame.Kind.priority, stream: 5, [0, 0, 0, 0, 1]), code: nil),
        Case("5.1: WINDOW_UPDATE on a closed stream", .get(), .windowUpdate(1, stream: 1), code: nil),
        Case("5.1: RST_STREAM on a closed stream", .get(), .resetStream(1), code: nil),
        Case("6.1: DATA on stream 0", .data(1, stream: 0), code: Code.protocolError),
        Case(
            "6.1: padding as long as DATA", .settings([(4, 0)]), open,
            Frame(Frame.Kind.data, flags: padded, stream: 1, [4, 0, 0, 0]),
            code: Code.protocolError),
        Case(
            "6.1: padded DATA without a length", .settings([(4, 0)]), open,
            Frame(Frame.Kind.data, flags: padded, stream: 1),
            code: Code.protocolError),
        Case("6.2: HEADERS on stream 0", .get(stream: 0), code: Code.protocolError),
        Case(
            "6.2: padding as long as HEADERS",
            Frame(Frame.Kind.headers, flags: ends | padded, stream: 1, [UInt8(block.count + 1)] + block),
            code: Code.protocolError),
        Case(
            "6.2: padded HEADERS",
            Frame(Frame.Kind.headers, flags: ends | padded, stream: 1, [3] + block + [0, 0, 0]), code: nil),
        Case(
            "5.3: HEADERS with a priority",
            Frame(Frame.Kind.headers, flags: ends | Frame.Flag.priority, stream: 1, [0, 0, 0, 0, 1] + block), code: nil),
        Case(
            "6.3: PRIORITY on stream 0", Frame(Frame.Kind.priority, [0, 0, 0, 0, 1]), code: Code.protocolError),
        Case("6.3: PRIORITY of 4 bytes", Frame(Frame.Kind.priority, stream: 1, [0, 0, 0, 0]), code: Code.frameSize),
        Case("6.4: RST_STREAM on stream 0", .resetStream(0), code: Code.protocolError),
        Case(
            "6.4: RST_STREAM of 3 bytes", .get(), Frame(Frame.Kind.resetStream, stream: 1, [0, 0, 0]),
            code: Code.frameSize),
    ]

    private static let controlCases = [
        Case("6.5: unknown settings", .settings([(0xFFFF, 7), (0x99, 0)]), code: nil),
        Case("6.5: an ACK with a payload", Frame(4, flags: 1, [0, 1, 0, 0, 0, 0]), code: Code.frameSize),
        Case("6.5: 5 bytes", Frame(4, [0, 1, 0, 0, 0]), code: Code.frameSize),
        Case("6.5: on a stream", Frame(4, stream: 1), code: Code.protocolError),
        Case("6.5.2: ENABLE_PUSH 0 and 1", .settings([(2, 0)]), .settings([(2, 1)]), code: nil),
        Case("6.5.2: ENABLE_PUSH 2", .settings([(2, 2)]), code: Code.protocolError),
        Case("6.5.2: INITIAL_WINDOW_SIZE 2^31 - 1", .settings([(4, 0x7FFF_FFFF)]), code: nil),
        Case("6.5.2: INITIAL_WINDOW_SIZE 2^31", .settings([(4, 0x8000_0000)]), code: Code.flowControl),
        Case("6.5.2: MAX_FRAME_SIZE 16,384", .settings([(5, 16_384)]), code: nil),
        Case("6.5.2: MAX_FRAME_SIZE 16,383", .settings([(5, 16_383)]), code: Code.protocolError),
        Case("6.5.2: MAX_FRAME_SIZE 2^24", .settings([(5, 16_777_216)]), code: Code.protocolError),
        Case("32 settings", .settings([(Int, Int)](repeating: (0x99, 0), count: 32)), code: nil),
        Case("33 settings", .settings([(Int, Int)](repeating: (0x99, 0), count: 33)), code: Code.calm),
        Case(
            "6.6: PUSH_PROMISE", .get(), Frame(Frame.Kind.pushPromise, flags: 4, stream: 1, [0, 0, 0, 2] + block),
            code: Code.protocolError),
        Case("6.7: PING on a stream", Frame(6, stream: 1, Array("12345678".utf8)), code: Code.protocolError),
        Case("6.7: PING of 7 bytes", Frame(6, Array("1234567".utf8)), code: Code.frameSize),
        Case("6.8: GOAWAY on a stream", Frame(7, stream: 1, [0, 0, 0, 0, 0, 0, 0, 0]), code: Code.protocolError),
        Case("6.8: GOAWAY of 7 bytes", Frame(7, [0, 0, 0, 0, 0, 0, 0]), code: Code.frameSize),
        Case("6.9: WINDOW_UPDATE of 0 for the connection", .windowUpdate(0), code: Code.protocolError),
        Case("6.9: WINDOW_UPDATE of 3 bytes", Frame(8, [0, 0, 1]), code: Code.frameSize),
        Case("6.9.1: a window of 2^31 - 1", .windowUpdate(0x7FFF_FFFF - 65_535), code: nil),
        Case("6.9.1: a window of 2^31", .windowUpdate(0x7FFF_FFFF - 65_534), code: Code.flowControl),
    ]

    /// Header blocks that cannot be decoded (RFC 7541, sections 2.3, 4.2, 5 and 6).
    private static let compressionCases = [
        ("6.1: index 0", [0x80]), ("2.3.3: an index beyond the table", [0xC0]),
        ("2.3.3: a name beyond the table", [0x7F, 0x00, 0x00]),
        ("5.1: an integer that overflows", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
        ("5.2: padding of 8 bits", [0x00, 0x82, 0x1F, 0xFF, 0x00]),
        ("5.2: padding that is not ones", [0x00, 0x81, 0x18, 0x00]),
        ("5.2: EOS", [0x00, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x00]),
        ("5.2: a text longer than the block", [0x00, 0x7F, 0x00]),
        ("6.3: a table larger than was allowed", [0x3F, 0xE2, 0x1F]),
        ("4.2: a size of the table after a field", HeaderEncoder.encode([("a", "b")]) + [0x20]),
    ].map { rule, bytes in
        Case(rule, Frame(Frame.Kind.headers, flags: ends, stream: 1, bytes), code: Code.compression)
    }

    @Test(
        "Frames that break a rule of the connection end it with the code of the rule, others do not",
        arguments: frameCases + streamCases + controlCases + compressionCases, [Int.max, 1])
    func code(of example: Case, pieces: Int) throws {
        let peer = try SessionPeer()
        let sent = peer.send(bytes: example.frames.flatMap(\.bytes), pieces: pieces)
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: sent) == example.code)
        #expect(peer.isDone == (example.code != nil))
        // Whoever is well-behaved is answered all the same.
        guard example.code == nil else { return }
        #expect(!sent.contains { $0.type == Frame.Kind.resetStream && $0.errorCode != 0 })
        #expect(peer.send(.get(stream: 99)).contains { $0.stream == 99 && $0.endsStream })
    }

    @Test("3.4: a connection that does not begin with the preface and SETTINGS ends")
    func preface() throws {
        let beginnings: [[UInt8]] = [
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\rX".utf8), Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
            Frame.preface + Frame.get().bytes, Frame.preface + Frame.settingsAcknowledgement.bytes,
        ]
        for beginning in beginnings {
            let peer = try SessionPeer(sendsPreface: false)
            let sent = peer.send(bytes: beginning)
            // Ours come first, whatever the peer does.
            #expect(sent.first?.type == Frame.Kind.settings)
            #expect(SessionPeer.code(of: Frame.Kind.goAway, in: sent) == Code.protocolError)
            #expect(peer.isDone && peer.heads.isEmpty)
            #expect(peer.buffers.pointee[.protocolError] == 1)
        }
    }

    @Test("3.4, 6.5: the settings are sent at once and say what is allowed")
    func settings() throws {
        let peer = try SessionPeer(streams: 7, sendsPreface: false)
        peer.write()
        #expect(peer.frames == [.settings([(3, 7), (6, 8_192), (9, 1)])])
        #expect(peer.hasPartialInput)
        let sent = peer.send(bytes: Frame.preface + Frame.settings([(1, 0), (3, 1)]).bytes, pieces: 1)
        #expect(sent == [.settingsAcknowledgement])
        #expect(!peer.hasPartialInput)
    }

    @Test("6.7: a PING comes back, an acknowledgement of one does not")
    func ping() throws {
        let peer = try SessionPeer()
        #expect(peer.send(.ping("abcdefgh")) == [.ping("abcdefgh", flags: 1)])
        #expect(peer.send(.ping("abcdefgh", flags: 1)).isEmpty)
    }

    @Test("5.1.1: a stream lower than one before is not answered, 5.1: nor are frames on an ended stream")
    func closedStreams() throws {
        let peer = try SessionPeer()
        peer.send(.get(stream: 5))
        // It is not told apart from trailers of a stream that was closed meanwhile.
        #expect(peer.send(.get(stream: 3)).isEmpty)
        #expect(peer.heads.count == 1)
        peer.body = [UInt8](repeating: 0, count: 100_000)
        peer.send(.get(stream: 7))
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: peer.send(.data(1, stream: 7))) == Code.streamClosed)
        #expect(peer.buffers.pointee[.streamClosed] == 1)
    }

    @Test("5.1.2: a stream too many is refused, and ends the connection once the limit was acknowledged")
    func concurrency() throws {
        let early = try SessionPeer(streams: 2, sendsPreface: false)
        early.body = [UInt8](repeating: 0, count: 10)
        early.send(bytes: Frame.preface + Frame.settings([(4, 0)]).bytes)
        #expect(SessionPeer.code(of: Frame.Kind.resetStream, in: early.send(.get(stream: 1), .get(stream: 3))) == nil)
        let sent = early.send(.get(stream: 5))
        #expect(sent == [.resetStream(5, code: Code.refusedStream)])
        #expect(early.buffers.pointee[.refusedStream] == 1)
        let late = early.send(.settingsAcknowledgement, .get(stream: 7))
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: late) == Code.protocolError)
    }
}
