import FrameSamples
import HTTP1
import HTTP2
import Testing

/// The ends of a session that this side chooses (RFC 9113, section 6.8).
struct SessionEndTests {
    @Test("A drain announces the end, takes what still comes, and names the last stream then")
    func drain() throws {
        let peer = try SessionPeer()
        peer.body = [UInt8](repeating: 7, count: 70_000)
        peer.send(.get(stream: 1))
        let announcement = peer.perform(.announceEnd)
        #expect(announcement.map(\.lastStream) == [0x7FFF_FFFF])
        #expect(announcement.map(\.errorCode) == [Code.none])
        // It was on its way.
        peer.send(.get(stream: 3))
        #expect(peer.heads.count == 2)
        let refusal = peer.perform(.refuseStreams)
        #expect(refusal.map(\.lastStream) == [3] && refusal.map(\.errorCode) == [Code.none])
        #expect(!peer.isDone)
        #expect(peer.send(.get(stream: 5)).isEmpty)
        #expect(peer.heads.count == 2)
        let rest = peer.send(.settings([(4, 1_000_000)]), .windowUpdate(1_000_000))
        #expect(rest.filter(\.endsStream).count == 2)
        #expect(peer.isDone)
    }

    @Test("An idle session ends with its second GOAWAY")
    func idle() throws {
        let peer = try SessionPeer()
        _ = peer.perform(.announceEnd)
        #expect(!peer.isDone)
        #expect(peer.perform(.refuseStreams).map(\.lastStream) == [0])
        #expect(peer.isDone)
    }

    @Test("Answers that do not get on are reset, and the session goes on or ends")
    func stalled() throws {
        let peer = try SessionPeer()
        peer.send(.settings([(4, 0)]), .get(stream: 1), .get(stream: 3))
        let sent = peer.perform(.cancelAnswers)
        #expect(Set(sent.map(\.stream)) == [1, 3] && sent.allSatisfy { $0.errorCode == Code.cancel })
        #expect(peer.openAnswers == 0 && !peer.isDone)
        #expect(peer.buffers.pointee[.stalled] == 2)
        peer.send(.get(stream: 5))
        #expect(peer.perform(.endStalled).map(\.errorCode) == [Code.calm])
        #expect(peer.isDone)
        #expect(peer.buffers.pointee[.stalled] == 3)
    }

    @Test("The end ends, with streams open or a header block begun")
    func end() throws {
        let peer = try SessionPeer()
        peer.send(.settings([(4, 0)]), .get(stream: 1))
        peer.send(bytes: Array(Frame.get(stream: 3).bytes.prefix(12)))
        #expect(peer.hasPartialInput)
        let sent = peer.perform(.end)
        #expect(sent.map(\.lastStream) == [3] && sent.map(\.errorCode) == [Code.none])
        #expect(peer.isDone)
        #expect(StreamFault.allCases.allSatisfy { peer.buffers.pointee[$0] == 0 })
    }

    @Test("6.8: a peer that goes away is answered first")
    func peerLeaves() throws {
        let peer = try SessionPeer()
        peer.send(.settings([(4, 0)]), .get(stream: 1), Frame(Frame.Kind.goAway, [0, 0, 0, 0, 0, 0, 0, 0]))
        #expect(!peer.isDone)
        #expect(peer.send(.windowUpdate(1_000, stream: 1)).contains { $0.endsStream })
        #expect(peer.isDone)
    }
}
