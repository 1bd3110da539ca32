import FuzzingSupport
import SiteStore
import Testing

@Suite("The right to order for all nodes")
struct OrdererStateTests {
    /// The state machine with the test in place of the thread and the clock.
    private struct Run {
        var state = OrdererState(now: 0)
        var random = SplitMix64(seed: 3)
        var now: Int64 = 0

        /// The action after an event; waits pass.
        mutating func after(_ event: OrdererState.Event) -> OrdererState.Action {
            state.handle(event, now: now, random: &random)
            return next()
        }

        mutating func next() -> OrdererState.Action {
            if case .wait(let end) = state.action(now: now) { now = end }
            return state.action(now: now)
        }
    }

    @Test("the lock is asked for once notifications of others arrive, and then every two seconds")
    func taken() {
        var run = Run()
        #expect(run.next() == .connect && run.state.right == .sought)
        #expect(run.after(.connected) == .test)
        #expect(run.after(.tested(hasArrived: true)) == .tryLock)
        let start = run.now
        #expect(run.after(.lockTried(isTaken: false, owner: "edge-1")) == .tryLock)
        #expect(run.state.right == .ownedByOther(node: "edge-1") && run.now - start == OrdererState.lockPause)
        #expect(run.after(.lockTried(isTaken: true, owner: nil)) == .check)
        #expect(run.state.right == .owned)
        #expect(run.after(.checked) == .check && run.state.right == .owned)
    }

    @Test("behind a pooler that loses notifications the lock is never asked for")
    func pooler() {
        var run = Run()
        _ = run.next()
        #expect(run.after(.connected) == .test)
        for _ in 0..<3 { #expect(run.after(.tested(hasArrived: false)) == .test) }
        let reason = if case .unavailable(let reason) = run.state.right { reason } else { "" }
        #expect(reason.contains("pooler"))
        // An answer that comes from nowhere gives no right.
        _ = run.after(.lockTried(isTaken: true, owner: nil))
        #expect(run.state.right != .owned)
    }

    @Test("with its connection the lock is gone at once, and is asked for anew after another test")
    func lost() {
        var run = Run()
        _ = run.next()
        _ = run.after(.connected)
        _ = run.after(.tested(hasArrived: true))
        _ = run.after(.lockTried(isTaken: true, owner: nil))
        // Also if the connection may be there: nobody knows whether the lock is.
        #expect(run.after(.failed("no answer", isConnectionLost: false)) == .close)
        #expect(run.state.right == .unavailable("no answer"))
        #expect(run.after(.closed) == .connect)
        #expect(run.after(.connected) == .test)
    }

    @Test("a short interruption is no message, a longer one is")
    func quiet() {
        var run = Run()
        _ = run.next()
        #expect(run.after(.failed("refused", isConnectionLost: true)) == .connect && run.state.right == .sought)
        #expect(run.after(.failed("refused", isConnectionLost: true)) == .connect && run.state.right == .sought)
        #expect(run.after(.failed("refused", isConnectionLost: true)) == .connect)
        #expect(run.state.right == .unavailable("refused"))
    }

    @Test("whatever happens, only a tested connection has the lock", arguments: [1, 2, 3, 4] as [UInt64])
    func anyEvents(seed: UInt64) {
        var run = Run()
        var random = SplitMix64(seed: seed)
        let events: [OrdererState.Event] = [
            .connected, .closed, .tested(hasArrived: true), .tested(hasArrived: false),
            .lockTried(isTaken: true, owner: nil), .lockTried(isTaken: false, owner: nil), .checked, .waited,
            .failed("x", isConnectionLost: true), .failed("x", isConnectionLost: false),
        ]
        for _ in 0..<2_000 {
            let action = run.next()
            let event = events[Int(random.next() % UInt64(events.count))]
            let before = run.state.right
            run.state.handle(event, now: run.now, random: &run.random)
            if run.state.right == .owned, before != .owned { #expect(action == .tryLock) }
        }
    }
}

@Suite("Waiting for nodes")
struct NodeWaitsTests {
    @Test("a wait ends when the slowest node has the generation, when nobody is there, and after 10 s")
    func ends() {
        var waits = NodeWaits<String>()
        func ended(_ lowest: Int64?, isKnown: Bool = true, at now: Int64) -> [String] {
            waits.takeEnded(lowest: lowest, isKnown: isKnown, now: now)
        }
        waits.add("a", generation: 7, now: 0)
        waits.add("b", generation: 9, now: 1_000)
        #expect(ended(6, at: 2_000).isEmpty)
        #expect(ended(8, at: 2_000) == ["a"])
        #expect(ended(nil, isKnown: false, at: 10_999).isEmpty)
        #expect(ended(nil, isKnown: false, at: 11_000) == ["b"])
        waits.add("c", generation: 9, now: 0)
        #expect(ended(nil, at: 0) == ["c"])
        waits.add("d", generation: 9, now: 0)
        let all = waits.takeAll()
        #expect(all == ["d"] && waits.isEmpty)
    }
}

@Suite("Challenges of a store")
struct StoredChallengesTests {
    private static func challenge(_ token: String, _ kind: StoredChallenge.Kind) -> StoredChallenge {
        StoredChallenge(domain: "shop.example.com", kind: kind, token: token, keyAuthorization: "\(token).x")
    }

    @Test("they end by the clock of the database, and of two in handshakes the last one is answered")
    func ends() {
        var challenges = StoredChallenges()
        let (first, second) = (Self.challenge("a", .tlsALPN01), Self.challenge("b", .tlsALPN01))
        let (third, fourth) = (Self.challenge("a", .http01), Self.challenge("b", .http01))
        let rows: [(challenge: StoredChallenge, milliseconds: Int64)] = [
            (third, 500), (fourth, 2_000), (second, 1_000),
        ]
        let isOther = challenges.replace(with: [(first, 9_000)] + rows, now: 100)
        #expect(isOther && Set(challenges.all) == [second, third, fourth])
        let isSame = challenges.replace(with: rows, now: 200)
        let early = challenges.removeEnded(now: 699)
        let late = challenges.removeEnded(now: 700)
        #expect(!isSame && !early && late && Set(challenges.all) == [second, fourth])
        let areGone = challenges.replace(with: [(first, 0)], now: 800)
        #expect(areGone && challenges.all.isEmpty)
    }
}
