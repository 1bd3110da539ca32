import FrameSamples
import HTTP1
import HTTP2
import Testing

/// The frames that are sent for a request, as far as the peer's windows allow (RFC 9113, sections 5.2, 6.9 and 8.1).
struct StreamAnswerTests {
    private static let streamWindow = 4
    private static let ends = Frame.Flag.endStream

    @Test("An answer has its fields in lower case, its body, and nothing of the connection")
    func answer() throws {
        let peer = try SessionPeer()
        let sent = peer.send(.get())
        #expect(sent.count == 2)
        #expect(
            try peer.fields(sent.first) == [
                ":status": "200", "date": "Sun, 06 Nov 1994 08:49:37 GMT", "content-type": "application/json",
                "etag": "\"x\"", "x-content-type-options": "nosniff", "content-length": "\(peer.body.count)",
            ])
        #expect(sent.last == Frame(Frame.Kind.data, flags: Self.ends, stream: 1, peer.body))
        #expect(peer.openAnswers == 0)
    }

    @Test("Answers after the first need few bytes for their fields")
    func compression() throws {
        let peer = try SessionPeer()
        let first = peer.send(.get(stream: 1))
        let second = peer.send(.get(stream: 3))
        #expect(try peer.fields(first.first) == peer.fields(second.first))
        #expect((second.first?.payload.count ?? 99) < 20)
    }

    @Test("A HEAD and a 304 have no DATA; the HEAD has a content-length")
    func withoutBody() throws {
        let peer = try SessionPeer()
        let head = peer.send(.request(HeaderEncoder.pseudo(method: "HEAD")))
        #expect(head.count == 1 && head[0].endsStream)
        #expect(try peer.fields(head.first)["content-length"] == "\(peer.body.count)")
        peer.status = .notModified
        let unmodified = peer.send(.get(stream: 3))
        #expect(unmodified.count == 1 && unmodified[0].endsStream)
        #expect(try peer.fields(unmodified.first)[":status"] == "304")
        peer.status = .ok
        peer.body = []
        let empty = peer.send(.get(stream: 5))
        #expect(empty.count == 1 && empty[0].endsStream)
        #expect(try peer.fields(empty.first)["content-length"] == "0")
        #expect(peer.openAnswers == 0)
    }

    @Test(
        "A body goes out in frames of at most 16,384 bytes, whatever room there is", arguments: [9_000, 16_384, 65_536])
    func largeBody(room: Int) throws {
        let peer = try SessionPeer()
        peer.room = room
        peer.body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        peer.send(.settings([(Self.streamWindow, 1_000_000)]), .windowUpdate(1_000_000))
        let sent = peer.send(.get())
        let data = sent.filter { $0.type == Frame.Kind.data }
        #expect(data.flatMap(\.payload) == peer.body)
        #expect(data.allSatisfy { $0.payload.count <= 16_384 })
        #expect(data.last?.endsStream == true && peer.openAnswers == 0)
    }

    @Test("6.9: a stream's window of 0, of 1, and one that becomes negative")
    func streamWindow() throws {
        let peer = try SessionPeer()
        peer.body = Array("0123456789".utf8)
        peer.send(.settings([(Self.streamWindow, 0)]))
        #expect(peer.send(.get()).count == 1)
        #expect(peer.openAnswers == 1)
        #expect(peer.send(.windowUpdate(1, stream: 1)) == [Frame(0, stream: 1, Array("0".utf8))])
        #expect(peer.send(.windowUpdate(1, stream: 1)) == [Frame(0, stream: 1, Array("1".utf8))])
        // 4 more for each stream, then 6 fewer: two below zero.
        #expect(peer.send(.settings([(Self.streamWindow, 4)])).last == Frame(0, stream: 1, Array("2345".utf8)))
        #expect(peer.send(.settings([(Self.streamWindow, 2)])) == [.settingsAcknowledgement])
        #expect(peer.send(.windowUpdate(2, stream: 1)).isEmpty)
        #expect(peer.send(.windowUpdate(9, stream: 1)) == [Frame(0, flags: Self.ends, stream: 1, Array("6789".utf8))])
        #expect(peer.openAnswers == 0)
    }

    @Test("6.9.1: the connection's window is shared by its streams")
    func connectionWindow() throws {
        let peer = try SessionPeer()
        peer.body = [UInt8](repeating: 7, count: 40_000)
        let sent = peer.send(.get(stream: 1), .get(stream: 3), .get(stream: 5))
        func count(_ frames: [Frame]) -> Int { frames.filter { $0.type == 0 }.reduce(0) { $0 + $1.payload.count } }
        #expect(count(sent) == 65_535)
        #expect(sent.filter { $0.type == Frame.Kind.headers }.count == 3)
        #expect(count(peer.send(.windowUpdate(10))) == 10)
        let rest = peer.send(.windowUpdate(100_000))
        #expect(count(sent) + 10 + count(rest) == 120_000)
        #expect(peer.openAnswers == 0)
    }

    @Test("6.9.1: a stream's window that overflows resets it only; 6.9: an increment of 0 ends the connection")
    func brokenWindow() throws {
        let peer = try SessionPeer()
        peer.body = [UInt8](repeating: 7, count: 70_000)
        // The second one waits for the connection's window.
        peer.send(.get(stream: 1), .get(stream: 3))
        let sent = peer.send(.windowUpdate(0x7FFF_FFFF, stream: 3))
        #expect(sent == [.resetStream(3, code: Code.flowControl)])
        #expect(peer.openAnswers == 1 && !peer.isDone)
        #expect(peer.buffers.pointee[.flowControl] == 1)
        // RFC 9113, section 5.4, permits the error of a connection where that of a stream would do.
        let last = peer.send(.windowUpdate(0, stream: 1))
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: last) == Code.protocolError)
    }

    @Test("8.1: a request with a body is answered from its head, and told not to go on")
    func requestBody() throws {
        let peer = try SessionPeer()
        let post = HeaderEncoder.pseudo(method: "POST") + [("content-length", "1000000")]
        let sent = peer.send(.request(post, flags: Frame.Flag.endHeaders))
        #expect(sent.map(\.type) == [Frame.Kind.headers, Frame.Kind.data, Frame.Kind.resetStream])
        #expect(sent.last == .resetStream(1, code: Code.none))
        #expect(peer.openAnswers == 0)
        // What was on its way is thrown away and never credited.
        #expect(peer.send(.data(16_384), .data(16_384), .data(16_384)).isEmpty)
        #expect(peer.send(.data(16_383)).isEmpty)
        #expect(peer.send(.get(stream: 3)).count == 2)
        #expect(SessionPeer.code(of: Frame.Kind.goAway, in: peer.send(.data(1, stream: 1))) == Code.flowControl)
        #expect(peer.buffers.pointee[.flowControl] == 1)
    }

    @Test("8.1: a request that ends after its answer has begun is not reset")
    func endedBody() throws {
        let peer = try SessionPeer()
        peer.send(.settings([(Self.streamWindow, 0)]))
        peer.send(.request(HeaderEncoder.pseudo(method: "POST"), flags: Frame.Flag.endHeaders))
        #expect(peer.send(.data(5, flags: Self.ends)).isEmpty)
        #expect(peer.send(.windowUpdate(100, stream: 1)) == [Frame(0, flags: Self.ends, stream: 1, peer.body)])
        // A length that does not fit its body is found when the stream ends.
        let post = HeaderEncoder.pseudo(method: "POST") + [("content-length", "3")]
        peer.send(.request(post, stream: 3, flags: Frame.Flag.endHeaders))
        let sent = peer.send(.data(5, stream: 3, flags: Self.ends))
        #expect(SessionPeer.code(of: Frame.Kind.resetStream, in: sent) == Code.protocolError)
    }

    @Test("6.4: an answer that was reset is not written")
    func reset() throws {
        let peer = try SessionPeer()
        peer.body = [UInt8](repeating: 7, count: 100_000)
        peer.send(.get())
        #expect(peer.openAnswers == 1)
        #expect(peer.send(.resetStream(1), .windowUpdate(100_000)).isEmpty)
        #expect(peer.openAnswers == 0)
        // Before anything was written of it.
        #expect(peer.send(.get(stream: 3), .resetStream(3)).isEmpty)
        #expect(peer.openAnswers == 0 && peer.heads.count == 2)
    }

    @Test("Progress is the end of an answer, or 64 KiB")
    func progress() throws {
        let peer = try SessionPeer()
        peer.body = [UInt8](repeating: 7, count: 300_000)
        peer.send(.settings([(Self.streamWindow, 1_000_000)]), .get())
        #expect(!peer.takeProgress())
        peer.send(.windowUpdate(1))
        #expect(peer.takeProgress())
        #expect(!peer.takeProgress())
        peer.send(.windowUpdate(65_535))
        #expect(!peer.takeProgress())
        peer.send(.windowUpdate(65_535))
        #expect(peer.takeProgress())
        peer.send(.windowUpdate(400_000))
        #expect(peer.takeProgress() && peer.openAnswers == 0)
    }
}
