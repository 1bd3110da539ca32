import AssociationServer
import HTTP1
import Testing

@Suite("The state of a connection")
struct ConnectionStateTests {
    private let timeouts = ConnectionState.Timeouts(ServerConfiguration.Timeouts())

    private func step(_ state: ConnectionState, _ text: String, first count: Int? = nil) -> String {
        switch state.next(Array(text.utf8.prefix(count ?? text.utf8.count)).span) {
        case .answer(let head): "answer \(head.count)"
        case .refuse(let status): "refuse \(status.rawValue)"
        case .wait: "wait"
        }
    }

    /// A connection after the handshake at 1,000 ms.
    private func greeted() -> ConnectionState {
        var state = ConnectionState(acceptedAt: 0)
        state.handshakeEnded(at: 1_000)
        return state
    }

    @Test(
        "the first byte tells TLS from HTTP in clear",
        arguments: [
            ("\u{16}", ConnectionState.Greeting.tls), ("G", .http), ("p", .http), ("\0", .other), ("\u{15}", .other),
            ("\u{17}", .other), ("@", .other), ("{", .other), ("[", .other), ("é", .other),
        ])
    func greeting(text: String, expected: ConnectionState.Greeting) {
        #expect(ConnectionState.greeting(Array(text.utf8)[0]) == expected)
    }

    @Test("requests are answered, refused or waited for")
    func steps() {
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let state = greeted()
        #expect(step(state, "") == "wait")
        for length in 1..<request.utf8.count { #expect(step(state, request, first: length) == "wait") }
        #expect(step(state, request) == "answer \(request.utf8.count)")
        #expect(step(state, request + request) == "answer \(request.utf8.count)")
        #expect(step(state, "GET / HTTP/2.0\r\n") == "refuse 505")
        #expect(step(state, "GET / HTTP/1.1\n") == "refuse 400")
    }

    @Test("the handshake has its time, counted from accept")
    func handshakeDeadline() {
        let state = ConnectionState(acceptedAt: 500)
        #expect(state.phase == .handshake)
        #expect(state.expiry(at: 10_499, timeouts) == .notBefore(10_500))
        #expect(state.expiry(at: 10_500, timeouts) == .close)
    }

    @Test("the first request is due from the end of the handshake, and its lateness is answered")
    func firstRequestDeadline() {
        let state = greeted()
        #expect(state.phase == .head)
        #expect(state.expiry(at: 10_999, timeouts) == .notBefore(11_000))
        #expect(state.expiry(at: 11_000, timeouts) == .requestTimeout)
    }

    @Test("further bytes of a head do not renew its time")
    func headIsNotRenewed() {
        var state = greeted()
        state.answered(isLast: false)
        state.settled(hasPartialHead: false, at: 2_000)
        #expect(state.phase == .idle)
        state.settled(hasPartialHead: true, at: 5_000)
        #expect(state.phase == .head)
        state.settled(hasPartialHead: true, at: 9_000)
        state.settled(hasPartialHead: true, at: 14_000)
        #expect(state.deadline(timeouts) == 15_000)
        #expect(state.expiry(at: 15_000, timeouts) == .requestTimeout)
    }

    @Test("between requests a connection may be idle for long")
    func idleDeadline() {
        var state = greeted()
        state.answered(isLast: false)
        state.settled(hasPartialHead: false, at: 2_000)
        #expect(state.expiry(at: 61_999, timeouts) == .notBefore(62_000))
        #expect(state.expiry(at: 62_000, timeouts) == .close)
        state.answered(isLast: false)
        state.settled(hasPartialHead: false, at: 50_000)
        #expect(state.deadline(timeouts) == 110_000)
        #expect(state.requests == 2)
    }

    @Test("bytes that are no part of a request do not keep an idle connection open")
    func idleIsNotRenewed() {
        var state = greeted()
        state.answered(isLast: false)
        state.settled(hasPartialHead: false, at: 2_000)
        state.settled(hasPartialHead: false, at: 30_000)
        #expect(state.deadline(timeouts) == 62_000)
        state.settled(hasPartialHead: true, at: 40_000)
        #expect(state.deadline(timeouts) == 50_000)
    }

    @Test("a pipelined request that has begun is timed from its own first byte")
    func pipelinedHead() {
        var state = greeted()
        state.answered(isLast: false)
        state.settled(hasPartialHead: true, at: 3_000)
        #expect(state.phase == .head)
        #expect(state.deadline(timeouts) == 13_000)
    }

    @Test("a parked answer has its time renewed by progress only")
    func writeDeadline() {
        var state = greeted()
        state.answered(isLast: false)
        state.parked(at: 2_000)
        #expect(state.phase == .sending)
        #expect(state.deadline(timeouts) == 17_000)
        state.progressed(at: 16_000)
        #expect(state.expiry(at: 17_000, timeouts) == .notBefore(31_000))
        #expect(state.expiry(at: 31_000, timeouts) == .close)
        state.settled(hasPartialHead: false, at: 20_000)
        #expect(state.phase == .idle)
    }

    @Test("a handshake that is parked keeps its time")
    func parkedHandshake() {
        var state = ConnectionState(acceptedAt: 0)
        state.parked(at: 9_000)
        #expect(state.phase == .handshake)
        #expect(state.deadline(timeouts) == 10_000)
    }

    @Test("what TLS has to say renews no time when it is parked")
    func parkedWithoutAnswer() {
        var state = greeted()
        state.parked(at: 9_000)
        state.settled(hasPartialHead: true, at: 9_500)
        #expect(state.phase == .head)
        #expect(state.deadline(timeouts) == 11_000)
    }

    @Test("after the last answer a bounded number of bytes is thrown away, for a bounded time")
    func lingering() {
        var state = greeted()
        state.answered(isLast: true)
        #expect(state.isLastAnswer)
        state.linger(from: 2_000)
        #expect(state.expiry(at: 3_999, timeouts) == .notBefore(4_000))
        #expect(state.expiry(at: 4_000, timeouts) == .close)
        let goesOn = [60_000, 5_536, 1].map { state.discard($0) }
        #expect(goesOn == [true, true, false])
    }

    @Test("only what has nothing to do is closed when the server stops")
    func draining() {
        var state = ConnectionState(acceptedAt: 0)
        #expect(!state.mayCloseForDrain(at: 999, hasPartialHead: false))
        #expect(state.mayCloseForDrain(at: 1_000, hasPartialHead: false))
        state.handshakeEnded(at: 1_000)
        #expect(!state.mayCloseForDrain(at: 1_999, hasPartialHead: false))
        #expect(state.mayCloseForDrain(at: 2_000, hasPartialHead: false))
        #expect(!state.mayCloseForDrain(at: 2_000, hasPartialHead: true))
        state.answered(isLast: false)
        #expect(!state.mayCloseForDrain(at: 2_000, hasPartialHead: false))
        state.settled(hasPartialHead: false, at: 2_000)
        #expect(state.mayCloseForDrain(at: 2_000, hasPartialHead: false))
        #expect(!state.mayCloseForDrain(at: 2_000, hasPartialHead: true))
        state.linger(from: 2_000)
        #expect(!state.mayCloseForDrain(at: 3_000, hasPartialHead: false))
    }
}
