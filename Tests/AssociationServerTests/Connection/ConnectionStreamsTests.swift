import AssociationServer
import HTTP2
import OpenSSL
import Testing

/// The events of a connection that speaks HTTP/2, with a clock of the test (docs/spec/http2.md, section 3).
struct ConnectionStreamsTests {
    private static let timeouts: ConnectionTimeouts = {
        var timeouts = ServerConfiguration.Timeouts()
        (timeouts.header, timeouts.idle, timeouts.write) = (10, 60, 15)
        return ConnectionTimeouts(timeouts)
    }()

    /// A connection whose handshake has ended at 1,000 ms.
    private func connected() -> ConnectionState {
        var state = ConnectionState(.tls, acceptedAt: 0)
        _ = state.received(1, first: 22)
        #expect(state.handshakeProgressed(.done, hasStreams: true, at: 1_000) == .read)
        return state
    }

    /// All input is processed, and what there is to send has been sent.
    private func written(
        _ state: inout ConnectionState, partial: Bool = false, open: Bool = false, progressed: Bool = false,
        at now: Int64
    ) {
        let action = state.streamsWritten(
            hasPartialInput: partial, hasOpenAnswers: open, hasProgressed: progressed, at: now)
        guard case .send(closeNotify: false, let next) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(state.sent(.flowing, then: next, at: now) == .wait)
    }

    private func deadline(_ state: ConnectionState) -> Int64 { state.deadline(Self.timeouts) }

    @Test("The preface is due from the end of the handshake, and the idle time runs from there without a request")
    func preface() {
        var state = connected()
        written(&state, partial: true, at: 4_000)
        #expect(deadline(state) == 11_000)
        #expect(state.timerFired(at: 11_000, Self.timeouts) == .timeOut(.header, .end))
        written(&state, at: 5_000)
        #expect(state.phase == .idle && deadline(state) == 61_000)
        #expect(state.timerFired(at: 60_999, Self.timeouts) == .wait)
        #expect(state.timerFired(at: 61_000, Self.timeouts) == .timeOut(.idle, .end))
    }

    @Test("Frames without a request renew no idle time, however they come")
    func idle() {
        var state = connected()
        #expect(state.streamAnswered(limit: 0, at: 2_000) == .read)
        written(&state, at: 2_000)
        #expect(deadline(state) == 62_000)
        for time in stride(from: Int64(10_000), to: 50_000, by: 5_000) {
            written(&state, partial: true, at: time)
            #expect(state.phase == .head && deadline(state) == time + 10_000)
            written(&state, partial: true, at: time + 1_000)
            #expect(deadline(state) == time + 10_000)
            written(&state, at: time + 2_000)
            #expect(state.phase == .idle && deadline(state) == 62_000)
        }
        #expect(state.streamAnswered(limit: 0, at: 50_000) == .read)
        written(&state, at: 50_000)
        #expect(deadline(state) == 110_000)
    }

    @Test("Answers that wait are cancelled when there was no progress, and the connection ended the second time")
    func stalled() {
        var state = connected()
        #expect(state.streamAnswered(limit: 0, at: 2_000) == .read)
        written(&state, open: true, at: 2_000)
        #expect(state.phase == .sending && deadline(state) == 17_000)
        written(&state, open: true, at: 9_000)
        #expect(deadline(state) == 17_000)
        written(&state, open: true, progressed: true, at: 10_000)
        #expect(deadline(state) == 25_000)
        #expect(state.timerFired(at: 25_000, Self.timeouts) == .timeOut(.write, .cancelAnswers))
        written(&state, at: 25_000)
        #expect(state.phase == .idle)
        #expect(state.streamAnswered(limit: 0, at: 30_000) == .read)
        written(&state, open: true, at: 30_000)
        #expect(state.timerFired(at: 45_000, Self.timeouts) == .timeOut(.write, .endStalled))
        #expect(state.read(.finished) == .send(closeNotify: true, then: .linger))
    }

    @Test("A socket that takes nothing is given its time, and then reset")
    func parked() {
        var state = connected()
        _ = state.streamAnswered(limit: 0, at: 2_000)
        state.parked(at: 3_000)
        #expect(state.interrupted(.parked) == .keepInput)
        #expect(deadline(state) == 18_000)
        #expect(state.timerFired(at: 18_000, Self.timeouts) == .close(.timeout(.write)))
        #expect(state.resumed(isAllSent: true, at: 17_000) == .read)
        #expect(deadline(state) == 32_000)
    }

    @Test("A drain announces the end once, and refuses streams after a tick, whatever is under way")
    func drain() {
        for isBusy in [false, true] {
            var state = connected()
            if isBusy { _ = state.streamAnswered(limit: 0, at: 2_000) }
            written(&state, open: isBusy, at: 2_000)
            #expect(state.drain(at: 3_000, hasPartialHead: false) == .command(.announceEnd))
            written(&state, open: isBusy, at: 3_000)
            #expect(state.drain(at: 3_100, hasPartialHead: false) == .ignore)
            #expect(deadline(state) == 3_250)
            #expect(state.timerFired(at: 3_249, Self.timeouts) == .wait)
            #expect(state.timerFired(at: 3_250, Self.timeouts) == .command(.refuseStreams))
            #expect(deadline(state) == (isBusy ? 17_000 : 61_000))
            #expect(state.read(.finished) == .send(closeNotify: true, then: .linger))
        }
    }

    @Test("A handshake that is not done is drained as in HTTP/1.1")
    func drainEarly() {
        var state = ConnectionState(.tls, acceptedAt: 0)
        #expect(state.drain(at: 500, hasPartialHead: false) == .ignore)
        #expect(state.drain(at: 1_000, hasPartialHead: false) == .send(closeNotify: true, then: .abort))
    }

    @Test("The limit on requests announces the end with the last one, and takes what was on its way")
    func limit() {
        var state = connected()
        #expect(state.streamAnswered(limit: 2, at: 2_000) == .read)
        #expect(state.streamAnswered(limit: 2, at: 2_000) == .command(.announceEnd))
        #expect(state.streamAnswered(limit: 2, at: 2_000) == .read)
        #expect(state.requests == 3)
        written(&state, at: 2_000)
        #expect(deadline(state) == 2_250)
    }

    @Test("An announcement is due even if the socket takes nothing")
    func parkedDrain() {
        var state = connected()
        _ = state.streamAnswered(limit: 1, at: 2_000)
        state.parked(at: 2_000)
        #expect(state.timerFired(at: 2_250, Self.timeouts) == .command(.refuseStreams))
        #expect(state.timerFired(at: 17_000, Self.timeouts) == .close(.timeout(.write)))
    }
}
