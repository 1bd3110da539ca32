import AssociationServer
import DomainNames
import HTTP1
import OpenSSL
import Testing

/// The times of a connection and the end of the server, with a clock in the test's hand.
@Suite("The state of a connection: time")
struct ConnectionTimeTests {
    private let timeouts = ConnectionTimeouts(ServerConfiguration.Timeouts())

    /// A connection whose handshake has begun.
    private func begun(at now: Int64 = 0) -> ConnectionState {
        var state = ConnectionState(.tls, acceptedAt: now)
        _ = state.received(1, first: 22)
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
        _ = state.answered(isLast: false, isWhole: true)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: false), at: 2_000)
        return state
    }

    @Test("the handshake has its time, counted from accept")
    func handshakeDeadline() {
        for var state in [ConnectionState(.tls, acceptedAt: 500), begun(at: 500)] {
            #expect(state.timerFired(at: 10_499, timeouts) == .wait && state.deadline(timeouts) == 10_500)
            #expect(state.timerFired(at: 10_500, timeouts) == .close(.timeout(.handshake)))
        }
    }

    @Test("after a handshake that was all that was wanted no request is due, also when the goodbye had to wait")
    func sufficed() {
        var state = begun()
        let action = state.handshakeProgressed(.done, isChallenge: true, at: 1_000)
        #expect(action == .send(closeNotify: true, then: .linger))
        #expect(state.isLastAnswer && !state.isIdle)
        state.parked(at: 2_000)
        #expect(state.sent(.parked, then: .linger, at: 2_000) == .wait)
        #expect(state.timerFired(at: 11_000, timeouts) == .close(.timeout(.header)))
        // The worker sends the goodbye then, because nothing follows the last answer.
        #expect(state.resumed(isAllSent: true, at: 3_000) == .send(closeNotify: true, then: .linger))
    }

    @Test("a plain connection has no handshake: its first request is due at once")
    func plain() {
        var state = ConnectionState(.plain, acceptedAt: 500)
        #expect(state.isOpen && state.phase == .head && !state.isIdle)
        #expect(state.timerFired(at: 10_500, timeouts) == .refuse(.requestTimeout))
    }

    private static let header = Array("PROXY UNKNOWN\r\n".utf8)

    @Test("a PROXY header has its time, counted from accept; what follows it, from its end", arguments: [false, true])
    func proxyHeaderDeadline(isPlain: Bool) {
        var state = ConnectionState(isPlain ? .plain : .tls, expectsProxyHeader: true, acceptedAt: 500)
        #expect(state.timerFired(at: 5_499, timeouts) == .wait && state.deadline(timeouts) == 5_500)
        #expect(state.timerFired(at: 5_500, timeouts) == .close(.proxyHeader))
        #expect(!state.isIdle)
        // Pieces of it renew nothing.
        _ = state.received(1, first: 0x50)
        _ = state.proxyHeaderRead(ProxyHeader.read(Self.header.span.extracting(first: 3)), next: nil, at: 4_000)
        #expect(state.timerFired(at: 5_499, timeouts) == .wait && state.deadline(timeouts) == 5_500)
        #expect(state.drain(at: 1_499, hasPartialHead: false) == .ignore)
        #expect(state.drain(at: 1_500, hasPartialHead: false) == .send(closeNotify: true, then: .abort))
        _ = state.received(1, first: 0x52)
        _ = state.proxyHeaderRead(ProxyHeader.read(Self.header.span), next: nil, at: 5_000)
        #expect(state.timerFired(at: 14_999, timeouts) == .wait && state.deadline(timeouts) == 15_000)
        #expect(
            state.timerFired(at: 15_000, timeouts)
                == (isPlain ? .refuse(.requestTimeout) : .close(.timeout(.handshake))))
    }

    @Test("the first request is due from the end of the handshake, and its lateness is answered")
    func firstRequestDeadline() {
        var state = opened()
        #expect(state.phase == .head && !state.isIdle)
        #expect(state.since == 1_000)
        #expect(state.timerFired(at: 10_999, timeouts) == .wait && state.deadline(timeouts) == 11_000)
        #expect(state.timerFired(at: 11_000, timeouts) == .refuse(.requestTimeout))
    }

    @Test("a peer that takes nothing is not answered")
    func parkedHead() {
        var state = opened()
        state.parked(at: 1_000)
        #expect(state.timerFired(at: 11_000, timeouts) == .close(.timeout(.header)))
    }

    @Test("further bytes of a head do not renew its time")
    func slowHeader() {
        var state = answered()
        #expect(state.isIdle)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: true), at: 5_000)
        #expect(state.phase == .head)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: true), at: 9_000)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: true), at: 14_000)
        #expect(state.deadline(timeouts) == 15_000)
        #expect(state.timerFired(at: 15_000, timeouts) == .refuse(.requestTimeout))
    }

    @Test("between requests a connection may be idle for long")
    func idleDeadline() {
        var state = answered()
        #expect(state.timerFired(at: 61_999, timeouts) == .wait && state.deadline(timeouts) == 62_000)
        #expect(state.timerFired(at: 62_000, timeouts) == .close(.timeout(.idle)))
        _ = state.answered(isLast: false, isWhole: true)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: false), at: 50_000)
        #expect(state.deadline(timeouts) == 110_000)
        #expect(state.requests == 2)
    }

    @Test("bytes that are no part of a request do not keep an idle connection open")
    func idleIsNotRenewed() {
        var state = answered()
        _ = state.sent(.flowing, then: .finish(hasPartialHead: false), at: 30_000)
        #expect(state.deadline(timeouts) == 62_000)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: true), at: 40_000)
        #expect(state.deadline(timeouts) == 50_000)
    }

    @Test("a pipelined request that has begun is timed from its own first byte")
    func pipelinedHead() {
        var state = opened()
        _ = state.answered(isLast: false, isWhole: true)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: true), at: 3_000)
        #expect(state.phase == .head)
        #expect(state.deadline(timeouts) == 13_000)
    }

    @Test("a parked answer has its time renewed by progress only")
    func writeDeadline() {
        var state = opened()
        _ = state.answered(isLast: false, isWhole: true)
        state.parked(at: 2_000)
        #expect(state.phase == .sending)
        #expect(state.deadline(timeouts) == 17_000)
        #expect(state.resumed(isAllSent: false, at: 16_000) == .wait)
        #expect(state.timerFired(at: 17_000, timeouts) == .wait && state.deadline(timeouts) == 31_000)
        #expect(state.timerFired(at: 31_000, timeouts) == .close(.timeout(.write)))
        let action = state.resumed(isAllSent: true, at: 20_000)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: false), at: 20_000)
        #expect(action == .read && state.isIdle)
    }

    @Test("a handshake that is parked keeps its time")
    func parkedHandshake() {
        var state = begun()
        state.parked(at: 9_000)
        #expect(state.phase == .handshake)
        #expect(state.deadline(timeouts) == 10_000)
    }

    @Test("what TLS has to say renews no time when it is parked")
    func parkedWithoutAnswer() {
        var state = opened()
        state.parked(at: 9_000)
        _ = state.resumed(isAllSent: true, at: 9_500)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: true), at: 9_500)
        #expect(state.phase == .head)
        #expect(state.deadline(timeouts) == 11_000)
    }

    @Test("after the end of its requests a peer gets what is parked for it, and then nothing is read any more")
    func halfClose() {
        let events: [(inout ConnectionState) -> ConnectionState.Action] = [
            { $0.endOfStream() }, { $0.read(.closed) },
        ]
        for event in events {
            var state = answered()
            #expect(!state.isLastAnswer)
            let first = event(&state)
            state.parked(at: 3_000)
            let second = state.sent(.parked, then: .close, at: 3_000)
            let third = state.resumed(isAllSent: true, at: 4_000)
            let ends = ConnectionState.Action.send(closeNotify: true, then: .linger)
            #expect([first, second, third] == [.send(closeNotify: true, then: .close), .wait, ends])
            #expect(state.isLastAnswer)
        }
    }

    @Test("a connection lingers for a bounded time")
    func lingering() {
        var state = opened()
        _ = state.answered(isLast: true, isWhole: true)
        _ = state.linger(at: 2_000)
        #expect(state.since == 2_000)
        #expect(state.timerFired(at: 3_999, timeouts) == .wait && state.deadline(timeouts) == 4_000)
        #expect(state.timerFired(at: 4_000, timeouts) == .close(.timeout(nil)))
        _ = state.close(.timeout(nil))
        #expect(state.deadline(timeouts) == .max)
    }

    @Test("only what has nothing to do is closed when the server stops")
    func draining() {
        for var state in [ConnectionState(.tls, acceptedAt: 0), begun()] {
            #expect(state.drain(at: 999, hasPartialHead: false) == .ignore)
            #expect(state.drain(at: 1_000, hasPartialHead: false) == .send(closeNotify: true, then: .abort))
        }
        var state = opened()
        #expect(state.drain(at: 1_999, hasPartialHead: false) == .ignore)
        #expect(state.drain(at: 2_000, hasPartialHead: false) == .send(closeNotify: true, then: .abort))
        #expect(state.drain(at: 2_000, hasPartialHead: true) == .ignore)
        _ = state.answered(isLast: false, isWhole: true)
        #expect(state.drain(at: 2_000, hasPartialHead: false) == .ignore)
        _ = state.sent(.flowing, then: .finish(hasPartialHead: false), at: 2_000)
        #expect(state.drain(at: 2_000, hasPartialHead: false) == .send(closeNotify: true, then: .abort))
        #expect(state.drain(at: 2_000, hasPartialHead: true) == .ignore)
        _ = state.linger(at: 2_000)
        #expect(state.drain(at: 3_000, hasPartialHead: false) == .ignore)
    }
}
