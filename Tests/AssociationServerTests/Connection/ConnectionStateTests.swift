import AssociationServer
import HTTP1
import OpenSSL
import ProxySupport
import Testing

/// Both machines of a connection, with a clock in the test's hand.
@Suite("The state of a connection")
struct ConnectionStateTests {
    private let timeouts = ConnectionTimeouts(ServerConfiguration.Timeouts())

    /// A connection whose handshake has begun.
    private func begun(at now: Int64 = 0) -> ConnectionState {
        var state = ConnectionState(.tls, acceptedAt: now)
        _ = state.transport.received(1, first: 22)
        return state
    }

    /// A connection after the handshake at 1,000 ms.
    private func opened() -> ConnectionState {
        var state = begun()
        _ = state.handshakeProgressed(.done, at: 1_000)
        return state
    }

    /// A connection that has answered a request at 2,000 ms.
    private func answered() -> ConnectionState {
        var state = opened()
        state.http.answered(isLast: false)
        state.http.finishRead(hasPartialHead: false, at: 2_000)
        return state
    }

    @Test("the handshake has its time, counted from accept")
    func handshakeDeadline() {
        for state in [ConnectionState(.tls, acceptedAt: 500), begun(at: 500)] {
            #expect(state.expiry(at: 10_499, timeouts) == .wait(until: 10_500))
            #expect(state.expiry(at: 10_500, timeouts) == .close(.timeout(.handshake)))
        }
    }

    @Test("after a handshake that was all that was wanted no request is due, also when the goodbye had to wait")
    func sufficed() {
        var state = begun()
        #expect(state.handshakeSufficed(at: 1_000) == .send(closeNotify: true, then: .linger))
        #expect(state.http.isLastAnswer && !state.isIdle)
        state.transport.parked()
        #expect(state.transport.sent(.parked, then: .linger) == .wait)
        #expect(state.expiry(at: 11_000, timeouts) == .close(.timeout(.header)))
        // The worker sends the goodbye then, because nothing follows the last answer.
        #expect(state.transport.resumed() == .deliver)
    }

    @Test("a plain connection has no handshake: its first request is due at once")
    func plain() {
        let state = ConnectionState(.plain, acceptedAt: 500)
        #expect(state.transport.isOpen && state.http.phase == .head && !state.isIdle)
        #expect(state.expiry(at: 10_500, timeouts) == .refuse(.requestTimeout))
    }

    private static let header = Array("PROXY UNKNOWN\r\n".utf8)

    @Test("a PROXY header has its time, counted from accept; what follows it, from its end", arguments: [false, true])
    func proxyHeaderDeadline(isPlain: Bool) {
        var state = ConnectionState(isPlain ? .plain : .tls, expectsProxyHeader: true, acceptedAt: 500)
        #expect(state.expiry(at: 5_499, timeouts) == .wait(until: 5_500))
        #expect(state.expiry(at: 5_500, timeouts) == .close(.proxyHeader))
        #expect(!state.isIdle)
        // Pieces of it renew nothing.
        _ = state.transport.received(1, first: 0x50)
        _ = state.proxyHeaderRead(ProxyHeader.read(Self.header.span.extracting(first: 3)), next: nil, at: 4_000)
        #expect(state.expiry(at: 5_499, timeouts) == .wait(until: 5_500))
        #expect(!state.mayCloseForDrain(at: 1_499, hasPartialHead: false))
        #expect(state.mayCloseForDrain(at: 1_500, hasPartialHead: false))
        _ = state.transport.received(1, first: 0x52)
        _ = state.proxyHeaderRead(ProxyHeader.read(Self.header.span), next: nil, at: 5_000)
        #expect(state.expiry(at: 14_999, timeouts) == .wait(until: 15_000))
        #expect(
            state.expiry(at: 15_000, timeouts) == (isPlain ? .refuse(.requestTimeout) : .close(.timeout(.handshake))))
    }

    @Test("the first request is due from the end of the handshake, and its lateness is answered")
    func firstRequestDeadline() {
        let state = opened()
        #expect(state.http.phase == .head && !state.isIdle)
        #expect(state.since == 1_000)
        #expect(state.expiry(at: 10_999, timeouts) == .wait(until: 11_000))
        #expect(state.expiry(at: 11_000, timeouts) == .refuse(.requestTimeout))
    }

    @Test("a peer that takes nothing is not answered")
    func parkedHead() {
        var state = opened()
        state.transport.parked()
        #expect(state.expiry(at: 11_000, timeouts) == .close(.timeout(.header)))
    }

    @Test("further bytes of a head do not renew its time")
    func slowHeader() {
        var state = answered()
        #expect(state.isIdle)
        state.http.finishRead(hasPartialHead: true, at: 5_000)
        #expect(state.http.phase == .head)
        state.http.finishRead(hasPartialHead: true, at: 9_000)
        state.http.finishRead(hasPartialHead: true, at: 14_000)
        #expect(state.deadline(timeouts) == 15_000)
        #expect(state.expiry(at: 15_000, timeouts) == .refuse(.requestTimeout))
    }

    @Test("between requests a connection may be idle for long")
    func idleDeadline() {
        var state = answered()
        #expect(state.expiry(at: 61_999, timeouts) == .wait(until: 62_000))
        #expect(state.expiry(at: 62_000, timeouts) == .close(.timeout(.idle)))
        state.http.answered(isLast: false)
        state.http.finishRead(hasPartialHead: false, at: 50_000)
        #expect(state.deadline(timeouts) == 110_000)
        #expect(state.http.requests == 2)
    }

    @Test("bytes that are no part of a request do not keep an idle connection open")
    func idleIsNotRenewed() {
        var state = answered()
        state.http.finishRead(hasPartialHead: false, at: 30_000)
        #expect(state.deadline(timeouts) == 62_000)
        state.http.finishRead(hasPartialHead: true, at: 40_000)
        #expect(state.deadline(timeouts) == 50_000)
    }

    @Test("a pipelined request that has begun is timed from its own first byte")
    func pipelinedHead() {
        var state = opened()
        state.http.answered(isLast: false)
        state.http.finishRead(hasPartialHead: true, at: 3_000)
        #expect(state.http.phase == .head)
        #expect(state.deadline(timeouts) == 13_000)
    }

    @Test("a parked answer has its time renewed by progress only")
    func writeDeadline() {
        var state = opened()
        state.http.answered(isLast: false)
        state.transport.parked()
        state.http.progressed(at: 2_000)
        #expect(state.http.phase == .sending)
        #expect(state.deadline(timeouts) == 17_000)
        state.http.progressed(at: 16_000)
        #expect(state.expiry(at: 17_000, timeouts) == .wait(until: 31_000))
        #expect(state.expiry(at: 31_000, timeouts) == .close(.timeout(.write)))
        let action = state.transport.resumed()
        state.http.finishRead(hasPartialHead: false, at: 20_000)
        #expect(action == .deliver && state.isIdle)
    }

    @Test("a handshake that is parked keeps its time")
    func parkedHandshake() {
        var state = begun()
        state.transport.parked()
        state.http.progressed(at: 9_000)
        #expect(state.transport.phase == .handshake)
        #expect(state.deadline(timeouts) == 10_000)
    }

    @Test("what TLS has to say renews no time when it is parked")
    func parkedWithoutAnswer() {
        var state = opened()
        state.transport.parked()
        state.http.progressed(at: 9_000)
        _ = state.transport.resumed()
        state.http.finishRead(hasPartialHead: true, at: 9_500)
        #expect(state.http.phase == .head)
        #expect(state.deadline(timeouts) == 11_000)
    }

    @Test("after the end of its requests a peer gets what is parked for it, and then nothing is read any more")
    func halfClose() {
        for event in [{ $0.endOfStream() }, { $0.peerClosed() }] as [(inout ConnectionState) -> TransportState.Action] {
            var state = answered()
            #expect(!state.http.isLastAnswer)
            let first = event(&state)
            state.transport.parked()
            let second = state.transport.sent(.parked, then: .close)
            let third = state.transport.resumed()
            #expect([first, second, third] == [.send(closeNotify: true, then: .close), .wait, .deliver])
            #expect(state.http.isLastAnswer)
        }
    }

    @Test("a connection lingers for a bounded time")
    func lingering() {
        var state = opened()
        state.http.answered(isLast: true)
        state.transport.linger(at: 2_000)
        #expect(state.since == 2_000)
        #expect(state.expiry(at: 3_999, timeouts) == .wait(until: 4_000))
        #expect(state.expiry(at: 4_000, timeouts) == .close(.timeout(nil)))
        _ = state.transport.close(.timeout(nil))
        #expect(state.deadline(timeouts) == .max)
    }

    @Test("only what has nothing to do is closed when the server stops")
    func draining() {
        for state in [ConnectionState(.tls, acceptedAt: 0), begun()] {
            #expect(!state.mayCloseForDrain(at: 999, hasPartialHead: false))
            #expect(state.mayCloseForDrain(at: 1_000, hasPartialHead: false))
        }
        var state = opened()
        #expect(!state.mayCloseForDrain(at: 1_999, hasPartialHead: false))
        #expect(state.mayCloseForDrain(at: 2_000, hasPartialHead: false))
        #expect(!state.mayCloseForDrain(at: 2_000, hasPartialHead: true))
        state.http.answered(isLast: false)
        #expect(!state.mayCloseForDrain(at: 2_000, hasPartialHead: false))
        state.http.finishRead(hasPartialHead: false, at: 2_000)
        #expect(state.mayCloseForDrain(at: 2_000, hasPartialHead: false))
        #expect(!state.mayCloseForDrain(at: 2_000, hasPartialHead: true))
        state.transport.linger(at: 2_000)
        #expect(!state.mayCloseForDrain(at: 3_000, hasPartialHead: false))
    }
}
