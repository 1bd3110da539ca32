import AssociationServer
import DomainNames
import OpenSSL
import Testing

/// The events of a connection below its requests, without a socket: what happens, and what is to be done.
@Suite("The state of a connection: transport")
struct ConnectionTransportTests {
    enum Event: Sendable {
        /// The bytes received are read as a PROXY header.
        case header(ProxyHeader.Reading, next: UInt8?)
        case received(String)
        case discarded(Int)
        case handshake(TLSSession.Progress)
        case endOfStream
        case read(ConnectionState.Reading)
        case parked, resumed
        case sent(ConnectionState.Flow, then: ConnectionState.Next)
        case linger
        case halfClosed
    }

    typealias Action = ConnectionState.Action

    /// The action of the last event, of those that have one.
    private func run(
        _ events: [Event], _ kind: ConnectionState.Kind = .tls, expectsProxyHeader: Bool = false
    ) -> (ConnectionState, [Action]) {
        var state = ConnectionState(kind, expectsProxyHeader: expectsProxyHeader, acceptedAt: 0)
        var actions: [Action] = []
        for event in events {
            switch event {
            case .header(let reading, let next): actions.append(state.proxyHeaderRead(reading, next: next, at: 5))
            case .received(let text): actions.append(state.received(text.utf8.count, first: text.utf8.first ?? 0))
            case .discarded(let count): actions.append(state.received(count, first: 0))
            case .handshake(let progress): actions.append(state.handshakeProgressed(progress, at: 0))
            case .endOfStream: actions.append(state.endOfStream())
            case .read(let reading): actions.append(state.read(reading))
            case .parked: state.parked(at: 0)
            case .resumed: actions.append(state.resumed(isAllSent: true, at: 0))
            case .sent(let flow, let next): actions.append(state.sent(flow, then: next, at: 0))
            case .linger: actions.append(state.linger(at: 0))
            case .halfClosed: _ = state.ready(hasFailed: false, isWritable: false, isPeerFinished: true)
            }
        }
        return (state, actions)
    }

    private static let hello = Event.received("\u{16}\u{3}\u{1}")
    private static let open = [hello, .handshake(.done)]

    @Test(
        "the first byte tells TLS from HTTP in clear and from anything else",
        arguments: [
            ("\u{16}", Action.handshake), ("G", .sendPlaintextError), ("p", .sendPlaintextError),
            ("\0", .close(.notTLS)), ("\u{15}", .close(.notTLS)), ("\u{17}", .close(.notTLS)),
            ("@", .close(.notTLS)), ("{", .close(.notTLS)), ("[", .close(.notTLS)), ("é", .close(.notTLS)),
            ("\r", .close(.notTLS)),
        ])
    func sniffing(text: String, expected: Action) {
        #expect(run([.received(text)]).1 == [expected])
        // A plain transport has nothing to find out.
        #expect(run([.received(text)], .plain).1 == [.read])
    }

    @Test("a handshake that was all that was wanted is followed by goodbye, and what still comes is thrown away")
    func sufficed() {
        var (state, _) = run([Self.hello])
        #expect(state.handshakeProgressed(.done, isChallenge: true, at: 0) == .send(closeNotify: true, then: .linger))
        let needsGoodbye = state.takeCloseNotify()
        #expect(needsGoodbye)
        #expect(state.sent(.flowing, then: .linger, at: 0) == .linger)
        #expect(state.linger(at: 7) == .wait)
        #expect(state.received(100, first: 23) == .wait)
        let closing = state.close(.finished)
        #expect(!closing.resets && closing.failure == nil && closing.refusal == nil)
    }

    private static let header: ProxyHeader.Reading = {
        ProxyHeader.read(Array("PROXY TCP4 192.0.2.1 198.51.100.2 8080 443\r\n".utf8).span)
    }()
    private static let incomplete = Event.header(.incomplete(needed: 15), next: nil)

    @Test(
        "a PROXY header comes before everything else, in however many pieces",
        arguments: [
            ([.received("P")], Action.readProxyHeader, .readProxyHeader),
            ([.received("\u{16}")], .readProxyHeader, .readProxyHeader),
            ([.received("P"), incomplete], .keepInput, .keepInput),
            ([.received("P"), incomplete, .received("R"), incomplete], .keepInput, .keepInput),
            ([.received("P"), .header(header, next: nil)], .wait, .wait),
            ([.received("P"), incomplete, .received("R"), .header(header, next: nil)], .wait, .wait),
            // With the first bytes of TLS or HTTP in the same piece.
            ([.received("P"), .header(header, next: 22)], .handshake, .read),
            ([.received("P"), .header(header, next: 0x47)], .sendPlaintextError, .read),
            ([.received("P"), .header(header, next: 0)], .close(.notTLS), .read),
            ([.received("P"), .header(header, next: nil), .received("\u{16}")], .handshake, .read),
            ([.received("P"), .header(header, next: nil), .received("P")], .sendPlaintextError, .read),
            ([.received("G"), .header(.malformed, next: nil)], .close(.proxyHeader), .close(.proxyHeader)),
            ([.endOfStream], .close(.finished), .close(.finished)),
            ([.received("P"), incomplete, .endOfStream], .close(.finished), .close(.finished)),
        ] as [([Event], Action, Action)])
    func proxyHeader(events: [Event], tls: Action, plain: Action) {
        #expect(run(events, expectsProxyHeader: true).1.last == tls)
        #expect(run(events, .plain, expectsProxyHeader: true).1.last == plain)
    }

    @Test("the time of what follows a PROXY header is counted from its end")
    func timeAfterProxyHeader() {
        let events = [Event.received("P"), .header(Self.header, next: nil)]
        #expect(run(events, expectsProxyHeader: true).0.since == 5)
        #expect(run([.received("P"), Self.incomplete], expectsProxyHeader: true).0.since == 0)
    }

    @Test(
        "a PROXY header that is missing, malformed or late is a reason of its own; a look at the port is none",
        arguments: [
            ([], CloseReason.finished, ConnectionRefusal?.none),
            ([], .failed, nil),
            ([], .forced, nil),
            ([], .proxyHeader, .proxyHeader),
            ([.received("P"), incomplete], .finished, .proxyHeader),
            ([.received("P"), incomplete], .failed, .proxyHeader),
            ([.received("P"), incomplete], .forced, nil),
            ([.received("X"), .header(.malformed, next: nil)], .proxyHeader, .proxyHeader),
            ([.received("P")], .refused(.perAddress), .perAddress),
        ] as [([Event], CloseReason, ConnectionRefusal?)])
    func closingBeforeProxyHeader(events: [Event], reason: CloseReason, refusal: ConnectionRefusal?) {
        for kind in [ConnectionState.Kind.tls, .plain] {
            var state = run(events, kind, expectsProxyHeader: true).0
            let closing = state.close(reason)
            #expect(closing.refusal == refusal && closing.failure == nil && !closing.resets)
            #expect(state.isClosed)
        }
    }

    @Test(
        "a handshake goes on with each piece, until it is done or has failed",
        arguments: [
            ([Event.handshake(.needsInput)], Action.send(closeNotify: false, then: .wait)),
            ([.handshake(.needsInput), .received("G")], .handshake),
            ([.handshake(.needsOutput)], .send(closeNotify: false, then: .handshake)),
            ([.handshake(.needsOutput), .sent(.flowing, then: .handshake)], .handshake),
            ([.handshake(.needsOutput), .parked, .sent(.parked, then: .handshake)], .keepInput),
            ([.handshake(.needsOutput), .parked, .resumed], .handshake),
            ([.handshake(.done)], .read),
            ([.handshake(.done), .received("\u{17}")], .read),
            ([.handshake(.failed(.version))], .send(closeNotify: false, then: .abort)),
            ([.handshake(.failed(.unknownName)), .sent(.flowing, then: .abort)], .close(.failed)),
            // The alert is sent as far as that is possible at once.
            ([.handshake(.failed(.alert)), .sent(.parked, then: .abort)], .close(.failed)),
            ([.endOfStream], .close(.finished)),
        ] as [([Event], Action)])
    func handshake(events: [Event], last: Action) {
        #expect(run([Self.hello] + events).1.last == last)
    }

    @Test(
        "what ends an open transport",
        arguments: [
            // The peer has ended its stream without a word: it may still read.
            ([Event.endOfStream], Action.send(closeNotify: true, then: .close)),
            ([.halfClosed, .endOfStream], .send(closeNotify: true, then: .close)),
            // It has said that it will send nothing more.
            ([.read(.closed)], .send(closeNotify: true, then: .close)),
            // It has said so, and nobody is there any more.
            ([.halfClosed, .read(.closed)], .send(closeNotify: false, then: .close)),
            ([.read(.closed), .sent(.flowing, then: .close)], .close(.finished)),
            ([.read(.closed), .sent(.parked, then: .close)], .wait),
            // A fatal alert, or a record that is none.
            ([.read(.failed)], .send(closeNotify: false, then: .abort)),
            ([.read(.failed), .sent(.flowing, then: .abort)], .close(.failed)),
            ([.read(.failed), .sent(.failed, then: .abort)], .close(.failed)),
            // The last answer.
            ([.sent(.flowing, then: .linger)], .linger),
            ([.sent(.parked, then: .linger)], .keepInput),
            ([.sent(.failed, then: .linger)], .close(.failed)),
            ([.sent(.flowing, then: .wait)], .wait),
            ([.sent(.failed, then: .wait)], .close(.failed)),
            ([.parked, .resumed], .read),
        ] as [([Event], Action)])
    func ending(events: [Event], last: Action) {
        #expect(run(Self.open + events).1.last == last)
        #expect(run(events, .plain).1.last == last)
    }

    @Test(
        "while lingering a bounded number of bytes is thrown away",
        arguments: [
            ([1], Action.wait), ([60_000, 5_536], .wait), ([60_000, 5_536, 1], .close(.finished)),
            ([65_537], .close(.finished)),
        ])
    func lingering(counts: [Int], last: Action) {
        #expect(run(Self.open + [.linger] + counts.map(Event.discarded)).1.last == last)
        // After HTTP in clear there was no handshake.
        #expect(run([.received("GET"), .linger] + counts.map(Event.discarded)).1.last == last)
        #expect(run([.linger, .endOfStream]).1 == [.wait, .close(.finished)])
    }

    @Test("a socket that is ready is read, written, closed or left alone")
    func readiness() {
        func ready(
            _ events: [Event], hasFailed: Bool = false, isWritable: Bool = false, isPeerFinished: Bool = false
        ) -> Action {
            var state = run(events).0
            return state.ready(hasFailed: hasFailed, isWritable: isWritable, isPeerFinished: isPeerFinished)
        }
        #expect(ready(Self.open) == .receive)
        #expect(ready(Self.open, isPeerFinished: true) == .receive)
        #expect(ready(Self.open, hasFailed: true, isWritable: true) == .close(.failed))
        #expect(ready(Self.open, isWritable: true) == .ignore)
        #expect(ready(Self.open + [.parked], isWritable: true, isPeerFinished: true) == .resumeSending)
        // Parked earlier in the same batch.
        #expect(ready(Self.open + [.parked], isPeerFinished: true) == .ignore)
        #expect(ready(Self.open + [.parked, .resumed]) == .receive)
        var state = run(Self.open).0
        _ = state.close(.finished)
        #expect(state.ready(hasFailed: true, isWritable: true, isPeerFinished: true) == .ignore)
        #expect(state.isClosed && state.received(5, first: 22) == .wait)
    }

    @Test("a socket is read until it is empty, or until its peer has to take something")
    func receivingMore() {
        #expect(run(Self.open).0.mayReceiveMore(wasFull: true))
        #expect(!run(Self.open).0.mayReceiveMore(wasFull: false))
        // After a short read there is still the end of the stream.
        #expect(run(Self.open + [.halfClosed]).0.mayReceiveMore(wasFull: false))
        #expect(!run(Self.open + [.halfClosed, .parked]).0.mayReceiveMore(wasFull: true))
        var state = run(Self.open + [.halfClosed]).0
        _ = state.close(.finished)
        #expect(!state.mayReceiveMore(wasFull: true))
    }

    @Test("close_notify is written once, and never in clear")
    func closeNotify() {
        var state = run(Self.open).0
        let first = state.takeCloseNotify()
        let second = state.takeCloseNotify()
        #expect(first && !second)
        var plain = run([], .plain).0
        let inClear = plain.takeCloseNotify()
        #expect(!inClear)
    }

    @Test(
        "a handshake that has not ended is counted with its reason, and a peer that takes nothing is reset",
        arguments: [
            ([], CloseReason.finished, false, HandshakeFailure.closed),
            ([hello], .failed, false, .closed),
            ([hello], .timeout(.handshake), false, .timeout),
            ([hello, .parked], .timeout(.handshake), true, .timeout),
            ([hello, .handshake(.failed(.parameters))], .failed, false, .parameters),
            ([.received("\0")], .notTLS, false, .notTLS),
            ([hello], .forced, false, .closed),
            // HTTP in clear is counted when it is answered.
            ([.received("GET"), .linger], .timeout(nil), false, nil),
            (open, .timeout(.idle), false, nil),
            (open + [.parked], .timeout(.write), true, nil),
            (open + [.parked], .forced, true, nil),
            (open + [.parked], .failed, false, nil),
            (open + [.linger], .finished, false, nil),
        ] as [([Event], CloseReason, Bool, HandshakeFailure?)])
    func closing(events: [Event], reason: CloseReason, resets: Bool, failure: HandshakeFailure?) {
        var state = run(events).0
        let closing = state.close(reason)
        #expect(closing.resets == resets && closing.failure == failure)
        #expect(state.phase == .closed)
    }
}
